"""Memstrata's memory core: short-, mid- and long-term memory as an async library.

    async with open_memory(Settings.load()) as memory:
        await memory.add_memory("I live in Lisbon.", "Noted.")
        print(await memory.retrieve_memory("Where do I live?"))

It knows no protocol. `open_memory` and `MemoryCore` are imported on first use, since they bring
NumPy with them and a server has to answer its client before that.
"""

from importlib import import_module
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
    StoreDamaged,
    StoreReplaced,
)
from memory_core.records import (
    HEURISTIC,
    Added,
    Excerpt,
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
from memory_core.status_records import FactCounts, Job, JobState, ProcessStatus, Status, TierCounts
from memory_core.version import VERSION
from memory_core.zones import in_zone, zone_label

if TYPE_CHECKING:
    from memory_core.core import MemoryCore
    from memory_core.probe import probe_model
    from memory_core.status import inspect_memory, process_status
    from memory_core.upkeep import back_up_memory, check_memory
    from memory_core.wiring import open_memory

__version__ = VERSION

__all__ = [
    "HEURISTIC",
    "Added",
    "ConfigError",
    "EmbedderError",
    "Excerpt",
    "Fact",
    "FactCounts",
    "FactHit",
    "InvalidInput",
    "Job",
    "JobState",
    "MemoryCore",
    "MemstrataError",
    "ModelError",
    "ModelRefused",
    "ModelReplyInvalid",
    "ModelUnavailable",
    "Page",
    "PageHit",
    "ProcessStatus",
    "Profile",
    "ProfileLine",
    "ProfileView",
    "Recollection",
    "Response",
    "Scope",
    "Settings",
    "Status",
    "StorageError",
    "StoreDamaged",
    "StoreReplaced",
    "TierCounts",
    "back_up_memory",
    "check_memory",
    "in_zone",
    "inspect_memory",
    "open_memory",
    "probe_model",
    "process_status",
    "zone_label",
]


LAZY = {
    "MemoryCore": "memory_core.core",
    "back_up_memory": "memory_core.upkeep",
    "check_memory": "memory_core.upkeep",
    "inspect_memory": "memory_core.status",
    "open_memory": "memory_core.wiring",
    "probe_model": "memory_core.probe",
    "process_status": "memory_core.status",
}


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
