"""Code, logs, terminal sessions and dumps, told by how their lines look."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from memory_core.junk import signs
from memory_core.junk.reasons import Reason, Span
from memory_core.junk.signs import Sign

LONGEST_LOOK = 300
"""Characters of a line that are looked at."""

MOST_STRANGERS = 2
"""Lines without a sign that a block may have between two that have one."""

ENOUGH = 3
WEAK_ENOUGH = 4
SHARE = 0.4


@dataclass(slots=True)
class _Block:
    """Lines that may be one passage. start, end: of the lines with a sign, in the text."""

    start: int
    end: int
    signs: list[Sign] = field(default_factory=list)
    lines: int = 0
    strangers: int = 0
    """Lines without a sign since the last one with a sign, and blank ones."""


def line_spans(text: str, *, alone: bool = False) -> Iterator[Span]:
    """The passages of a text, in order.

    Args:
        alone: the text is nothing but one block, such as what stands in a fence.
    """
    block: _Block | None = None
    start = 0
    for line in text.splitlines(keepends=True):
        shown = line.rstrip()
        end = start + len(shown)
        look = shown[:LONGEST_LOOK]
        sign = signs.sign_of(look, len(shown), inside=block is not None) if shown else None
        if sign is None and block and shown and signs.is_output(look, block.signs):
            sign = Sign(block.signs[-1].reason, 0)
        if sign:
            block = block or _Block(start=start, end=end)
            block.end = end
            block.signs.append(sign)
            block.lines += 1 + block.strangers
            block.strangers = 0
        elif block and block.strangers < MOST_STRANGERS and (alone or not signs.is_prose(shown)):
            block.strangers += 1
        elif block:
            yield from _taken(block, alone)
            block = None
        start += len(line)
    if block:
        yield from _taken(block, alone)


def _taken(block: _Block, alone: bool) -> Iterator[Span]:
    """The block, when its signs are enough."""
    strong = sum(sign.weight >= 2 for sign in block.signs)
    weight = sum(sign.weight for sign in block.signs)
    certain = any(sign.weight >= ENOUGH for sign in block.signs)
    needed = ENOUGH - alone if strong else WEAK_ENOUGH
    if not certain and (weight < needed or len(block.signs) < SHARE * block.lines):
        return
    weights: dict[Reason, int] = {}
    for sign in block.signs:
        weights[sign.reason] = weights.get(sign.reason, 0) + sign.weight
    yield Span(start=block.start, end=block.end, reason=max(weights, key=weights.__getitem__))
