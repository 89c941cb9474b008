"""The store's side of recall: search by words, read hits back, note what was used."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import apsw

from memory_core.events import Event
from memory_core.periods import Period
from memory_core.records import Fact, Kind, Scope
from memory_core.store import words
from memory_core.store.around import Surroundings, read_around
from memory_core.store.facts import facts_by_key, replaced_since, use_facts
from memory_core.store.rows import find_scopes, from_column, marks, select, to_column
from memory_core.store.segments import visit
from memory_core.store.words import WordHits
from memory_core.text import query_terms

MOST_WITHIN = 100
"""Pages of a period that are looked at though they share no word with the question."""

EVENT_SHARE = 0.5
"""Of an event's words, by rarity, that a page must hold to be the one that tells of it."""

EVER, NEVER = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worded:
    """The scopes of a question that exist, and what their pages and facts hold of its words.

    period: what the question names; within: the newest pages of it.
    """

    scopes: tuple[int, ...]
    pages: WordHits
    facts: WordHits
    period: Period | None = None
    within: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What stands behind keys.

    newer: of pages, the current statements that replaced something they say.
    """

    around: Surroundings
    facts: Mapping[int, Fact]
    newer: Mapping[int, tuple[str, ...]]


def read_words(
    connection: apsw.Connection,
    scopes: Sequence[Scope],
    text: str,
    periods: Iterable[Period] = (),
    event: Event | None = None,
) -> Worded:
    """What shares words with a text, or happened in the period that it names.

    Args:
        periods: what may be meant, the likeliest first; it is the first from which there are pages.
        event: what bounds the period where no time is named; it is as long ago as it was told of.
    """
    terms = words.terms_of(connection, query_terms(text))
    keys = find_scopes(connection, scopes)
    period, within = _told(connection, keys, periods)
    if period is None and event is not None:
        period = _beside(connection, keys, event)
    return Worded(
        scopes=keys,
        pages=words.search(connection, keys, Kind.PAGE, terms),
        facts=words.search(connection, keys, Kind.FACT, terms),
        period=period,
        within=within,
    )


def _told(
    connection: apsw.Connection, scopes: Sequence[int], periods: Iterable[Period]
) -> tuple[Period | None, tuple[int, ...]]:
    likeliest = None
    for period in periods:
        if within := _within(connection, scopes, period):
            return period, within
        likeliest = likeliest or period
    return likeliest, ()


def _beside(connection: apsw.Connection, scopes: Sequence[int], event: Event) -> Period | None:
    """The time before or after an event: by the first page that tells of it in most words."""
    terms = words.terms_of(connection, query_terms(event.what))
    told = words.search(connection, scopes, Kind.PAGE, terms)

    def share(key: int) -> float:
        counts = told.rows[key].counts
        return sum(weight for weight, count in zip(told.weights, counts, strict=True) if count)

    first = max(told.rows, key=lambda key: (share(key), -key), default=None)
    if first is None or share(first) < EVENT_SHARE * sum(told.weights):
        return None
    ((at,),) = select(connection, "SELECT at FROM memory WHERE key = ?", (first,))
    when = from_column(at)
    return Period(when, None) if event.after else Period(None, when)


def _within(connection: apsw.Connection, scopes: Sequence[int], period: Period) -> tuple[int, ...]:
    """The newest pages of a period."""
    sql = f"""
        SELECT key FROM memory WHERE scope IN ({marks(scopes)}) AND kind = ? AND at >= ? AND at < ?
        ORDER BY at DESC LIMIT ?
    """
    begin, end = to_column(period.begin or EVER), to_column(period.end or NEVER)
    rows = select(connection, sql, (*scopes, Kind.PAGE, begin, end, MOST_WITHIN))
    return tuple(key for (key,) in rows)


def read_hits(
    connection: apsw.Connection,
    pages: Sequence[int],
    best: Sequence[int],
    facts: Sequence[int],
    model: str | None,
) -> Hits:
    """Read pages and current facts back, with the pages that stand beside the best; see around."""
    around = read_around(connection, pages, best, model)
    return Hits(
        around=around,
        newer=replaced_since(connection, list(around.pages)),
        facts=facts_by_key(connection, facts),
    )


def write_use(
    connection: apsw.Connection, segments: Sequence[int], facts: Sequence[int], now: datetime
) -> None:
    """Segments warm up and facts count as useful when they are recalled."""
    visit(connection, segments, now)
    use_facts(connection, facts, now)
