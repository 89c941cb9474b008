"""English: what its sentences state plainly."""

from memory_core.heuristic.english.clauses import (
    assistant_findings,
    is_written_in,
    user_findings,
)

__all__ = ["assistant_findings", "is_written_in", "user_findings"]
