"""The command line: every setting as `--key value`, and three flags."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core import ConfigError, Settings

USAGE = """\
usage: memstrata [--config FILE] [--KEY VALUE ...]

Serves Memstrata's memory to an MCP client over standard input and output.

  --config FILE   a JSON file with any of the settings below
  --version       print the version
  --help          print this

Settings, each also as MEMSTRATA_KEY in the environment or "key" in the file;
arguments win over the environment, the environment over the file:

"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What the command line asks for; `settings` are not checked yet."""

    config: Path | None
    settings: dict[str, Any]
    help: bool
    version: bool


def parse_arguments(argv: list[str]) -> Arguments:
    """Read the command line. Dashes and underscores in keys are the same.

    Raises:
        ConfigError: it is not of the form `--key value`. Values are never shown: one may be a key.
    """
    values: dict[str, Any] = {}
    flags: set[str] = set()
    words = iter(argv)
    for position, word in enumerate(words, start=1):
        if word in ("--help", "-h", "--version"):
            flags.add(word)
            continue
        if not word.startswith("--") or word == "--":
            raise ConfigError(
                f"Argument {position} is not of the form --key value; see memstrata --help."
            )
        name, equals, value = word[2:].partition("=")
        key = name.replace("-", "_").lower()
        values[key] = _value(key, value if equals else next(words, None))
    config = values.pop("config", None)
    return Arguments(
        config=Path(config).expanduser() if config else None,
        settings=values,
        help=bool(flags & {"--help", "-h"}),
        version="--version" in flags,
    )


def _value(key: str, value: str | None) -> Any:
    if value is None or value.startswith("--"):
        raise ConfigError(f"--{key} needs a value; see memstrata --help.")
    if not value.startswith("{"):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ConfigError(f"The value of --{key} is not valid JSON.") from error


def help_text() -> str:
    """The usage and each setting with its meaning and default."""
    return USAGE + "".join(_setting(key) for key in Settings.model_fields)


def _setting(key: str) -> str:
    field = Settings.model_fields[key]
    default = field.get_default(call_default_factory=True)
    shown = f" [{default}]" if str(default) not in ("", "{}", "None") else ""
    return f"  --{key.replace('_', '-')}\n      {field.description}{shown}\n"
