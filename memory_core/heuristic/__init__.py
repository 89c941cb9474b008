"""Long-term memory without a language model: facts from plainly stated sentences."""

from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo

from memory_core.heuristic import facts
from memory_core.heuristic.profile import profile_lines
from memory_core.junk import readable
from memory_core.records import FactDraft, Page

__all__ = ["facts_of", "profile_lines"]


def facts_of(
    pages: Sequence[Page], zone: tzinfo = UTC, known: Iterable[str] = ()
) -> list[FactDraft]:
    """Facts that the pages state plainly, oldest first, each in the language of its source.

    What the junk guard refuses is not read. Of two statements about the same attribute in one
    page the later counts. A statement repeated while it is still true adds its page to the sources
    of the first.

    Args:
        zone: in which "yesterday" is meant.
        known: texts of facts about the user, for whose name it is when "Rex died".
    """
    return facts.facts_of([readable(page).page for page in pages], zone, known)
