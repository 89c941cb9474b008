"""The period of time that a question names: "last week", "in May 2023", 上个月, 先週."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, tzinfo
from functools import reduce
from itertools import pairwise

from memory_core.days import Days, Span, following, latest, moved
from memory_core.time_words import Mention, mentions_in
from memory_core.time_words.context import (
    Around,
    Side,
    around_of,
    at_a_distance,
    bounds_of,
    event_after,
    event_before,
    joiner,
)

LOOKED_AT = 2000
"""Characters of a question that are looked at, from its beginning."""

MOST_TIMES = 8
"""A text with more times than these is a diary or a log, and names no period."""


EARLIER_YEARS = 10
"""Of a date whose year is left open: how many years are looked at before the latest."""


@dataclass(frozen=True, slots=True)
class Period:
    """Half-open: begin <= t < end, aware UTC. None: open on that side."""

    begin: datetime | None
    end: datetime | None

    def holds(self, at: datetime) -> bool:
        return (self.begin is None or self.begin <= at) and (self.end is None or at < self.end)


def periods_of(question: str, now: datetime, zone: tzinfo) -> Iterator[Period]:
    """The periods that a question may mean, the likeliest first; English, Chinese, Japanese.

    Days are those of the `zone`, weeks begin on Monday, seasons are those of the northern half.
    Dates whose year is left open are the latest that have begun, then those of the years before:
    who remembers nothing of them may well mean an earlier one. "2 months ago" has slack: that
    month and two weeks on both sides. Nothing comes when nothing is named, or it is not clear
    which of several is meant, or it lies ahead ("tomorrow"). Times of events ("before I moved")
    name none.

    Args:
        now: the moment of asking, aware.
    """
    today = now.astimezone(zone).date()
    text = " ".join(unicodedata.normalize("NFKC", question[:LOOKED_AT])[:LOOKED_AT].split())
    last = None
    for years in range(EARLIER_YEARS + 1):
        mentions = mentions_in(text, today, moved(today, "year", -years))
        if not 1 <= len(mentions) <= MOST_TIMES:
            return
        period = _period(text, mentions, zone)
        if period and period != last:
            yield period
        last = period
        if not any(mention.of_year for mention in mentions):
            return


def _period(text: str, mentions: Sequence[Mention], zone: tzinfo) -> Period | None:
    try:
        found = _agreed(list(_bounds(text, mentions)))
        return Period(_instant(found.first, zone), _instant(found.end, zone)) if found else None
    except (OverflowError, ValueError):  # beyond the calendar
        return None


def _instant(day: date | None, zone: tzinfo) -> datetime | None:
    if day is None or day == date.min:
        return None
    return datetime.combine(day, time.min, zone).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Times that belong together: "between May and July", "yesterday or today"."""

    mentions: tuple[Mention, ...]
    joined: tuple[str, ...]
    around: Around

    @property
    def start(self) -> int:
        return self.mentions[0].start

    @property
    def stop(self) -> int:
        return self.mentions[-1].stop

    @property
    def names_a_time(self) -> bool:
        """Not so "2023" and "May" alone: they take a word such as "in" before them."""
        side = self.around.side
        if not all(mention.bare for mention in self.mentions):
            return True
        if side in (Side.FROM, Side.BETWEEN):
            return len(self.mentions) > 1
        if side in (Side.IN, None):
            return side is Side.IN or self.around.partly
        month = self.mentions[0].of_year is not None
        return not month or (side is not Side.OF and (self.around.ends or len(self.mentions) > 1))


def _bounds(text: str, mentions: Sequence[Mention]) -> Iterator[Days | None]:
    chains = _in_its_year([c for c in _chains(text, mentions) if c.names_a_time])
    begin = 0
    for chain, after in zip(chains, [*chains[1:], None], strict=True):
        span = _whole(chain)
        if span is None:
            yield None
            continue
        yield _placed(text, chain, span, begin, after.start if after else len(text))
        begin = chain.stop


