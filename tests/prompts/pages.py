"""Pages and lines to ask about."""

from datetime import UTC, datetime, timedelta

from memory_core.records import About, Fact, Page, ProfileLine

START = datetime(2024, 5, 1, 9, tzinfo=UTC)


def page(number: int, user: str, assistant: str = "") -> Page:
    """The page of this number: its key is ten times that, its day the number's."""
    return Page(
        key=number * 10,
        id=f"p{number}",
        user_input=user,
        agent_response=assistant,
        at=START + timedelta(days=number - 1),
        meta_data={},
        segment_key=None,
    )


def pages(*said: str) -> list[Page]:
    return [page(number, text) for number, text in enumerate(said, 1)]


def fact(number: int, text: str, about: About = About.USER, superseded: str | None = None) -> Fact:
    return Fact(
        key=number * 100,
        id=f"f{number}",
        about=about,
        text=text,
        at=START,
        recorded_at=START,
        confidence=1.0,
        attribute="",
        section="",
        made_by="stub",
        pinned=False,
        superseded_by=superseded,
        source_ids=(),
    )


def line(text: str, section: str = "identity") -> ProfileLine:
    return ProfileLine(section=section, text=text, at=START, confidence=0.8, source_ids=("p0",))
