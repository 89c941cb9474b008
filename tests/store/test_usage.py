from datetime import date

import apsw

from memory_core.backends.llm import Spent
from memory_core.status_records import Usage
from memory_core.store import usage

TODAY = date(2026, 5, 1)


def spent(kind: str = "topics", prompt: int = 10, completion: int = 1) -> Spent:
    return Spent(kind=kind, prompt_tokens=prompt, completion_tokens=completion)


def test_answers_of_a_day_add_up_by_kind(connection: apsw.Connection) -> None:
    for answer in (spent(), spent(prompt=5), spent("facts", 0, 0)):
        usage.record(connection, TODAY, "a-model", answer)
    assert usage.on_day(connection, TODAY) == (
        Usage(kind="facts", calls=1, prompt_tokens=0, completion_tokens=0),
        Usage(kind="topics", calls=2, prompt_tokens=15, completion_tokens=2),
    )


def test_all_models_of_a_day_count_together(connection: apsw.Connection) -> None:
    for model in ("a-model", "模型"):
        usage.record(connection, TODAY, model, spent())
    (found,) = usage.on_day(connection, TODAY)
    assert (found.calls, found.prompt_tokens) == (2, 20)


def test_another_day_has_sums_of_its_own(connection: apsw.Connection) -> None:
    usage.record(connection, TODAY, "a-model", spent())
    assert usage.on_day(connection, date(2026, 5, 2)) == ()
