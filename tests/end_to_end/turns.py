"""What is said in these tests, and how a reply of the server is read."""

from typing import Any

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
# As lines of the profile, where what is copied in the first person is restated or quoted.
LINES = frozenset(
    (
        "Lives in Lisbon.",
        "The user's dog is called Toby.",
        "Likes green tea.",
        "喜欢爬山。",
        "Works as a nurse.",
        "Was born in Porto.",
        'The user said: "My sister plays the cello."',
        "Allergic to peanuts.",
        "住在里斯本。",
        "Prefers trains to planes.",
        'The user said: "My birthday is in May."',
        'The user said: "I learn Japanese."',
    )
)
# As facts, likewise.
STATED = frozenset(
    (
        "The user lives in Lisbon.",
        "The user's dog is called Toby.",
        "The user likes green tea.",
        "用户喜欢爬山。",
        "The user works as a nurse.",
        "The user was born in Porto.",
        'The user said: "My sister plays the cello."',
        "The user is allergic to peanuts.",
        "用户住在里斯本。",
        "The user prefers trains to planes.",
        'The user said: "My birthday is in May."',
        'The user said: "I learn Japanese."',
    )
)

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
