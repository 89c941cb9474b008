"""The tables: numbered migrations, and which version a file has."""

import logging
from functools import cache
from importlib import resources

import apsw

from memory_core.errors import StorageError
from memory_core.store.transactions import transaction

log = logging.getLogger(__name__)


@cache
def migrations() -> tuple[tuple[int, str], ...]:
    """Number and SQL of each migration, in order."""
    return tuple(
        sorted(
            (int(entry.name[:4]), entry.read_text(encoding="utf-8"))
            for entry in resources.files("memory_core.store").joinpath("migrations").iterdir()
            if entry.name.endswith(".sql")
        )
    )


def schema_version(connection: apsw.Connection) -> int:
    """Number of the newest migration that the file has.

    Raises:
        StorageError: a newer Memstrata has written it, or another program.
    """
    version = int(connection.pragma("user_version"))
    if version == 0 and connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        raise StorageError(
            f"{connection.filename} is the database of another program. Move it away, or set "
            "data_storage_path to another directory."
        )
    newest = migrations()[-1][0]
    if version > newest:
        raise StorageError(
            f"{connection.filename} was written by a newer version of Memstrata "
            f"(schema {version}, this one knows {newest}). Upgrade Memstrata."
        )
    return version


def is_newest(connection: apsw.Connection) -> bool:
    return schema_version(connection) == migrations()[-1][0]


def migrate(connection: apsw.Connection) -> None:
    """Bring the tables to the newest migration, each of them in whole or not at all."""
    version = schema_version(connection)
    for number, script in migrations():
        if number > version:
            with transaction(connection, "BEGIN IMMEDIATE"):
                connection.execute(script)
                connection.pragma("user_version", number)
            log.info("schema migrated to %d", number)
