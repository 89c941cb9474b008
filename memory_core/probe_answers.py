"""What a model makes of some small questions, one finding for each.

The questions are fixed texts of this file: nothing of any memory is sent.
"""

import re
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial

from pydantic import BaseModel

from memory_core.backends.dialect import Dialect, Form, Request, chat_request, without_thoughts
from memory_core.backends.endpoint import Endpoint
from memory_core.backends.openai_llm import learnt
from memory_core.backends.replies import (
    Completion,
    parse_reply,
    read_completion,
    read_prose,
    read_usage,
    strict_schema,
)
from memory_core.backends.windows import was_cut
from memory_core.concurrency import together
from memory_core.errors import ModelError, ModelOverflow, ModelReplyInvalid
from memory_core.tokens import estimate_tokens

ROOM = 800
LONG_QUESTION_LINES = 800
"""As long as the longest questions of consolidation are with ten turns a batch."""
FORMS = {Form.JSON_SCHEMA: "json_schema", Form.JSON_OBJECT: "json_object", Form.PROMPT: "in words"}

GREETING = Request(
    kind="probe", system="Answer briefly.", text="Say hello in one word.", max_tokens=ROOM
)
_CHINESE = replace(GREETING, text="天空通常是什么颜色？请用一句话回答。")


class Colours(BaseModel):
    """What is asked for to see whether a form is kept to."""

    colours: list[str]


_COLOURS = Request(
    kind="colours",
    system="Answer the question in JSON.",
    text="Name two colours.",
    max_tokens=ROOM,
    schema=strict_schema(Colours),
)


class Verdict(StrEnum):
    """GOOD: as it should be; NOTE: worth knowing; BAD: it cannot be used so."""

    GOOD = "ok"
    NOTE = "note"
    BAD = "FAIL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was found out. advice: what to do about it, or ""."""

    verdict: Verdict
    about: str
    found: str
    advice: str = ""

    def __str__(self) -> str:
        """A line for a person, and the advice in one below it."""
        below = f"\n      -> {self.advice}" if self.advice else ""
        return f"{self.verdict:<5} {self.about}: {self.found}{below}"


def _finding(verdict: Verdict, about: str, found: str, advice: str = "") -> Finding:
    return Finding(verdict=verdict, about=about, found=found, advice=advice)


good = partial(_finding, Verdict.GOOD)
note = partial(_finding, Verdict.NOTE)
bad = partial(_finding, Verdict.BAD)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """An answer, how it had to be asked for, what it took (seconds) and says it cost."""

    completion: Completion
    dialect: Dialect
    seconds: float
    prompt_tokens: int


