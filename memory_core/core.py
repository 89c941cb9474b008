"""The memory as one object, and `open_memory`, the only place where its parts are wired."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

from memory_core.config import Settings
from memory_core.records import Added, ProfileView, Recollection, Response


def utc_now() -> datetime:
    return datetime.now(UTC)


class MemoryCore:
    """What a user does with a memory. Made by `open_memory`."""

    async def add_memory(
        self,
        user_input: str = "",
        agent_response: str = "",
        *,
        at: datetime | None = None,
        meta_data: Mapping[str, Any] | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Added:
        raise NotImplementedError

    async def retrieve_memory(
        self, query: str, *, max_results: int = 10, user_id: str = "", assistant_id: str = ""
    ) -> Recollection:
        raise NotImplementedError

    async def get_user_profile(self, *, user_id: str = "", assistant_id: str = "") -> ProfileView:
        raise NotImplementedError

    async def respond(self, query: str, *, user_id: str = "", assistant_id: str = "") -> Response:
        raise NotImplementedError

    async def consolidate(self) -> None:
        raise NotImplementedError


@asynccontextmanager
async def open_memory(
    settings: Settings, *, clock: Callable[[], datetime] = utc_now
) -> AsyncIterator[MemoryCore]:
    yield MemoryCore()
