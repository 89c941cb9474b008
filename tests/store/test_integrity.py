"""The check of a file: sound ones pass, also while they are written; each fault has a sentence."""

from pathlib import Path

import apsw
import pytest

from memory_core.store.integrity import FAULTS, damage_in, faults_in
from memory_core.store.rows import select
from tests.store.damaged import fill, spoil
from tests.store.filled import add_page, day, place, state

HARM = {
    "a page without words": "DELETE FROM words WHERE rowid = 1",
    "a page of a topic of another scope": """
        INSERT INTO scope VALUES (9, 'c', 'u', 'a'); UPDATE segment SET scope = 9""",
    "a digested page that is still short-term": """
        UPDATE page SET digested_by = 'x' WHERE segment IS NULL""",
    "a topic without pages": "UPDATE page SET segment = NULL, digested_by = NULL",
    "a memory that is nothing": """
        INSERT INTO memory VALUES (99, 'page_x', 'page', 1, '', '')""",
    "a fact without words": "DELETE FROM words WHERE rowid IN (SELECT key FROM fact)",
    "a fact that stands twice": "UPDATE fact SET normal = 'same', superseded_by = NULL",
    "two values of what can have one only": """
        UPDATE fact SET attribute = 'home', superseded_by = NULL""",
    "a fact without a source": "DELETE FROM fact_source",
    "a fact from a page that is not digested": "UPDATE page SET digested_by = NULL",
    "a gap in the versions of a profile": """
        INSERT INTO profile VALUES (1, 'profile_x', 1, 2, '[]', '', 'x')""",
    "a row whose owner is gone": "UPDATE memory SET scope = 77",
}


def add_all(connection: apsw.Connection) -> None:
    """One topic of two pages, digested into two facts, and a page in the window."""
    first, second = (add_page(connection, text, at=day(0)) for text in ("tea", "trains"))
    add_page(connection, "in the window")
    place(connection, first, second)
    connection.execute("UPDATE page SET digested_by = 'x' WHERE segment NOTNULL")
    state(connection, "Likes tea.", source_keys=(first,))
    state(connection, "Likes trains.", source_keys=(second,))


def test_what_transactions_leave_is_sound(connection: apsw.Connection) -> None:
    assert faults_in(connection) == ()
    add_all(connection)
    assert faults_in(connection) == ()


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "a vector twice"])
def test_each_fault_is_found_and_said(connection: apsw.Connection, fault: str) -> None:
    add_all(connection)
    connection.pragma("foreign_keys", "OFF")
    connection.execute(HARM[fault])
    assert fault in " ".join(faults_in(connection))


def test_a_sentence_names_some_rows_and_counts_all(connection: apsw.Connection) -> None:
    for _ in range(8):
        add_page(connection)
    connection.execute("DELETE FROM words")
    assert faults_in(connection) == ("8 times a page without words: 1, 2, 3, 4, 5, ....",)


def test_the_index_of_words_is_checked_too(connection: apsw.Connection) -> None:
    add_all(connection)
    connection.execute("UPDATE words_data SET block = x'0102' WHERE id > 10")
    (sentence,) = faults_in(connection)
    assert "damaged" in sentence and "words" in sentence


def test_damage_is_a_fault_and_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path, 30)
    assert faults_in(path) == ()
    spoil(path, 20, None)
    (sentence,) = faults_in(path)
    assert sentence.startswith("The file is damaged")
    path.write_text("a text, and no database" * 50)
    assert faults_in(path) == ("The file is damaged: NotADBError.",)


def test_a_check_sees_one_moment_of_a_file_in_use(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path, 30)
    reader, writer = (apsw.Connection(str(path)) for _ in range(2))
    reader.execute("BEGIN")
    assert select(reader, "SELECT count(*) FROM page") == [(30,)]
    writer.execute("DELETE FROM words")
    assert faults_in(reader) == () and damage_in(reader) == ()
    reader.execute("COMMIT")
    assert faults_in(reader) != ()
    reader.close()
    writer.close()
