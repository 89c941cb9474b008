"""Random lives of a memory, with sudden ends, against a plain model of what must be true."""

import itertools
import math
import os
import random
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import hypothesis
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.errors import StopTest
from hypothesis.stateful import (
    RuleBasedStateMachine,
    get_state_machine_test,
    initialize,
    invariant,
    precondition,
    rule,
)

from memory_core.mid_term import HeatWeights, heat
from memory_core.store.segments import live_segments
from memory_core.text import clean
from tests.subject import Subject, hosted
from tests.test_kill import UNDONE
from tests.whole import faults_of, rows

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL and fork")

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
WINDOW, TOPICS, FACTS, BATCH = 3, 4, 3, 4
WEIGHTS = HeatWeights(alpha=0.75, beta=0.5, gamma=2.0, mu=86_400.0)
HOT = 3.25
PATIENCE_SECONDS = 20.0
LIMITS: dict[str, Any] = {
    "short_term_capacity": WINDOW,
    "mid_term_capacity": TOPICS,
    "long_term_knowledge_capacity": FACTS,
    "consolidation_batch_size": BATCH,
    "consolidation_idle_seconds": 0,
    "mid_term_heat_threshold": HOT,
    "heat_alpha": WEIGHTS.alpha,
    "heat_beta": WEIGHTS.beta,
    "heat_gamma": WEIGHTS.gamma,
    "heat_time_constant_seconds": WEIGHTS.mu,
}
USERS = ("ana", "语", "it's; DROP TABLE page --")
SAID = (
    "I live in Lisbon.",
    "I live in Porto now.",
    "I like green tea.",
    "I like tea and trains, and the sea.",
    "My dog is called Toby.",
    "I work as a nurse.",
    "I am allergic to peanuts.",
    "我住在里斯本。",
    "我喜欢爬山，周末常常去。",
    "私は東京に住んでいます。",
    "Which train goes to Porto?",
    "What is a good book about trains?",
    # Odd ones.
    "",
    " ",
    "\ud83d half of a pair",
    "null \0 and bell \a and \x1b[31mred",
    '" OR NEAR(tea) * AND -',
    "👩‍👩‍👧‍👦 🌵 e\u0301 \u202eright to left",
    "long " * 3_000,
)
QUESTIONS = tuple(said for said in SAID if said.strip())
# A word that is in no other turn, alone and among others.
ANSWERS = ("{}", "Hello {}!", "({})。", "茶 {} 茶", "**{}**\n")
STATEMENTS = st.integers(1, 120)
SECONDS = st.sampled_from((1, 3_600, 86_400, 40 * 86_400, -3_600))
AGES = st.sampled_from((0, 0, 60, 86_400, 400 * 86_400, -86_400))


@dataclass(slots=True)
class Turn:
    """What was given to an add. id None: its reply did not come."""

    user: str
    user_input: str
    agent_response: str
    at: datetime
    word: str
    id: str | None


