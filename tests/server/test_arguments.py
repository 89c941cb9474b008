from pathlib import Path

import pytest

from memory_core import ConfigError, Settings
from server.arguments import VERBS, help_text, parse_arguments


def test_settings_are_taken_with_dashes_underscores_and_equals_signs() -> None:
    given = parse_arguments(["--user-id", "ana", "--llm_model=a=b", "--heat-alpha", "-1"])
    assert given.settings == {"user_id": "ana", "llm_model": "a=b", "heat_alpha": "-1"}


def test_behind_an_equals_sign_a_value_may_be_anything() -> None:
    assert parse_arguments(["--user-id=--李雷 = x"]).settings == {"user_id": "--李雷 = x"}


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
        ["-x"],
        ["backup"],
        ["backup", "sk-secret", "sk-secret"],
        ["status", "sk-secret"],
        ["check", "--json"],
        ["--json"],
    ],
)
def test_a_malformed_command_line_is_refused_without_showing_values(argv: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_arguments(argv)
    assert "sk-secret" not in str(caught.value)


def test_the_help_names_every_setting() -> None:
    text = help_text()
    assert all(f"--{key.replace('_', '-')}\n" in text for key in Settings.model_fields)


def test_without_a_command_it_serves() -> None:
    assert parse_arguments([]).verb == parse_arguments(["serve", "--user-id", "x"]).verb == "serve"


@pytest.mark.parametrize(
    "argv", [["status", "--json", "--user-id", "李雷"], ["--user-id", "李雷", "--json", "status"]]
)
def test_a_command_may_stand_before_or_behind_its_settings(argv: list[str]) -> None:
    given = parse_arguments(argv)
    assert (given.verb, given.json, given.settings) == ("status", True, {"user_id": "李雷"})


def test_a_backup_has_a_target() -> None:
    given = parse_arguments(["--llm-model", "m", "backup", "a b/备份.db"])
    assert (given.verb, given.target) == ("backup", Path("a b/备份.db"))
    assert parse_arguments(["check"]).target is None


@pytest.mark.parametrize(
    ("word", "guess"), [("statsu", "status"), ("BACKUP", "backup"), ("chekc", "check")]
)
def test_an_unknown_command_is_refused_with_a_guess(word: str, guess: str) -> None:
    with pytest.raises(ConfigError, match=rf"no such command.*Did you mean {guess}\?"):
        parse_arguments([word])


def test_an_unknown_command_that_is_like_none_is_refused_without_one() -> None:
    with pytest.raises(ConfigError, match="serve, status, check, probe, backup") as caught:
        parse_arguments(["xyz"])
    assert "Did you mean" not in str(caught.value)


def test_help_is_given_whatever_else_is_asked_for() -> None:
    assert parse_arguments(["backup", "--help"]).help
    assert parse_arguments(["nonsense", "-h"]).help


def test_the_help_names_every_command() -> None:
    text = help_text()
    assert all(f"\n  {verb} " in text for verb in VERBS)
