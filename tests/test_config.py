import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core import ConfigError, Settings

ROOT = Path(__file__).parent.parent


def write(path: Path, values: object) -> Path:
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def test_the_example_lists_every_key_with_its_default() -> None:
    example = json.loads((ROOT / "config.example.json").read_text(encoding="utf-8"))
    assert list(example) == list(Settings.model_fields)
    loaded = Settings.load(file=ROOT / "config.example.json", environ={})
    assert loaded == Settings.load(environ={})


def test_the_documentation_lists_every_key() -> None:
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    missing = [key for key in Settings.model_fields if f"`{key}`" not in text]
    assert missing == []


def test_arguments_win_over_environment_over_file_over_defaults(tmp_path: Path) -> None:
    file = write(tmp_path / "c.json", {"user_id": "file", "assistant_id": "file", "llm_model": "f"})
    environ = {"MEMSTRATA_USER_ID": "env", "MEMSTRATA_ASSISTANT_ID": "env"}
    settings = Settings.load({"user_id": "argument"}, file=file, environ=environ)
    assert (settings.user_id, settings.assistant_id, settings.llm_model) == ("argument", "env", "f")
    assert settings.short_term_capacity == 7


def test_openai_variables_are_the_last_resort(tmp_path: Path) -> None:
    environ = {"OPENAI_API_KEY": "sk-env", "OPENAI_BASE_URL": "http://localhost:1/v1"}
    fallback = Settings.load(environ=environ)
    assert fallback.openai_api_key.get_secret_value() == "sk-env"
    assert fallback.openai_base_url == "http://localhost:1/v1"
    file = write(tmp_path / "c.json", {"openai_api_key": "sk-file"})
    assert Settings.load(file=file, environ=environ).openai_api_key.get_secret_value() == "sk-file"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("user_ids", "user_id"), ("short_term_capacty", "short_term_capacity"), ("模型", "")],
)
def test_an_unknown_key_is_an_error_that_names_the_nearest(typed: str, meant: str) -> None:
    for settings in ({"arguments": {typed: "x"}}, {"environ": {f"MEMSTRATA_{typed.upper()}": "x"}}):
        with pytest.raises(ConfigError) as error:
            Settings.load(**{"environ": {}, **settings})  # type: ignore[arg-type]
        assert f'"{typed}"' in str(error.value)
        assert meant in str(error.value)


def test_an_unknown_key_in_the_file_names_the_file(tmp_path: Path) -> None:
    file = write(tmp_path / "c.json", {"lm_model": "x"})
    with pytest.raises(ConfigError, match=r'"lm_model" in .*c\.json.*"llm_model"'):
        Settings.load(file=file, environ={})


@pytest.mark.parametrize(
    ("content", "said"), [("{", "not valid JSON"), ("[]", "one JSON object"), (None, "Cannot read")]
)
def test_an_unreadable_file_is_a_clear_error(
    tmp_path: Path, content: str | None, said: str
) -> None:
    file = tmp_path / "c.json"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigError, match=said):
        Settings.load(file=file, environ={})


def test_a_wrong_value_is_named_without_being_shown() -> None:
    with pytest.raises(ConfigError) as error:
        Settings.load({"short_term_capacity": "sk-secret"}, environ={})
    assert "short_term_capacity" in str(error.value)
    assert "sk-secret" not in str(error.value)


def test_empty_and_null_mean_not_set() -> None:
    settings = Settings.load(
        {"user_id": "", "similarity_threshold": None}, environ={"MEMSTRATA_LLM_MODEL": ""}
    )
    assert settings == Settings.load(environ={})


def test_keys_are_never_shown() -> None:
    settings = Settings.load({"openai_api_key": "sk-secret"}, environ={})
    assert "sk-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_paths_are_expanded_and_absolute(tmp_path: Path) -> None:
    settings = Settings.load({"data_storage_path": "~/memory"}, environ={})
    assert settings.data_storage_path == Path.home() / "memory"
    assert Settings.load(environ={}).data_storage_path.is_absolute()


def test_the_zone_is_that_of_the_name_or_of_this_machine() -> None:
    summer, winter = datetime(2023, 7, 1, 12, tzinfo=UTC), datetime(2023, 1, 1, 12, tzinfo=UTC)
    berlin = Settings.load({"timezone": "Europe/Berlin"}, environ={}).zone
    assert [moment.astimezone(berlin).hour for moment in (summer, winter)] == [14, 13]
    local = Settings.load(environ={}).zone
    for moment in (summer, winter):
        assert moment.astimezone(local).replace(tzinfo=None) == (
            moment.astimezone().replace(tzinfo=None)
        )


@pytest.mark.parametrize(
    "name", ["Europe/Berlim", "Europe", "../etc", "/etc/localtime", "\0", "CST+8", "北京", "\ud800"]
)
def test_an_unknown_zone_is_a_clear_error(name: str) -> None:
    with pytest.raises(ConfigError, match=r"timezone: .*no such time zone.*Europe/Berlin"):
        Settings.load(environ={"MEMSTRATA_TIMEZONE": name})


def test_a_configuration_of_the_reference_is_taken(tmp_path: Path) -> None:
    file = write(
        tmp_path / "config.json",
        {
            "user_id": "u",
            "openai_api_key": "",
            "openai_base_url": "",
            "data_storage_path": str(tmp_path),
            "assistant_id": "a",
            "short_term_capacity": 2,
            "mid_term_capacity": 2000,
            "long_term_knowledge_capacity": 100,
            "retrieval_queue_capacity": 30,
            "mid_term_heat_threshold": 7.0,
            "mid_term_similarity_threshold": 0.6,
            "llm_model": "gpt-4o-mini",
            "embedding_model_name": "BAAI/bge-m3",
        },
    )
    assert Settings.load(file=file, environ={}).mid_term_heat_threshold == 7.0
