"""Chinese: what its sentences state plainly."""

from memory_core.heuristic.chinese.clauses import (
    assistant_findings,
    is_written_in,
    user_findings,
)
from memory_core.heuristic.chinese.relations import names_in, with_relations

__all__ = [
    "assistant_findings",
    "is_written_in",
    "names_in",
    "user_findings",
    "with_relations",
]
