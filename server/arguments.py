"""The command line: a verb, every setting as `--key value`, and some flags."""

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory_core import ConfigError, Settings

USAGE = """\
usage: memstrata [COMMAND] [--config FILE] [--KEY VALUE ...]

  serve           serve the memory to an MCP client over standard input and output;
                  the same without a command
  status          show what the memory holds, what waits or failed, and its parts;
                  --json: as JSON
  check           look for damage in the database; exit code 1 if there is any
  probe           ask the language model's endpoint some tiny questions and tell what it
                  can do and why it fails; exit code 1 if it cannot be used
  backup TARGET   copy the database to TARGET, while it is in use

  --config FILE   a JSON file with any of the settings below
  --version       print the version
  --help          print this

Settings, each also as MEMSTRATA_KEY in the environment or "key" in the file;
arguments win over the environment, the environment over the file:

"""


SERVE, STATUS, CHECK, PROBE, BACKUP = VERBS = ("serve", "status", "check", "probe", "backup")
FLAGS = ("--help", "-h", "--version", "--json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What the command line asks for; `settings` are not checked yet.

    target: of `backup`; json: `status` is wanted as JSON.
    """

    verb: str
    target: Path | None
    json: bool
    config: Path | None
    settings: dict[str, Any]
    help: bool
    version: bool


def parse_arguments(argv: list[str]) -> Arguments:
    """Read the command line. Dashes and underscores in keys are the same.

    Raises:
        ConfigError: no such command, or not of the form `--key value`. Values are never shown:
            one may be a key.
    """
    values: dict[str, Any] = {}
    flags: set[str] = set()
    plain: list[str] = []
    words = iter(argv)
    for position, word in enumerate(words, start=1):
        if word in FLAGS:
            flags.add(word)
        elif not word.startswith("-"):
            plain.append(word)
        elif not word.startswith("--") or word == "--":
            raise ConfigError(
                f"Argument {position} is not of the form --key value; see memstrata --help."
            )
        else:
            name, equals, value = word[2:].partition("=")
            key = name.replace("-", "_").lower()
            values[key] = _value(key, value if equals else _next_value(key, words))
    config = values.pop("config", None)
    asks = bool(flags - {"--json"})
    verb, target = (SERVE, None) if asks else _command(plain)
    if "--json" in flags and verb != STATUS and not asks:
        raise ConfigError("--json goes with memstrata status only.")
    return Arguments(
        verb=verb,
        target=target,
        json="--json" in flags,
        config=Path(config).expanduser() if config else None,
        settings=values,
        help=bool(flags & {"--help", "-h"}),
        version="--version" in flags,
    )


def _command(plain: Sequence[str]) -> tuple[str, Path | None]:
    """The verb and its target."""
    verb, *others = plain or [SERVE]
    if verb not in VERBS:
        near = difflib.get_close_matches(verb[:40].lower(), VERBS, n=1)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise ConfigError(
            f"There is no such command. The commands are {', '.join(VERBS)}; settings are written "
            f"--key value.{guess}"
        )
    if verb == BACKUP:
        if len(others) != 1:
            raise ConfigError("backup takes one target: memstrata backup FILE.")
        return verb, Path(others[0]).expanduser()
    if others:
        raise ConfigError(f"memstrata {verb} takes settings only, written --key value.")
    return verb, None


def _next_value(key: str, words: Iterator[str]) -> str:
    value = next(words, "--")
    if value.startswith("--"):
        raise ConfigError(f"--{key} needs a value; see memstrata --help.")
    return value


def _value(key: str, value: str) -> Any:
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