class Asker:
    """Asks one model, and keeps what was learnt of its endpoint."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._model = model
        self.dialect = Dialect()

    async def ask(self, request: Request, dialect: Dialect | None = None) -> _Answer:
        """One answer, in the dialect that the endpoint turns out to speak."""
        spoken = dialect or self.dialect
        while True:
            body = chat_request(self._model, request, spoken)
            async with self._endpoint.turn() as turn:
                begun = time.monotonic()
                answer = await self._endpoint.post(body, turn)
            if isinstance(answer, str):
                break
            spoken = learnt(spoken, body, answer, self._model)
        if dialect is None:
            self.dialect = spoken
        return _Answer(
            completion=read_completion(answer),
            dialect=spoken,
            seconds=time.monotonic() - begun,
            prompt_tokens=read_usage(answer)[0],
        )


async def findings_of(asker: Asker, parallel: int) -> AsyncIterator[Finding]:
    greeting = await asker.ask(GREETING)
    read_prose(greeting.completion.text or "…")
    yield good("answers", f"in {greeting.seconds:.2f} s")
    thinks = greeting.completion.thought
    yield await _thinking(asker) if thinks else good("thinking", "none is seen")
    kept = []
    for form in Form:
        answer = await _formed(asker, form)
        kept.append(isinstance(answer, _Answer) and _keeps_form(answer))
        yield _form_finding(form, answer, kept=kept[-1])
    if not any(kept):
        yield bad("JSON", "in no form", "Choose a more capable model.")
    yield _parameters(asker.dialect)
    yield (
        good("tokens", "are counted")
        if greeting.prompt_tokens
        else note("tokens", "are not counted", "The daily budget goes by estimates.")
    )
    yield await _in_chinese(asker)
    yield await _long_question(asker)
    yield await _side_by_side(asker, greeting.seconds, parallel)


async def _formed(asker: Asker, form: Form) -> _Answer | ModelError:
    dialect = replace(asker.dialect, form=form)
    try:
        answer = await asker.ask(_COLOURS, dialect)
    except ModelError as error:
        return error
    # What was refused beside the form counts for whatever is asked later.
    asker.dialect = replace(answer.dialect, form=asker.dialect.form)
    return answer


def _keeps_form(answer: _Answer) -> bool:
    try:
        return len(parse_reply(answer.completion.text, Colours).colours) > 0
    except ModelReplyInvalid:
        return False


def _form_finding(form: Form, answer: _Answer | ModelError, *, kept: bool) -> Finding:
    about = f"JSON, {FORMS[form]}"
    if isinstance(answer, ModelError) or answer.dialect.form is not form:
        return note(about, "is refused")
    return good(about, "is taken and kept to") if kept else note(about, "is not kept to")


def _parameters(dialect: Dialect) -> Finding:
    other = {
        f"max_tokens is {dialect.max_tokens or 'left out'}": dialect.max_tokens != "max_tokens",
        "no temperature": not dialect.temperature,
        "no bounds on lists": not dialect.bounds,
        "no system role": not dialect.system,
    }
    refused = [words for words, holds in other.items() if holds]
    return good("parameters", f"learnt: {', '.join(refused)}" if refused else "all are taken")


async def _thinking(asker: Asker) -> Finding:
    asker.dialect = without_thoughts(asker.dialect)
    answer = await asker.ask(_COLOURS)
    if answer.completion.thought:
        return note(
            "thinking",
            "it thinks before it answers, and cannot be told not to",
            "That costs time and tokens: a model that does not think is enough for this.",
        )
    return good("thinking", "it thinks, unless it is told not to, which it will be")


async def _in_chinese(asker: Asker) -> Finding:
    text = read_prose((await asker.ask(_CHINESE)).completion.text)
    if re.search(r"[\u4e00-\u9fff]", text):
        return good("languages", "asked in Chinese, it answers in Chinese")
    return note("languages", "asked in Chinese, it answers in another language")


async def _long_question(asker: Asker) -> Finding:
    """Whether a question as long as those of consolidation fits."""
    lines = "\n".join(f"Line {number} of a long question." for number in range(LONG_QUESTION_LINES))
    asked = replace(GREETING, text=f"{lines}\n\nIgnore these lines and say hello in one word.")
    sent = estimate_tokens(asked.text)
    try:
        counted = (await asker.ask(asked)).prompt_tokens
    except ModelOverflow:
        counted = None
    if counted is None or was_cut(sent, counted):
        how = "refused" if counted is None else f"cut to {counted} tokens without a word"
        return note(
            "long questions",
            f"one of about {sent} tokens is {how}",
            "Give the model a larger context (Ollama: OLLAMA_CONTEXT_LENGTH=16384), or lower "
            "consolidation_batch_size.",
        )
    return good("long questions", f"one of about {sent} tokens is taken")


async def _side_by_side(asker: Asker, alone: float, number: int) -> Finding:
    """Whether calls side by side take less time than one after another."""
    failed: list[ModelError] = []

    async def ask() -> None:
        try:
            await asker.ask(GREETING)
        except ModelError as error:
            failed.append(error)

    begun = time.monotonic()
    await together(*[ask] * number)
    seconds = time.monotonic() - begun
    about = f"{number} calls at once"
    if failed:
        return note(about, f"{len(failed)} fail", "Lower llm_max_parallel.")
    speed = number * alone / seconds
    return good(about, f"{seconds:.2f} s in all, {speed:.1f} times as fast as one by one")
