"""What is said in these tests, and how a reply of the server is read."""

from datetime import UTC, datetime
from typing import Any

from memory_core.prompts.sources import self_contained
from memory_core.records import About

SAID = (
    "I live in Lisbon.",
    "My dog is called Toby.",
    "I like green tea.",
    "我喜欢爬山。",
    "I work as a nurse.",
    "I was born in Porto.",
    "My sister plays the cello.",
    "I am allergic to peanuts.",
    "我住在里斯本。",
    "I prefer trains to planes.",
    "My birthday is in May.",
    "I learn Japanese.",
)
# As facts: what is copied in the first person says whose it is.
STATED = frozenset(self_contained(text, About.USER, datetime.now(UTC)) for text in SAID)

# Everything is placed and digested as soon as it can be.
EAGER = {
    "short_term_capacity": 2,
    "consolidation_batch_size": 4,
    "consolidation_idle_seconds": 0,
    "mid_term_heat_threshold": 0,
}


def turn(said: str, number: int) -> dict[str, Any]:
    """A turn that is found by "turn", and by nothing else of its number."""
    return {"user_input": said, "agent_response": f"That was turn {number}."}


def arguments(**settings: Any) -> list[str]:
    """Settings as the command line takes them."""
    return [f"--{name}={value}" for name, value in settings.items()]


def turns_of(found: dict[str, Any]) -> list[dict[str, Any]]:
    """All turns in the reply to a retrieval."""
    return [*found["short_term_memory"], *found["retrieved_pages"]]


def bullet_lines(profile: str) -> list[str]:
    """The statements of a profile."""
    return [line[2:] for line in profile.splitlines() if line.startswith("- ")]
