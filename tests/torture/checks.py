"""What must hold of a store, whatever happened to it.

Recall is compared with a store in which the same turns were added in the same order, by one process
and without any disturbance. That is fair because nothing that recall depends on is left to chance:
times are given, placement without a model goes turn by turn in order of arrival, and both are asked
at the same fixed moment. Scores that are equal but for rounding may change places at the cut;
such turns are told apart from wrong ones by `TIE`.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import anyio

from memory_core.backends.chroma_index import ChromaIndex
from memory_core.records import Kind
from tests.living import embedder_called
from tests.subject import Subject
from tests.torture import crew
from tests.torture.crew import why_of
from tests.torture.workload import Asked, Said, questions
from tests.whole import check_file, rows

NOW = datetime(2027, 1, 1, tzinfo=UTC)
PATIENCE_SECONDS = 120.0
MOST = 10
TIE = 0.002
FIRST = 3
NEWEST_VECTOR = """
    SELECT coalesce(max(change), 0) FROM vector WHERE kind = 'page' AND model = '{}'
"""

Answers = Mapping[Asked, Sequence[tuple[str, float]]]


@dataclass(frozen=True, slots=True)
class Recalled:
    """Answers to the fixed set of questions: (agent_response, score), best first.

    at_10: which share of what fits is among ten.
    """

    answers: Answers
    at_10: float


def until(holds: Callable[[], bool], what: str, seconds: float = PATIENCE_SECONDS) -> float:
    """Poll, within bounds; how long it took."""
    begun = time.monotonic()
    while not holds():
        assert time.monotonic() < begun + seconds, f"{what} not after {seconds:.0f} s"
        time.sleep(0.02)
    return time.monotonic() - begun


def newest_vector(directory: Path, model: str) -> int:
    ((newest,),) = rows(directory / "memory.db", NEWEST_VECTOR.format(model))
    return int(newest)


def wait_indexed(subject: Subject, directory: Path, embedder: str) -> float:
    """Wait until the index of this process has taken in all vectors; seconds."""
    return until(lambda: is_indexed(subject, directory, embedder), "The index is complete")


def is_indexed(subject: Subject, directory: Path, embedder: str) -> bool:
    """Whether all pages have vectors, and the index of this process has taken them in."""
    look, model = subject.do("look"), embedder_called(embedder).name
    if look["state"] != "open" or rows(directory / "memory.db", NO_VECTOR):
        return False
    return bool(look["position"] >= newest_vector(directory, model))


def open_alone(subject: Subject, directory: Path, embedder: str) -> None:
    """Start one process at the fixed moment, and bring all work to its end."""
    crew.start(subject, directory, embedder, NOW)
    subject.do("consolidate")
    wait_indexed(subject, directory, embedder)


def close(subject: Subject) -> None:
    subject.do("stop")
    subject.do("kill")


def check_store(directory: Path, told: Mapping[str, str], turns: Iterable[Said]) -> None:
    """Each turn that was told to be stored (word to id) is there once, and nothing is half done."""
    by_word = {said.word: said for said in turns}
    acknowledged = [(id, by_word[word].agent_response) for word, id in told.items()]
    check_file(directory / "memory.db", acknowledged, str(directory))
    assert rows(directory / "memory.db", NO_VECTOR) == [], "pages without a vector"


def check_found(subject: Subject, turns: Iterable[Said]) -> None:
    """Each turn is recalled by its own text: by its words and by its meaning, among the first."""
    lost = []
    for said in turns:
        reply = subject.do("retrieve", query=said.text, user=said.user, most=FIRST)
        why = why_of(reply, said)
        if not (why.get("words", 0) > 0 and why.get("vectors", 0) > 0):
            lost.append(said.word)
    assert not lost, f"{len(lost)} turns are not recalled by their own text, as {lost[0]}"


def check_index(directory: Path, turns: Sequence[Said], name: str) -> None:
    """Each turn is what the index itself finds for the turn's text; nobody has the store open."""
    keys = {text: key for key, text in rows(directory / "memory.db", PAGES)}

    async def lost() -> list[str]:
        embedder, index = embedder_called(name), ChromaIndex(directory / "chroma")
        await index.open(embedder.name, embedder.dimension)
        try:
            closed = index.position >= newest_vector(directory, embedder.name)
            assert closed, "the index was not closed cleanly"
            vectors = await embedder.embed_documents([said.text for said in turns])
            return [
                said.word
                for said, vector in zip(turns, vectors, strict=True)
                if keys[said.agent_response]
                not in [hit.item_key for hit in await index.search(Kind.PAGE, vector, FIRST)]
            ]
        finally:
            await index.close()

    missing = anyio.run(lost)
    assert not missing, f"the index has lost {len(missing)} turns, as {missing[0]}"


NO_VECTOR = "SELECT key FROM page WHERE key NOT IN (SELECT item FROM vector)"
PAGES = "SELECT key, agent_response FROM page ORDER BY key"


def recalled(subject: Subject, turns: Sequence[Said]) -> Recalled:
    """Ask all questions of the set."""
    answers = {}
    fitting = found = 0
    for asked in questions():
        reply = subject.do("retrieve", query=asked.query, user=asked.user, most=MOST)
        hits = [(hit["agent_response"], hit["score"]) for hit in reply["pages"]]
        window = {hit["agent_response"] for hit in reply["window"]}
        answers[asked] = hits
        fit = {
            said.agent_response
            for said in turns
            if (said.user, said.subject) == (asked.user, asked.subject)
        } - window
        fitting += len(fit)
        found += len(fit & {text for text, _ in hits})
    return Recalled(answers, found / max(fitting, 1))


def undisturbed(
    subject: Subject, directory: Path, turns: Sequence[Said], embedder: str
) -> Recalled:
    """What a new store with these turns, in this order, recalls."""
    crew.start(subject, directory, embedder, NOW)
    for said in turns:
        subject.do("add", **said.as_order())
    subject.do("consolidate")
    wait_indexed(subject, directory, embedder)
    answer = recalled(subject, turns)
    close(subject)
    return answer


def check_same(answer: Recalled, expected: Recalled) -> str:
    """The recall is the same, and so is the set of turns found for each question."""
    same = ties = 0
    for asked, hits in answer.answers.items():
        others = expected.answers[asked]
        wrong = {text for text, _ in hits} ^ {text for text, _ in others}
        same += not wrong
        ties += bool(wrong) and all(
            abs(score - pairs[-1][1]) <= TIE
            for pairs in (hits, others)
            for text, score in pairs
            if text in wrong
        )
    count = len(answer.answers)
    figures = f"recall@10 {answer.at_10:.4f} of {expected.at_10:.4f}, {same}/{count} sets the same"
    assert same + ties == count, figures
    assert same == count or abs(answer.at_10 - expected.at_10) < 0.005, figures
    return figures + (f", {ties} but for ties" if ties else "")


def in_order(directory: Path, turns: Iterable[Said]) -> list[Said]:
    """The stored turns, in order of arrival."""
    by_answer = {said.agent_response: said for said in turns}
    return [by_answer[answer] for _, answer in rows(directory / "memory.db", PAGES)]