class MemoryLife(RuleBasedStateMachine):
    """One store, and what must be in it."""

    def __init__(self, subject: Subject) -> None:
        super().__init__()
        self.subject = subject
        self.directory = Path(tempfile.mkdtemp(prefix="memstrata-life-"))
        self.database = self.directory / "memory.db"
        self.now = START
        self.moments = {START}
        self.turns: list[Turn] = []
        self.words = (f"word{number}" for number in itertools.count())
        self.recalls = 0
        self.alive = self.model = False

    def teardown(self) -> None:
        # What ran in the background may not come again when Hypothesis tries to repeat it.
        if (failure := sys.exception()) and not isinstance(failure, StopTest):
            failure.add_note("\n".join(self.subject.story))
        self.subject.story.clear()
        self.subject.do("kill")
        shutil.rmtree(self.directory)

    @initialize(model=st.booleans())
    def begin(self, model: bool) -> None:
        self.model = model
        self.start()

    @precondition(lambda self: not self.alive)
    @rule()
    def start(self) -> None:
        # Whoever is started again so late has not to wait for the leases of the dead.
        self.pass_time(60)
        self.subject.start(self.directory, self.now, model=self.model, **LIMITS)
        self.alive = True

    @precondition(lambda self: self.alive)
    @rule()
    def kill(self) -> None:
        self.subject.do("kill")
        self.alive = False

    @precondition(lambda self: self.alive)
    @rule()
    def stop(self) -> None:
        assert self.subject.do("stop") == {}
        self.kill()

    @precondition(lambda self: self.alive)
    @rule(seconds=SECONDS)
    def let_time_pass(self, seconds: int) -> None:
        self.subject.do("advance", seconds=seconds)
        self.pass_time(seconds)

    def pass_time(self, seconds: int) -> None:
        self.now += timedelta(seconds=seconds)
        self.moments.add(self.now)

    @precondition(lambda self: self.alive)
    @rule(
        user=st.sampled_from(USERS),
        said=st.lists(st.sampled_from(SAID), min_size=1, max_size=6),
        answer=st.sampled_from(ANSWERS),
        age=AGES,
    )
    def add(self, user: str, said: list[str], answer: str, age: int) -> None:
        for text in said:
            self.add_turn(user, text, answer, age, fatal=0)

    @precondition(lambda self: self.alive)
    @rule(user=st.sampled_from(USERS), said=st.sampled_from(SAID), statement=st.integers(1, 30))
    def add_and_die(self, user: str, said: str, statement: int) -> None:
        self.add_turn(user, said, "{}", 0, fatal=statement)
        self.kill()

    def add_turn(self, user: str, said: str, answer: str, age: int, fatal: int) -> None:
        word = next(self.words)
        turn = Turn(
            user=user,
            user_input=said,
            agent_response=answer.format(word),
            at=self.now - timedelta(seconds=age),
            word=word,
            id=None,
        )
        self.turns.append(turn)
        reply = self.subject.do(
            "add",
            user=user,
            user_input=said,
            agent_response=turn.agent_response,
            at=turn.at.isoformat(),
            meta_data={"word": word},
            fatal=fatal,
        )
        turn.id = reply.get("id")
        assert fatal or turn.id

    @precondition(lambda self: self.alive)
    @rule()
    def consolidate(self) -> None:
        assert self.subject.do("consolidate") == {}
        self.check_consolidated()

    @precondition(lambda self: self.alive)
    @rule(statement=STATEMENTS)
    def consolidate_and_die(self, statement: int) -> None:
        self.subject.do("consolidate", fatal=statement)
        self.kill()

    @precondition(lambda self: self.alive)
    @rule(which=st.integers(0, 10_000))
    def find_a_turn(self, which: int) -> None:
        # Not drawn from the turns: which of them came through is not the same each time.
        known = [turn for turn in self.turns if turn.id]
        if not known:
            return
        turn = known[which % len(known)]
        for user in USERS:
            # All that is found of others by the odd words beside it does not count.
            reply = self.recall(turn.word, user, most=1_000)
            hits = [
                (hit["id"], hit["agent_response"]) for hit in (*reply["window"], *reply["pages"])
            ]
            assert len(hits) == len(set(hits))
            expected = [(turn.id, turn.agent_response)] if user == turn.user else []
            assert [hit for hit in hits if hit[0] == turn.id] == expected

    @precondition(lambda self: self.alive)
    @rule(
        user=st.sampled_from(USERS), query=st.sampled_from([said for said in SAID if said.split()])
    )
    def ask(self, user: str, query: str) -> None:
        reply = self.recall(query, user, most=3)
        assert len(reply["pages"]) <= 3
        expected = self.stored_ids(user)[-WINDOW:]
        assert [hit["id"] for hit in reply["window"]] == expected

    @precondition(lambda self: self.alive)
    @rule(query=st.sampled_from(("train", "tea", "word", "茶")), statement=STATEMENTS)
    def ask_and_die(self, query: str, statement: int) -> None:
        self.recalls += 1
        self.subject.do("retrieve", user=USERS[0], query=query, most=3, fatal=statement)
        self.kill()

    def recall(self, query: str, user: str, most: int) -> dict[str, Any]:
        self.recalls += 1
        reply = self.subject.do("retrieve", user=user, query=query, most=most)
        check_notes(reply)
        return reply

    @precondition(lambda self: self.alive)
    @rule(user=st.sampled_from(USERS))
    def read_profile(self, user: str) -> None:
        reply = self.subject.do("profile", user=user)
        check_notes(reply)
        assert max(reply["user_facts"], reply["assistant_facts"]) <= FACTS
        assert 0 <= reply["pending"] <= max(0, len(self.stored_ids(user)) - WINDOW)

    def stored_ids(self, user: str) -> list[str]:
        """Ids of a user's pages in order of arrival."""
        return [id for id, *_, owner in self.stored() if owner == user]

    def stored(self) -> list[tuple[Any, ...]]:
        return rows(
            self.database,
            """SELECT id, user_input, agent_response, at, meta_data ->> 'word', user_id
            FROM page JOIN memory USING (key) JOIN scope ON scope.key = page.scope
            ORDER BY page.key""",
        )

    @invariant()
    def every_turn_is_there_once_and_whole(self) -> None:
        if not self.database.exists():
            return
        given = {turn.word: turn for turn in self.turns}
        seen = set()
        for id, user_input, agent_response, at, word, user in self.stored():
            turn = given[word]
            assert word not in seen
            seen.add(word)
            assert turn.id in (None, id)
            assert (user, agent_response) == (turn.user, clean(turn.agent_response))
            assert user_input == clean(turn.user_input)
            assert datetime.fromisoformat(at) == turn.at
            turn.id = id
        assert {turn.word for turn in self.turns if turn.id} <= seen
        if not self.alive:
            # What did not come through until now will never do.
            self.turns = [turn for turn in self.turns if turn.id]

    @invariant()
    def nothing_is_half_done(self) -> None:
        if self.database.exists():
            assert rows(self.database, "PRAGMA quick_check") == [("ok",)]
            assert faults_of(self.database) == []

    @invariant()
    def the_tiers_hold_no_more_than_they_may(self) -> None:
        if not self.database.exists():
            return
        robbed = f"""
            SELECT key FROM (
                SELECT key, segment, row_number() OVER (PARTITION BY scope ORDER BY key DESC) AS age
                FROM page
            ) WHERE age <= {WINDOW} AND segment IS NOT NULL"""
        assert rows(self.database, robbed) == [], "the window was robbed"
        # Between the placing of a batch and the retirement of the coldest there may be more.
        assert self.most("segment WHERE retired_at IS NULL GROUP BY scope") <= TOPICS + BATCH
        assert self.most("current_fact GROUP BY scope, about") <= FACTS

    def most(self, of: str) -> int:
        counts = rows(self.database, f"SELECT count(*) FROM {of}")
        return max([int(count) for (count,) in counts], default=0)

    @invariant()
    def heat_is_the_formula(self) -> None:
        if not self.database.exists():
            return
        # One snapshot: the background works on meanwhile.
        connection = apsw.Connection(str(self.database), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            with connection:
                scopes = [key for (key,) in connection.execute("SELECT key FROM scope")]
                found = {segment.key: segment for segment in live_segments(connection, scopes)}
                counted = list(connection.execute(HEAT_SQL))
        finally:
            connection.close()
        assert [key for key, *_ in counted] == sorted(found)
        for key, visits, undigested, pages, last, newest in counted:
            moment = datetime.fromisoformat(last)
            segment = found[key]
            assert segment.pages == pages > 0
            assert segment.undigested == undigested
            assert visits <= self.recalls
            assert moment >= datetime.fromisoformat(newest)
            assert moment in self.moments | {turn.at for turn in self.turns}
            for now in (self.now, self.now + timedelta(days=3)):
                assert math.isclose(
                    heat(segment, now, WEIGHTS), heat_of(visits, undigested, moment, now)
                )

    def check_consolidated(self) -> None:
        """What must hold when `consolidate` has returned."""
        assert self.most("page WHERE segment IS NULL GROUP BY scope") <= WINDOW
        assert self.most("segment WHERE retired_at IS NULL GROUP BY scope") <= TOPICS
        assert rows(self.database, UNDONE["a memory without a vector"]) == []
        # A recall before may be noted only now; what it makes hot is digested in the background.
        deadline = time.monotonic() + PATIENCE_SECONDS
        while hot := self.hot_segments():
            assert time.monotonic() < deadline, f"{hot} are hot, and not digested"
            time.sleep(0.01)
        assert rows(self.database, "SELECT * FROM job WHERE holder NOT NULL") == []

    def hot_segments(self) -> list[int]:
        """Those that have something to digest, and are hot enough."""
        return [
            key
            for key, visits, undigested, _, last, _ in rows(self.database, HEAT_SQL)
            if undigested
            and heat_of(visits, undigested, datetime.fromisoformat(last), self.now) >= HOT
        ]


def check_notes(reply: dict[str, Any]) -> None:
    """Just after a start the embedding model may be loading still; nothing else is wrong."""
    others = [note for note in reply["notes"] if "embedding model" not in note]
    assert not others, others


HEAT_SQL = """
    SELECT segment.key, visits, count(*) FILTER (WHERE digested_by IS NULL), count(*),
        last_visit_at, max(memory.at)
    FROM segment JOIN page ON page.segment = segment.key JOIN memory ON memory.key = page.key
    WHERE retired_at IS NULL GROUP BY segment.key ORDER BY segment.key
"""


def heat_of(visits: int, undigested: int, last: datetime, now: datetime) -> float:
    """The paper's formula, from the columns."""
    recency = math.exp(-max(0.0, (now - last) / timedelta(seconds=WEIGHTS.mu)))
    return WEIGHTS.alpha * visits + WEIGHTS.beta * undigested + WEIGHTS.gamma * recency


def run_lives(count: int, steps: int, seed: int) -> None:
    """So many random lives of so many steps. The seed decides on the steps, not on their timing."""
    with hosted() as subject:
        lives = get_state_machine_test(
            lambda: MemoryLife(subject),  # type: ignore[arg-type]
            settings=settings(
                max_examples=count,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
        try:
            hypothesis.seed(seed)(lives)()
        except BaseException as failure:
            failure.add_note(f"seed {seed}")
            raise


def test_a_memory_lives_as_its_model_says() -> None:
    run_lives(15, 25, random.SystemRandom().randrange(2**32))
