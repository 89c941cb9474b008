"""Where the log goes: warnings to stderr, more to a rotating file, keys to neither."""

import logging
import logging.handlers
from pathlib import Path

from memory_core import Settings

FILE_BYTES = 1_000_000
OLD_FILES = 2
OUR_LOGGERS = ("memory_core", "server")
SHORTEST_KEY = 6

_logger = logging.getLogger(__name__)


class RedactingFormatter(logging.Formatter):
    """Formats a record, then blots out the keys it may hold, in tracebacks too."""

    def __init__(self, template: str, secrets: tuple[str, ...]) -> None:
        super().__init__(template)
        self._secrets = secrets

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "[key]")
        return text


class OneLineFormatter(RedactingFormatter):
    """One line a record: tracebacks are in the file."""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).split("\n", 1)[0]


def log_file(settings: Settings) -> Path:
    return settings.data_storage_path / "logs" / "memstrata.log"


def configure_logging(settings: Settings) -> None:
    """Set up the root logger. Call it before the MCP SDK is imported, which would do it itself."""
    # A log that cannot be written (a full disk, a rotation refused by Windows) stops nothing.
    logging.raiseExceptions = False
    secrets = _secrets(settings)
    root = logging.getLogger()
    root.setLevel(logging.WARNING)
    for name in OUR_LOGGERS:
        logging.getLogger(name).setLevel(logging.INFO)
    refusal = _add_file(root, log_file(settings), secrets)
    console = logging.StreamHandler()
    console.setLevel(logging.WARNING)
    formatter = RedactingFormatter if refusal else OneLineFormatter
    console.setFormatter(formatter("memstrata: %(levelname)s %(message)s", secrets))
    root.addHandler(console)
    logging.captureWarnings(True)
    if refusal:
        _logger.warning("No log file: %s. Everything goes on without it.", refusal)


def _add_file(root: logging.Logger, path: Path, secrets: tuple[str, ...]) -> OSError | None:
    """Log to a file as well. Returns why that cannot be, or None."""
    try:
        # The log's directory may be what makes the memory's: nobody else is to read that.
        path.parent.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.parent.mkdir(exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            path, maxBytes=FILE_BYTES, backupCount=OLD_FILES, encoding="utf-8", errors="replace"
        )
    except OSError as error:
        return error
    template = "%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"
    handler.setFormatter(RedactingFormatter(template, secrets))
    root.addHandler(handler)
    return None


def _secrets(settings: Settings) -> tuple[str, ...]:
    keys = (settings.openai_api_key, settings.embedding_api_key)
    values = (key.get_secret_value() for key in keys)
    # "none" or "x", as local endpoints like it, is no secret, and a word of the log.
    return tuple(value for value in values if len(value) >= SHORTEST_KEY)
