"""What language models were asked and what it cost, by UTC day, of all processes together."""

from datetime import date

import apsw

from memory_core.backends.llm import Spent
from memory_core.status_records import Usage
from memory_core.store.rows import select


def record(connection: apsw.Connection, day: date, model: str, spent: Spent) -> None:
    """Add one answer of a model to the sums of a day."""
    connection.execute(
        """
        INSERT INTO model_usage (day, model, kind, calls, prompt_tokens, completion_tokens)
        VALUES (?, ?, ?, 1, ?, ?) ON CONFLICT (day, model, kind) DO UPDATE SET
            calls = calls + 1,
            prompt_tokens = prompt_tokens + excluded.prompt_tokens,
            completion_tokens = completion_tokens + excluded.completion_tokens
        """,
        (day.isoformat(), model, spent.kind, spent.prompt_tokens, spent.completion_tokens),
    )


def tokens_on_day(connection: apsw.Connection, day: date) -> int:
    """Tokens of all prompts and answers of a day."""
    sql = """
        SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM model_usage WHERE day = ?
    """
    return int(select(connection, sql, (day.isoformat(),))[0][0])


def on_day(connection: apsw.Connection, day: date) -> tuple[Usage, ...]:
    """The sums of a day over all models, by kind of question."""
    sql = """
        SELECT kind, sum(calls), sum(prompt_tokens), sum(completion_tokens) FROM model_usage
        WHERE day = ? GROUP BY kind ORDER BY kind
    """
    return tuple(
        Usage(kind=kind, calls=calls, prompt_tokens=prompt, completion_tokens=completion)
        for kind, calls, prompt, completion in select(connection, sql, (day.isoformat(),))
    )
