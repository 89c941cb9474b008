"""Profiles: every version is kept, and the last one written counts."""

import apsw

from memory_core.records import ProfileLine
from memory_core.store import profiles
from tests.store.filled import NOW, day


def line(text: str) -> ProfileLine:
    return ProfileLine(
        section="identity", text=text, at=NOW, confidence=0.7, source_ids=("page_1", "page_2")
    )


def test_profiles_have_versions_and_the_same_lines_make_no_new_one(
    connection: apsw.Connection,
) -> None:
    told = [(line("住在里斯本。"),), (line("住在里斯本。"),), (line("a"), line("b")), ()]
    versions = [profiles.add_profile(connection, 1, lines, "model", NOW) for lines in told]
    latest = profiles.latest_profile(connection, (1,))
    assert versions == [1, 1, 2, 3]
    assert latest is not None
    assert (latest.version, latest.lines, latest.made_by) == (3, (), "model")
    assert connection.execute("SELECT count(*) FROM profile").fetchone() == (3,)
    assert profiles.latest_profile(connection, ()) is None


def test_the_last_written_profile_counts_even_when_the_clock_was_set_back(
    connection: apsw.Connection,
) -> None:
    profiles.add_profile(connection, 1, [line("old")], "model", day(1))
    profiles.add_profile(connection, 1, [line("new")], "model", day(-1))
    assert profiles.add_profile(connection, 1, [line("newest")], "model", day(-1)) == 3
    latest = profiles.latest_profile(connection, (1,))
    assert latest is not None
    assert [own.text for own in latest.lines] == ["newest"]
    assert latest.lines[0].source_ids == ("page_1", "page_2")
