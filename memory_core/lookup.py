"""Items that are asked for by id, as a recollection."""

from collections.abc import Sequence
from datetime import datetime

from memory_core.errors import InvalidInput
from memory_core.records import About, FactHit, PageHit, Recollection
from memory_core.store.items import Items


def recollected(ids: Sequence[str], found: Items, *, query: str, at: datetime) -> Recollection:
    """The items in the order of their ids; a note says how many of the ids are of no item.

    Raises:
        InvalidInput: none of them is of an item.
    """
    missing = [id for id in ids if id not in found.pages and id not in found.facts]
    if len(missing) == len(ids):
        raise InvalidInput(
            "No turn and no fact of this memory has such an id. Take ids from a reply to "
            "retrieve_memory, for the same user and assistant."
        )
    facts = [FactHit(fact=found.facts[id], score=0.0, why={}) for id in ids if id in found.facts]
    return Recollection(
        query=query,
        at=at,
        profile=None,
        short_term=(),
        pages=tuple(
            PageHit(page=page, score=0.0, why={}, superseded_by=found.newer.get(page.key, ()))
            for page in (found.pages[id] for id in ids if id in found.pages)
        ),
        user_facts=tuple(hit for hit in facts if hit.fact.about is About.USER),
        assistant_facts=tuple(hit for hit in facts if hit.fact.about is About.ASSISTANT),
        pending=0,
        notes=_notes(missing),
    )


def _notes(missing: Sequence[str]) -> tuple[str, ...]:
    """Which ids are wrong is said of the first few, cut: a model may write anything into them."""
    if not missing:
        return ()
    named = ", ".join(id[:24] for id in missing[:5])
    more = " and others" if len(missing) > 5 else ""
    return (f"Not found in this memory: {named}{more}.",)
