"""Memstrata's memory core: short-, mid- and long-term memory as an async library.

    async with open_memory(Settings.load()) as memory:
        await memory.add_memory("I live in Lisbon.", "Noted.")
        print(await memory.retrieve_memory("Where do I live?"))

It knows no protocol. `open_memory` and `MemoryCore` are imported on first use, since they bring
NumPy with them and a server has to answer its client before that.
"""

from typing import TYPE_CHECKING, Any

from memory_core.config import Settings
from memory_core.errors import (
    ConfigError,
    EmbedderError,
    InvalidInput,
    MemstrataError,
    ModelError,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnavailable,
    StorageError,
)
from memory_core.records import (
    HEURISTIC,
    Added,
    Fact,
    FactHit,
    Page,
    PageHit,
    Profile,
    ProfileLine,
    ProfileView,
    Recollection,
    Response,
    Scope,
)

if TYPE_CHECKING:
    from memory_core.core import MemoryCore
    from memory_core.wiring import open_memory

__version__ = "0.1.0"

__all__ = [
    "HEURISTIC",
    "Added",
    "ConfigError",
    "EmbedderError",
    "Fact",
    "FactHit",
    "InvalidInput",
    "MemoryCore",
    "MemstrataError",
    "ModelError",
    "ModelRefused",
    "ModelReplyInvalid",
    "ModelUnavailable",
    "Page",
    "PageHit",
    "Profile",
    "ProfileLine",
    "ProfileView",
    "Recollection",
    "Response",
    "Scope",
    "Settings",
    "StorageError",
    "open_memory",
]


def __getattr__(name: str) -> Any:
    if name == "MemoryCore":
        from memory_core.core import MemoryCore

        return MemoryCore
    if name == "open_memory":
        from memory_core.wiring import open_memory

        return open_memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
