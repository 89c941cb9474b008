import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_core import Settings
from server.logs import configure_logging, log_file
from tests.server.stand_in import settings

KEY = "sk-very-secret-key"


@pytest.fixture
def root_logger() -> Iterator[logging.Logger]:
    """The root logger, put back afterwards as it was."""
    root = logging.getLogger()
    handlers, level, raising = root.handlers[:], root.level, logging.raiseExceptions
    root.handlers = []
    yield root
    for handler in root.handlers:
        handler.close()
    root.handlers, logging.raiseExceptions = handlers, raising
    root.setLevel(level)
    logging.captureWarnings(False)


def test_keys_are_blotted_out_in_messages_and_tracebacks(
    tmp_path: Path, root_logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = {"data_storage_path": str(tmp_path), "openai_api_key": KEY}
    given = Settings.load(keys, environ={})
    configure_logging(given)
    try:
        raise ValueError(f"401 for {KEY}")
    except ValueError:
        logging.getLogger("server.test").exception("Failed with %s", KEY)
    written = log_file(given).read_text(encoding="utf-8")
    assert "ValueError: 401 for [key]" in written
    assert "Failed with [key]" in written
    assert capsys.readouterr().err == "memstrata: ERROR Failed with [key]\n"


def test_only_warnings_reach_stderr_and_only_ours_are_informative(
    tmp_path: Path, root_logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    given = settings(tmp_path)
    configure_logging(given)
    logging.getLogger("server.test").info("ours 人")
    logging.getLogger("httpx2").info("theirs")
    written = log_file(given).read_text(encoding="utf-8")
    assert "ours 人" in written
    assert "theirs" not in written
    assert capsys.readouterr().err == ""


def test_without_a_place_for_the_file_there_is_a_warning_and_no_failure(
    tmp_path: Path, root_logger: logging.Logger, capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    configure_logging(settings(in_the_way))
    assert "No log file" in capsys.readouterr().err
