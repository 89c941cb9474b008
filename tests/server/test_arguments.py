from pathlib import Path

import pytest

from memory_core import ConfigError, Settings
from server.arguments import help_text, parse_arguments


def test_settings_are_taken_with_dashes_underscores_and_equals_signs() -> None:
    given = parse_arguments(["--user-id", "ana", "--llm_model=a=b", "--heat-alpha", "-1"])
    assert given.settings == {"user_id": "ana", "llm_model": "a=b", "heat_alpha": "-1"}


def test_the_configuration_file_is_no_setting() -> None:
    given = parse_arguments(["--config", "some/file.json"])
    assert (given.config, given.settings) == (Path("some/file.json"), {})


def test_an_object_is_read_as_json() -> None:
    given = parse_arguments(["--embedding-model-kwargs", '{"device": "cpu"}'])
    assert given.settings == {"embedding_model_kwargs": {"device": "cpu"}}


@pytest.mark.parametrize(
    "argv",
    [
        ["sk-secret"],
        ["--user-id"],
        ["--openai-api-key", "--user-id"],
        ["--x", "{sk-secret"],
        ["--"],
    ],
)
def test_a_malformed_command_line_is_refused_without_showing_values(argv: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_arguments(argv)
    assert "sk-secret" not in str(caught.value)


def test_the_help_names_every_setting() -> None:
    text = help_text()
    assert all(f"--{key.replace('_', '-')}\n" in text for key in Settings.model_fields)
