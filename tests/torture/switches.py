"""The embedding model is changed again and again, and killed while its vectors are made."""

import random
import shutil
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tests.subject import DIED, Subject
from tests.torture import checks, crew
from tests.torture.crew import Trial, why_of
from tests.torture.workload import Said, turns
from tests.whole import rows

PROCESSES = 1
SWITCHES = 20
DIMENSIONS = (32, 64, 96, 128)
BACK = 0.2  # how often it is a model that was in use before
MOST_KILLS = 3
SAMPLE = 10
FEW = 2  # the switch goes on meanwhile, and is to be interrupted before its end


def switches(trial: Trial) -> str:
    """Twenty switches, each interrupted up to three times."""
    (subject,) = trial.subjects
    chance, data = trial.chance, trial.data
    series = turns("s", chance)
    said = list(islice(series, trial.size))
    models = [f"first/{DIMENSIONS[0]}"]
    crew.start(subject, data, models[0])
    for one in said:
        _add(subject, one)
    subject.do("consolidate")
    checks.close(subject)
    deaths = unfinished = 0
    for number in range(SWITCHES):
        back = chance.random() < BACK
        new = f"model{number}/{chance.choice(DIMENSIONS)}"
        former = [other for other in models if other != models[-1]]
        model = chance.choice(former) if back and former else new
        models.append(model)
        for _ in range(chance.randint(1, MOST_KILLS)):
            deaths += 1
            unfinished += _interrupted(subject, data, model, next(series), said, chance)
            _check_models(data)
        _switched(subject, data, model, said, chance)
    fresh = _same_as_fresh(subject, trial.home, models[-1], said)
    return (
        f"{SWITCHES} switches with {deaths} kills, {unfinished} of them before the end; "
        f"{len(said)} pages found by words at every step, by meaning after each switch; {fresh}"
    )


def _add(subject: Subject, one: Said) -> None:
    assert subject.do("add", **one.as_order()) != DIED


def _interrupted(
    subject: Subject, data: Path, model: str, news: Said, said: list[Said], chance: random.Random
) -> bool:
    """Start with the new model, read, add, and be killed when some of the vectors are made.

    Returns:
        Whether some were still to be made.
    """
    enough = chance.randrange(len(said))
    crew.start(subject, data, model)
    _check_words(subject, chance.sample(said, FEW))
    if enough % 2:
        _add(subject, news)
        said.append(news)
    checks.until(lambda: _made(data, model) >= enough, f"{enough} vectors of {model}")
    subject.do("kill")
    return not _is_ready(data, model)


def _made(data: Path, model: str) -> int:
    """How many pages have a vector of this model."""
    made = f"SELECT count(*) FROM vector WHERE kind = 'page' AND piece = 0 AND model = '{model}'"
    ((count,),) = rows(data / "memory.db", made)
    return int(count)


def _check_words(subject: Subject, some: Sequence[Said]) -> None:
    lost = [one.word for one in some if not _found_by_words(subject, one)]
    assert not lost, f"{len(lost)} of {len(some)} are not found by words, as {lost[0]}"


def _found_by_words(subject: Subject, one: Said) -> bool:
    reply = subject.do("retrieve", query=one.word, user=one.user, most=3)
    return why_of(reply, one).get("words", 0) > 0


def _check_models(data: Path) -> None:
    """Every vector is as long as its model says."""
    mixed = """
        SELECT vector.model, length(data) / 4, dimension FROM vector
        JOIN embedder ON embedder.model = vector.model WHERE length(data) != 4 * dimension
        UNION SELECT model, 0, 0 FROM vector WHERE model NOT IN (SELECT model FROM embedder)
    """
    assert rows(data / "memory.db", mixed) == []


def _is_ready(data: Path, model: str) -> bool:
    ready = f"SELECT 1 FROM embedder WHERE model = '{model}' AND ready_at IS NOT NULL"
    return bool(rows(data / "memory.db", ready))


def _lacking(data: Path, model: str) -> int:
    lacking = f"""
        SELECT count(*) FROM memory
        WHERE key NOT IN (SELECT item FROM vector WHERE model = '{model}')
    """
    ((count,),) = rows(data / "memory.db", lacking)
    return int(count)


def _switched(
    subject: Subject, data: Path, model: str, said: Sequence[Said], chance: random.Random
) -> None:
    """Let the switch come to its end; then recall is by this model, and whole."""
    crew.start(subject, data, model)
    subject.do("consolidate")

    def complete() -> bool:
        _check_words(subject, chance.sample(list(said), 1))
        return _is_ready(data, model) and not _lacking(data, model)

    checks.until(complete, f"The switch to {model}")
    checks.check_found(subject, chance.sample(list(said), SAMPLE))
    checks.close(subject)
    _check_models(data)


def _same_as_fresh(subject: Subject, home: Path, model: str, said: Sequence[Said]) -> str:
    """The vectors of the pages are those that a new store gets from this model alone."""
    fresh = home / "fresh"
    shutil.rmtree(fresh, ignore_errors=True)
    crew.start(subject, fresh, model)
    for one in said:
        _add(subject, one)
    subject.do("consolidate")
    checks.close(subject)
    vectors = f"""
        SELECT agent_response, piece, hex(data) FROM vector JOIN page ON page.key = vector.item
        WHERE model = '{model}' ORDER BY 1, 2
    """
    found = rows(home / "data" / "memory.db", vectors)
    assert found == rows(fresh / "memory.db", vectors), "vectors differ from those of a new store"
    return f"{len(found)} vectors as in a new store"
