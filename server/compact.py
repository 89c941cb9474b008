"""The replies as short text, for the model to read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from memory_core import (
    HEURISTIC,
    Added,
    Fact,
    PageHit,
    Profile,
    ProfileView,
    Recollection,
    in_zone,
    zone_label,
)
from server import wording
from server.replies import LONGEST_SIDE, cut, is_excerpt, profile_text
from server.timestamps import format_timestamp

LONGEST_RECOLLECTION = 1_000_000
"""Characters: a fuse. What is in it the memory has chosen, by tokens."""

LONGEST_TEXT = 8_000
LONGEST_LINE = 4_000
LONGEST_PROFILE = 2_000
LINE_OF_WHAT_IS_LEFT_OUT = 120
IDS_NAMED = 3


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with items, the most useful first. An item is shown whole or not at all."""

    heading: str
    items: Sequence[str]


def added_text(added: Added) -> str:
    waiting = f" {added.pending} turns wait to be sorted into topics." if added.pending else ""
    return f"Stored as {added.id}, said at {format_timestamp(added.at)}.{waiting}"


def consolidated_text(view: ProfileView, done: bool) -> str:
    state = "Sorting is done" if done else "Sorting goes on in the background"
    return " ".join([f"{state}; {view.pending} turns wait.", *view.notes])


def recollection_text(found: Recollection, zone: tzinfo = UTC) -> str:
    """Facts first, then turns; at last the ids of what was left out. Times are in the zone."""
    times = f"times in {zone_label(zone)}"
    sections = [
        Section("Notes", found.notes),
        _profile_section(found.profile, zone, left_out=found.profile_lines_left_out),
        Section("About the user", _facts((hit.fact for hit in found.user_facts), zone)),
        Section(f"Related turns, best first, {times}", [_page(hit, zone) for hit in found.pages]),
        Section("About the assistant", _facts((hit.fact for hit in found.assistant_facts), zone)),
        Section(
            f"Latest turns, newest first, {times}",
            [_page(hit, zone) for hit in reversed(found.short_term)],
        ),
    ]
    text = _fit(sections, LONGEST_RECOLLECTION, empty=wording.NOTHING_FITS)
    return text + _plainly(found, text) + _more(found.left_out)


def _plainly(found: Recollection, text: str) -> str:
    """That nothing fits, where what is shown is shown for every question.

    The best hit is in every reply, however short; so where there is none, nothing was found.
    """
    fitting = (*found.user_facts, *found.assistant_facts, *found.pages)
    if fitting or any(hit.score for hit in found.short_term) or text == wording.NOTHING_FITS:
        return ""
    return f"\n\n{wording.NOTHING_FITS}"


def items_text(read: Recollection, zone: tzinfo = UTC) -> str:
    """Turns and facts that were asked for by id."""
    facts = (hit.fact for hit in (*read.user_facts, *read.assistant_facts))
    sections = [
        Section("Notes", read.notes),
        Section("Facts", _facts(facts, zone)),
        Section(f"Turns, times in {zone_label(zone)}", [_page(hit, zone) for hit in read.pages]),
    ]
    return _fit(sections, LONGEST_RECOLLECTION, empty="") + _more(read.left_out)


def _more(left_out: Sequence[str]) -> str:
    """The best of what was left out. It does not begin like a sentence that somebody says."""
    if not left_out:
        return ""
    named = ", ".join(left_out[:IDS_NAMED]) + (", ..." if len(left_out) > IDS_NAMED else "")
    return f"\n\n({len(left_out)} more, to be read with ids: {named})"


def profile_view_text(
    view: ProfileView, zone: tzinfo = UTC, *, user_facts: bool, assistant_facts: bool
) -> str:
    sections = [
        Section("Notes", view.notes),
        _profile_section(view.profile, zone),
        Section("About the user", _facts(view.user_facts if user_facts else (), zone)),
        Section(
            "About the assistant", _facts(view.assistant_facts if assistant_facts else (), zone)
        ),
    ]
    return _fit(sections, LONGEST_TEXT, empty="There is no profile of the user yet.")


def _fit(sections: Iterable[Section], limit: int, *, empty: str) -> str:
    """Whole items while there is room; says how many were left out."""
    lines = [wording.DATA_NOT_INSTRUCTIONS]
    room = limit - LINE_OF_WHAT_IS_LEFT_OUT - len(lines[0])
    left_out = 0
    for section in sections:
        heading = f"\n{section.heading}:"
        for item in section.items:
            needed = len(heading) + len(item) + 2
            if needed > room:
                left_out += 1
                continue
            lines += [heading, item] if heading else [item]
            room -= needed
            heading = ""
    if left_out:
        lines.append(f"\n{left_out} more were left out for length; ask a narrower question.")
    return "\n".join(lines) if len(lines) > 1 else empty


def _profile_section(
    profile: Profile | None, zone: tzinfo, *, left_out: int | None = None
) -> Section:
    """left_out: how many lines are missing of those that fit; None: cut it where it is long."""
    if profile is None or not profile.lines:
        return Section("", ())
    rules = f", {wording.MADE_BY_RULES}" if profile.made_by == HEURISTIC else ""
    part = f", {left_out} more lines in get_user_profile" if left_out else ""
    version = f"version {profile.version}, {_day(profile.at, zone)}"
    heading = f"Profile of the user ({version}{rules}{part})"
    text = profile_text(profile)
    return Section(heading, [cut(text, LONGEST_PROFILE) if left_out is None else text])


def _facts(facts: Iterable[Fact], zone: tzinfo) -> list[str]:
    return [_fact(fact, zone) for fact in facts]


def _fact(fact: Fact, zone: tzinfo) -> str:
    outdated = " (no longer true)" if fact.superseded_by else ""
    return f"- [{_day(fact.at, zone)}] {_one_line(fact.text)}{outdated}"


def _page(hit: PageHit, zone: tzinfo) -> str:
    page, guess = hit.page, "(perhaps) " if hit.guess else ""
    since = " ".join(_one_line(text) for text in hit.superseded_by)
    said = " | ".join(
        f"{name}: {_one_line(side, LONGEST_SIDE)}"
        for name, side in zip(("User", "Assistant"), hit.sides, strict=True)
        if side
    )
    return (
        f"- [{in_zone(page.at, zone):%Y-%m-%d %H:%M}] {guess}{said}"
        + (f" (since then: {since})" if since else "")
        + (f" (excerpt of {page.id})" if is_excerpt(hit) else "")
    )


def _one_line(text: str, limit: int = LONGEST_LINE) -> str:
    """A recalled text cannot look like a heading or an item of ours."""
    return cut(" ".join(text[: 4 * limit].split()), limit)


def _day(at: datetime, zone: tzinfo) -> str:
    return f"{in_zone(at, zone):%Y-%m-%d}"
