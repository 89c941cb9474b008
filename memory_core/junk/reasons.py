"""What was refused, where and why: records for counts. They never hold the text itself."""

from dataclasses import dataclass
from enum import StrEnum


class Side(StrEnum):
    """Where it stood: on a side of a page, or in what a model returned."""

    USER = "user"
    ASSISTANT = "assistant"
    MODEL = "model"


class Reason(StrEnum):
    """Why something was refused: the first six are of pages, the others of a model's items."""

    RECALLED = "recalled"
    CODE = "code"
    LOG = "log"
    TOOL_OUTPUT = "tool output"
    BOOT_FILE = "boot file"
    INJECTED = "injected"

    EMPTY = "empty"
    TOO_LONG = "too long"
    ABOUT_NOBODY = "about nobody"
    NO_SOURCE = "no source"
    BAD_CONFIDENCE = "bad confidence"
    NO_SUCH_LINE = "no such line"
    REPEATED = "repeated"
    TOO_MANY = "too many"
    QUESTION = "question"
    ONE_WORD = "one word"
    REPEATS_PROMPT = "repeats the prompt"
    OTHER_LANGUAGE = "other language"
    OTHER_SIDE = "of the other side"
    OF_OTHERS = "of somebody else"
    SUPPOSED = "supposition"
    SMALL_TALK = "small talk"
    INVENTED = "invented"
    JUNK = "junk"


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A passage of a page that is not read, or an item of a model that is not taken.

    page_key: the page; of a model's item its first source, or None without any.
    """

    page_key: int | None
    side: Side
    reason: Reason
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A passage of a text, from start up to end."""

    start: int
    end: int
    reason: Reason