def _chains(text: str, mentions: Sequence[Mention]) -> Iterator[_Chain]:
    links: list[str | None] = [_link(text, left, right) for left, right in pairwise(mentions)]
    first = 0
    for at, link in enumerate([*links, None]):
        if link is None:
            part = tuple(mentions[first : at + 1])
            joined = tuple(link for link in links[first:at] if link)
            yield _Chain(part, joined, around_of(text, part[0].start, part[-1].stop))
            first = at + 1


def _link(text: str, left: Mention, right: Mention) -> str | None:
    found = joiner(text[left.stop : right.start])
    # "In 2023, in May": a year and its month.
    return None if found == "," and left.is_year != right.is_year else found


def _in_its_year(chains: list[_Chain]) -> list[_Chain]:
    """With "last year" and "in May" beside each other made one."""
    years = [c for c in chains if len(c.mentions) == 1 and c.mentions[0].is_year]
    open_ones = [c for c in chains if any(mention.of_year for mention in c.mentions)]
    if len(years) != 1 or not open_ones or years[0].around.side not in (Side.IN, Side.OF, None):
        return chains
    year = years[0].mentions[0].span.first.year
    return [_of_year(chain, year) for chain in chains if chain is not years[0]]


def _of_year(chain: _Chain, year: int) -> _Chain:
    mentions = tuple(
        replace(mention, span=mention.of_year(year), of_year=None) if mention.of_year else mention
        for mention in chain.mentions
    )
    return replace(chain, mentions=mentions)


def _whole(chain: _Chain) -> Span | None:
    """From the first to the last of the chain; None: "in 2019 or 2023" is not one period."""
    spans = _settled(chain.mentions)
    if chain.around.side is Side.BETWEEN or "to" in chain.joined:
        return spans[0].to(spans[-1]) if spans[0].first <= spans[-1].first else None
    spans.sort(key=lambda span: span.first)
    if any(left.end < right.first for left, right in pairwise(spans)):
        return None
    return Span(spans[0].first, max(span.end for span in spans))


def _settled(mentions: Sequence[Mention]) -> list[Span]:
    """Their days, with open years taken from a neighbour: "from November 2022 to February"."""
    spans = [mention.span for mention in mentions]
    sure = [at for at, mention in enumerate(mentions) if mention.of_year is None]
    anchor = sure[-1] if sure else len(mentions) - 1
    for at in range(anchor - 1, -1, -1):
        of_year = mentions[at].of_year
        spans[at] = latest(of_year, spans[at + 1].first) if of_year else spans[at]
    for at in range(anchor + 1, len(mentions)):
        of_year = mentions[at].of_year
        spans[at] = following(of_year, spans[at - 1].first) if of_year else spans[at]
    return spans


def _placed(text: str, chain: _Chain, span: Span, begin: int, end: int) -> Days:
    """The days that are meant, by what is said around those that are named."""
    side = chain.around.side
    if len(chain.mentions) == 1:
        moved = at_a_distance(text, chain.start, span)
        if moved:
            return bounds_of(moved, None)
        if side is Side.FROM and text[: chain.start].endswith(("从", "從")):
            side = Side.SINCE
    if side in (Side.SINCE, Side.UNTIL) and _is_range(text, chain):
        return bounds_of(span, None)
    if side in (Side.IN, Side.OF, Side.FROM, None):
        side = event_before(text, begin, chain.start) or event_after(text, chain.stop, end)
    return bounds_of(span, side)


def _is_range(text: str, chain: _Chain) -> bool:
    """Whether both ends are named: 从5月8日到10日, 5月から6月まで."""
    named = text[chain.start : chain.stop]
    return "to" in chain.joined or any(word in named for word in ("到", "至", "から", "~", "〜"))


def _agreed(bounds: Sequence[Days | None]) -> Days | None:
    """What all of them hold; None: there is nothing, or they contradict each other."""
    if not bounds or None in bounds:
        return None
    return reduce(_both, bounds[1:], bounds[0])


def _both(left: Days | None, right: Days | None) -> Days | None:
    if left is None or right is None:
        return None
    both = Days(
        max((d for d in (left.first, right.first) if d), default=None),
        min((d for d in (left.end, right.end) if d), default=None),
    )
    if both.first and both.end and both.first >= both.end:
        return None
    is_open = None in (left.first, left.end, right.first, right.end)
    return both if is_open or both in (left, right) else None
