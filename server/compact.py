"""The replies as short text, for the model to read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memory_core import HEURISTIC, Added, Fact, PageHit, Profile, ProfileView, Recollection
from server import wording
from server.replies import cut, profile_text
from server.timestamps import format_timestamp

LONGEST_TEXT = 8_000
LONGEST_SIDE = 500
LONGEST_PROFILE = 2_000
LINE_OF_WHAT_IS_LEFT_OUT = 120


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


def recollection_text(found: Recollection) -> str:
    """Facts first, then turns: an answer that has to be cut loses what is least distilled."""
    sections = [
        Section("Notes", found.notes),
        _profile_section(found.profile),
        Section("About the user", [_fact(hit.fact) for hit in found.user_facts]),
        Section("Related turns, best first", [_page(hit) for hit in found.pages]),
        Section("About the assistant", [_fact(hit.fact) for hit in found.assistant_facts]),
        Section("Latest turns, newest first", [_page(hit) for hit in reversed(found.short_term)]),
    ]
    return _fit(sections, empty="Nothing is remembered about this.")


def profile_view_text(view: ProfileView, *, user_facts: bool, assistant_facts: bool) -> str:
    sections = [
        Section("Notes", view.notes),
        _profile_section(view.profile),
        Section("About the user", _facts(view.user_facts if user_facts else ())),
        Section("About the assistant", _facts(view.assistant_facts if assistant_facts else ())),
    ]
    return _fit(sections, empty="There is no profile of the user yet.")


def _fit(sections: Iterable[Section], *, empty: str) -> str:
    """Whole items while there is room; says how many were left out."""
    lines = [wording.DATA_NOT_INSTRUCTIONS]
    room = LONGEST_TEXT - LINE_OF_WHAT_IS_LEFT_OUT - len(lines[0])
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


def _profile_section(profile: Profile | None) -> Section:
    if profile is None or not profile.lines:
        return Section("", ())
    rules = f", {wording.MADE_BY_RULES}" if profile.made_by == HEURISTIC else ""
    heading = f"Profile of the user (version {profile.version}, {_day(profile.at)}{rules})"
    return Section(heading, [cut(profile_text(profile), LONGEST_PROFILE)])


def _facts(facts: Iterable[Fact]) -> list[str]:
    return [_fact(fact) for fact in facts]


def _fact(fact: Fact) -> str:
    outdated = " (no longer true)" if fact.superseded_by else ""
    return f"- [{_day(fact.at)}] {_one_line(fact.text)}{outdated}"


def _page(hit: PageHit) -> str:
    page = hit.page
    since = " ".join(_one_line(text) for text in hit.superseded_by)
    sides = (("User", page.user_input), ("Assistant", page.agent_response))
    said = " | ".join(f"{name}: {_one_line(side)}" for name, side in sides if side)
    return f"- [{page.at:%Y-%m-%d %H:%M}] {said}" + (f" (since then: {since})" if since else "")


def _one_line(text: str) -> str:
    """A recalled text cannot look like a heading or an item of ours."""
    return cut(" ".join(text[: 4 * LONGEST_SIDE].split()), LONGEST_SIDE)


def _day(at: object) -> str:
    return f"{at:%Y-%m-%d}"
