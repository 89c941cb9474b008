"""What of a recollection goes into a reply of so many tokens. The policy, in one place:

1. Always there, even beyond the budget: notes, the user's standing instructions, the best hit
   that is no guess, and the newest turn.
2. The rest of the profile takes a fifth of the budget at most; lines with words of the question
   come first.
3. Then what was found: the best page, the best fact, the next page, and so on. The best page is the
   one that is likeliest to help for each token it takes, so that of two that fit alike the
   shorter comes first. Pages of the window take part, and facts about both sides are one row.
4. What is left goes to the rest of the window, newest first.
5. A long page is shown as an excerpt, of a twelfth of the budget at most. When all is placed and
   there is room, the best ones are shown at more length.

An item is shown whole or not at all: what does not fit is named by its id, and a smaller one may
take its place.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import zip_longest
from typing import TypeVar, cast

from memory_core.excerpts import Wanted, excerpt, matching, wanted
from memory_core.prompts.profile import STANDING
from memory_core.ranking import sum_of
from memory_core.records import FactHit, PageHit, Profile, ProfileLine, Recollection
from memory_core.tokens import estimate_tokens

READ_TOKENS = 10_000
"""What is given of items that are asked for by id. Clients cut replies from 25,000 tokens on."""

SHORTEST_EXCERPT = 60
EXCERPTS_IN_BUDGET = 12
LONGER = 4
"""How much longer an excerpt becomes where there is room."""

# What a reply adds to the texts of its items: dates, names of sides, ids, headings.
PAGE_TOKENS = 15
SIDE_TOKENS = (2, 5)
CUT_TOKENS = 21
GUESS_TOKENS = 4
SINCE_TOKENS = 6
FACT_TOKENS = 20
LINE_TOKENS = 4
FIRST_LINE_TOKENS = 12
HEADING_TOKENS = 10
TIMED_HEADING_TOKENS = 20  # with the name of a zone
PROFILE_TOKENS = 48
IDS_TOKENS = 65

Hit = PageHit | FactHit
Shown = TypeVar("Shown", PageHit, FactHit)


def fit(found: Recollection, max_tokens: int) -> Recollection:
    """The same with what helps most, in at most `max_tokens`, as `estimate_tokens` counts."""
    terms = wanted(found.query)
    found = _with_excerpts(found, terms, excerpt_tokens(max_tokens))
    costs = {id_of(hit): cost_of(hit) for hit in _all_hits(found)}
    order = list(_by_use(found, costs))
    best = _best(found)
    newest = found.short_term[-1:]
    sure = [hit for hit in order if hit is best or hit in newest]
    standing = _standing_lines(found.profile)
    room = max_tokens - _frame_cost(found)
    room -= lines_cost(standing) + sum(costs[id_of(hit)] for hit in sure)
    lines = _with_other_lines(found.profile, standing, terms, min(max_tokens // 5, room))
    room -= lines_cost(lines) - lines_cost(standing)
    kept = _filled(order, sure, costs, room)
    if len(kept) < len(order):
        room -= IDS_TOKENS
        kept = _filled(order, sure, costs, room)
    room -= sum(costs[id_of(hit)] for hit in kept if hit not in sure)
    # From here on it is their own worth that counts, whatever they cost.
    kept.sort(key=_worst)
    kept = _lengthened(kept, terms, room, LONGER * excerpt_tokens(max_tokens))
    return _with_lines(_with_hits(found, sorted(order, key=_worst), kept), lines)


def fit_whole(found: Recollection, max_tokens: int) -> Recollection:
    """Items that were asked for by id: whole, as many as there is room for.

    When the first page alone is too long, an excerpt of that length stands for it.
    """
    terms = wanted(found.query)
    room = max_tokens - _frame_cost(found) - IDS_TOKENS
    order: list[Hit] = [*found.user_facts, *found.assistant_facts, *found.pages]
    kept: list[Hit] = []
    for hit in order:
        if isinstance(hit, PageHit) and hit is found.pages[0]:
            hit = _cut(
                found.pages[0],
                terms,
                max(SHORTEST_EXCERPT, room - PAGE_TOKENS - CUT_TOKENS - sum(SIDE_TOKENS)),
            )
        if cost_of(hit) <= room or not kept:
            kept.append(hit)
            room -= cost_of(hit)
    return _with_hits(found, order, kept)


def excerpt_tokens(max_tokens: int) -> int:
    """Tokens that one page may take in a reply at first."""
    return max(SHORTEST_EXCERPT, max_tokens // EXCERPTS_IN_BUDGET)


def cost_of(hit: Hit) -> int:
    """Tokens of an item in a reply, with its date and whatever else stands around it."""
    if isinstance(hit, FactHit):
        return FACT_TOKENS + estimate_tokens(hit.fact.text)
    names = sum(cost for cost, side in zip(SIDE_TOKENS, hit.sides, strict=True) if side)
    said = names + sum(map(estimate_tokens, hit.sides))
    since = sum(SINCE_TOKENS + estimate_tokens(text) for text in hit.superseded_by)
    marks = (CUT_TOKENS if hit.shown else 0) + (GUESS_TOKENS if hit.guess else 0)
    return PAGE_TOKENS + said + since + marks


def lines_cost(lines: Iterable[ProfileLine]) -> int:
    """Tokens of lines of the profile with the headings of their sections."""
    lines = list(lines)
    texts = [*(line.text for line in lines), *{line.section for line in lines}]
    return sum(map(_line_cost, texts))


def _frame_cost(found: Recollection) -> int:
    """Tokens of headings and notes."""
    lists = (found.notes, found.user_facts, found.assistant_facts)
    headings = FIRST_LINE_TOKENS + sum(HEADING_TOKENS for each in lists if each)
    headings += sum(TIMED_HEADING_TOKENS for each in (found.short_term, found.pages) if each)
    notes = sum(1 + estimate_tokens(note) for note in found.notes)
    return headings + notes + (PROFILE_TOKENS if found.profile else 0)


def _line_cost(text: str) -> int:
    return LINE_TOKENS + estimate_tokens(text)


def id_of(hit: Hit) -> str:
    return hit.page.id if isinstance(hit, PageHit) else hit.fact.id


def _with_excerpts(found: Recollection, terms: Wanted, limit: int) -> Recollection:
    return replace(
        found,
        short_term=tuple(_cut(hit, terms, limit) for hit in found.short_term),
        pages=tuple(_cut(hit, terms, limit) for hit in found.pages),
    )


def _cut(hit: PageHit, terms: Wanted, limit: int) -> PageHit:
    return replace(hit, shown=excerpt(hit.page, terms, limit))


def worth(score: float, cost: float) -> float:
    """What something with this score does for a budget: the log of its likelihood per unit of cost.

    Filling a knapsack by value per weight is the greedy way of Dantzig (1957).
    """
    return sum_of(score) - math.log(cost)


def _all_hits(found: Recollection) -> list[Hit]:
    return [*found.short_term, *found.pages, *found.user_facts, *found.assistant_facts]


def _by_use(found: Recollection, costs: Mapping[str, int]) -> Iterator[Hit]:
    """Everything that was found, the most useful first."""
    related = (hit for hit in found.short_term if hit.score > 0)
    pages = sorted((*found.pages, *related), key=lambda hit: -worth(hit.score, costs[id_of(hit)]))
    facts = merge(found.user_facts, found.assistant_facts, key=_worst)
    for pair in zip_longest(pages, facts):
        yield from (hit for hit in pair if hit is not None)
    yield from (hit for hit in reversed(found.short_term) if hit.score <= 0)


def _best(found: Recollection) -> Hit | None:
    """The hit with the highest score, of pages if there are any, and no guess if there is one."""
    pages: list[Hit] = [*found.pages, *reversed(found.short_term)]
    facts: list[Hit] = [*found.user_facts, *found.assistant_facts]
    for hits in ([hit for hit in pages if not _is_guess(hit)], facts, pages):
        if hits:
            return max(hits, key=lambda hit: hit.score)
    return None


def _is_guess(hit: Hit) -> bool:
    return isinstance(hit, PageHit) and (hit.guess or hit.score <= 0)


def _worst(hit: Hit) -> float:
    return -hit.score


def _filled(
    order: Sequence[Hit], sure: Sequence[Hit], costs: Mapping[str, int], room: int
) -> list[Hit]:
    kept: list[Hit] = []
    for hit in order:
        if hit not in sure:
            if costs[id_of(hit)] > room:
                continue
            room -= costs[id_of(hit)]
        kept.append(hit)
    return kept


def _lengthened(kept: Sequence[Hit], terms: Wanted, room: int, most: int) -> list[Hit]:
    """Show more of the pages that fit the query, the best first, as long as there is room."""
    longer: list[Hit] = []
    for hit in kept:
        if isinstance(hit, PageHit) and hit.shown and hit.score > 0 and room > 0:
            before = cost_of(hit)
            said = sum(map(estimate_tokens, hit.sides))
            hit = _cut(hit, terms, min(most, said + room))
            room -= cost_of(hit) - before
        longer.append(hit)
    return longer


def _standing_lines(profile: Profile | None) -> list[ProfileLine]:
    return [line for line in profile.lines if line.section == STANDING] if profile else []


def _with_other_lines(
    profile: Profile | None, standing: Sequence[ProfileLine], terms: Wanted, room: int
) -> list[ProfileLine]:
    kept = list(standing)
    others = [line for line in profile.lines if line not in standing] if profile else []
    others.sort(key=lambda line: not matching(line.text, terms))
    sections = {line.section for line in kept}
    for line in others:
        cost = _line_cost(line.text)
        cost += 0 if line.section in sections else _line_cost(line.section)
        if cost <= room:
            kept.append(line)
            sections.add(line.section)
            room -= cost
    return kept


def _with_hits(found: Recollection, order: Sequence[Hit], kept: Sequence[Hit]) -> Recollection:
    """Only what is kept, in the order of each list, and the ids of the rest, best first."""
    shown = {id_of(hit): hit for hit in kept}

    def of(hits: Sequence[Shown]) -> tuple[Shown, ...]:
        return tuple(cast(Shown, shown[id_of(hit)]) for hit in hits if id_of(hit) in shown)

    return replace(
        found,
        short_term=of(found.short_term),
        pages=of(found.pages),
        user_facts=of(found.user_facts),
        assistant_facts=of(found.assistant_facts),
        left_out=tuple(id_of(hit) for hit in order if id_of(hit) not in shown),
    )


def _with_lines(found: Recollection, kept: Sequence[ProfileLine]) -> Recollection:
    if found.profile is None:
        return found
    lines = tuple(line for line in found.profile.lines if line in kept)
    left_out = len(found.profile.lines) - len(lines)
    return replace(
        found, profile=replace(found.profile, lines=lines), profile_lines_left_out=left_out
    )
