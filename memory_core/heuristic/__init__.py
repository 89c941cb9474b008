"""Long-term memory without a language model: facts from plainly stated sentences."""

from memory_core.heuristic.facts import facts_of
from memory_core.heuristic.profile import profile_lines

__all__ = ["facts_of", "profile_lines"]
