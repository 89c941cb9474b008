"""The memory as one object: the three verbs, and an answer."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, tzinfo
from typing import Any

import anyio
import anyio.to_thread

from memory_core import token_budget
from memory_core.backends.llm import LanguageModel
from memory_core.background import Background
from memory_core.config import Settings
from memory_core.errors import InvalidInput, ModelUnavailable
from memory_core.inputs import (
    identity,
    item_count,
    item_ids,
    json_object,
    message,
    token_count,
    utc,
)
from memory_core.lookup import recollected
from memory_core.prompts.answer import answer_prompt
from memory_core.recall import Recall
from memory_core.records import (
    About,
    Added,
    FailedJob,
    PageDraft,
    PageHit,
    ProfileView,
    Recollection,
    Response,
    Scope,
)
from memory_core.status import read_status, running_parts, scope_of
from memory_core.status_records import Status
from memory_core.store import pages
from memory_core.store.items import read_items
from memory_core.store.tiers import read_known, read_tiers
from memory_core.walk import Walk

MOST_RESULTS = 150
"""Items of each kind, when many tokens are asked for and no number is said."""


class MemoryCore:
    """What a user does with a memory. Made by `open_memory`.

    Empty ids mean those of the settings. Every method may be called by many tasks at once.
    """

    def __init__(
        self, settings: Settings, walk: Walk, recall: Recall, *, answers: LanguageModel | None
    ) -> None:
        self._settings = settings
        self._database = walk.database
        self._embedding = walk.embedding
        self._vectors = walk.vectors
        self._model = walk.model
        self._answers = answers
        self._budget = walk.budget
        self._clock = walk.clock
        self._courtesy = walk.courtesy
        self._recall = recall
        self._background = Background(settings, walk, recall)

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
        """Commit one page (paper 3.2). When this returns, it survives a crash.

        Args:
            user_input: what the user said; may be empty if the other side is not.
            agent_response: what the assistant said; may be empty likewise.
            at: when it was said, an aware datetime; None means now.
            meta_data: any JSON object; it is kept and comes back.

        Raises:
            InvalidInput: both sides are empty, or something cannot be stored.
            StorageError: the page could not be committed.
        """
        draft = PageDraft(
            user_input=message(user_input, "user_input"),
            agent_response=message(agent_response, "agent_response"),
            at=utc(self._clock() if at is None else at),
            meta_data=json_object({} if meta_data is None else meta_data),
        )
        if not draft.user_input.strip() and not draft.agent_response.strip():
            raise InvalidInput("Both user_input and agent_response are empty: nothing to remember.")
        scope = self._scope(user_id, assistant_id)
        capacity = self._settings.short_term_capacity
        added = await self._database.write(pages.add_page, scope, draft, self._clock(), capacity)
        self._background.note_added(added)
        return added

    async def retrieve_memory(
        self,
        query: str,
        *,
        max_results: int | None = None,
        max_tokens: int | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Recollection:
        """What all tiers know about a query (paper 3.4), filled in as `token_budget` says.

        Args:
            query: a question, a topic or a whole prompt, in any language.
            max_results: most items of each kind; None means `retrieval_queue_capacity`, and as
                many times more as there are more tokens than usual, up to 150.
            max_tokens: what a reply may take, 100 to 100,000; None means `retrieval_max_tokens`.

        Raises:
            InvalidInput: the query is empty, or max_results or max_tokens is out of range.
        """
        text = message(query, "query")
        if not text.strip():
            raise InvalidInput("The query is empty: say what to look for.")
        room = token_count(max_tokens, default=self._settings.retrieval_max_tokens)
        limit = item_count(max_results) or self._usual_results(room)
        scope = self._scope(user_id, assistant_id)
        window, profile, pending, failed = await self._database.read(
            read_tiers, scope, self._settings.short_term_capacity
        )
        found = await self._recall.find(
            text, [scope], limit=limit, window=[page.key for page in window]
        )
        self._courtesy.note_call()
        everything = Recollection(
            query=text,
            at=self._clock(),
            profile=profile,
            short_term=tuple(
                found.window.get(page.key, PageHit(page=page, score=0.0, why={})) for page in window
            ),
            pages=found.pages,
            user_facts=found.user_facts,
            assistant_facts=found.assistant_facts,
            pending=pending,
            notes=self._notes(failed),
        )
        # Beside the loop: of long pages every sentence is looked at.
        shown = await anyio.to_thread.run_sync(token_budget.fit, everything, room)
        self._background.note_use(shown)
        return shown

    async def read_memory(
        self,
        ids: Sequence[str],
        *,
        query: str = "",
        max_tokens: int | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Recollection:
        """Pages and facts by their ids, whole, in the order of the ids; scores are 0.

        Args:
            ids: of pages and facts, as `left_out` names them; at most 100.
            query: decides which part is shown of a page that is too long for a reply.
            max_tokens: what a reply may take, 100 to 100,000; None means 10,000. `left_out` has
                what did not fit.

        Raises:
            InvalidInput: none of these items is in this memory, or an argument is out of range.
        """
        asked = item_ids(ids)
        text = message(query, "query")
        room = token_count(max_tokens, default=token_budget.READ_TOKENS)
        scope = self._scope(user_id, assistant_id)
        found = await self._database.read(read_items, scope, asked)
        self._courtesy.note_call()
        items = recollected(asked, found, query=text, at=self._clock())
        shown = await anyio.to_thread.run_sync(token_budget.fit_whole, items, room)
        self._background.note_use(shown)
        return shown

    async def get_user_profile(self, *, user_id: str = "", assistant_id: str = "") -> ProfileView:
        """Who the user is, as far as conversations told, with the current facts."""
        scope = self._scope(user_id, assistant_id)
        profile, known, pending, failed = await self._database.read(
            read_known, scope, self._settings.short_term_capacity
        )
        return ProfileView(
            profile=profile,
            user_facts=known[About.USER],
            assistant_facts=known[About.ASSISTANT],
            pending=pending,
            notes=self._notes(failed),
        )

    @property
    def zone(self) -> tzinfo:
        """The zone in which people of this memory mean "yesterday", and times are shown."""
        return self._settings.zone

    async def status(self, *, user_id: str = "", assistant_id: str = "") -> Status:
        """How the memory is: what it holds, what waits and why, and what its parts are at.

        Args:
            user_id, assistant_id: whose counts are wanted beside those of everybody; with one of
                them empty, that of the settings is taken.
        """
        asked = scope_of(self._settings, user_id, assistant_id)
        running = running_parts(self._embedding, self._vectors, self._model, self._database.notes)
        return await read_status(
            self._database, self._settings, self._clock(), asked=asked, running=running
        )

    async def respond(self, query: str, *, user_id: str = "", assistant_id: str = "") -> Response:
        """Recall, then let the model answer in the user's language (paper 3.5).

        Raises:
            InvalidInput: the query is empty.
            ModelError: there is no model, or it did not answer.
        """
        if self._answers is None:
            raise ModelUnavailable(
                "Answering needs a language model: set openai_api_key, or openai_base_url."
            )
        recollection = await self.retrieve_memory(query, user_id=user_id, assistant_id=assistant_id)
        system, text = answer_prompt(recollection, query, self.zone)
        return Response(text=await self._answers.write(system, text), recollection=recollection)

    async def consolidate(self) -> None:
        """Carry everything through the tiers now: batches are not left to fill.

        Returns when nothing more is due. Work that fails waits for its next try, as the notes
        of a recollection say; what rules have done is upgraded later, in the background.
        """
        await self._background.consolidate()

    def begin_consolidation(self) -> anyio.Event:
        """As `consolidate`, in the background; the event is set at its end, also if it fails."""
        return self._background.begin_consolidation()

    def _usual_results(self, room: int) -> int:
        """How many of each kind fill a reply of so many tokens."""
        usual = self._settings.retrieval_queue_capacity
        most = max(MOST_RESULTS, usual)
        return min(max(usual, usual * room // self._settings.retrieval_max_tokens), most)

    def _scope(self, user_id: str, assistant_id: str) -> Scope:
        return Scope(
            user_id=identity(user_id or self._settings.user_id, "user_id"),
            assistant_id=identity(assistant_id or self._settings.assistant_id, "assistant_id"),
        )

    def _notes(self, failed: tuple[FailedJob, ...]) -> tuple[str, ...]:
        parts = (self._embedding.note, self._recall.note, self._budget.note)
        own = (*self._database.notes, *parts)
        notes = [note for note in own if note]
        for job in failed:
            again = f"next try {job.not_before:%Y-%m-%d %H:%M:%SZ}" if job.not_before else "parked"
            notes.append(f"Consolidation waits ({again}): {job.last_error}")
        return tuple(notes)

    @asynccontextmanager
    async def running(self) -> AsyncIterator["MemoryCore"]:
        """Load the models and work in the background while the context lasts."""
        failure: Exception | None = None
        async with anyio.create_task_group() as group:
            self._background.start(group)
            try:
                yield self
            except Exception as error:  # noqa: BLE001 - the caller's own, raised again below
                failure = error
            group.cancel_scope.cancel()
        # As itself: a caller's exception does not come out of a group it knows nothing of.
        if failure is not None:
            raise failure
