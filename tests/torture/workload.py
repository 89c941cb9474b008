"""What is said and asked in the torture. Each turn is unlike the others: its text finds it."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

USERS = ("ana", "ben", "语", "dora")
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
PEOPLE = "Amara Bruno Chiara Dmitri Esther Farid Greta Hiro".split()
THINGS = "piano bicycle garden camera kettle novel".split()
PLACES = "Lisbon Oslo Kyoto Quito Accra Turin Gdansk Perth Lima Cork".split()
EVENTS = ("was repaired", "is lost", "won a prize", "was sold", "arrived late", "needs new paint")
FORMS = (
    "Yesterday {person} told me in {place} that the {thing} {event} for {price} euros.",
    "Can you plan how {person} gets the {thing} to {place}? It {event}, number {price}.",
    "我昨天在{place}见了{person}，聊到{thing}，花了{price}元。",
    "{person}さんの{thing}は{place}にあります。番号は{price}です。",
    "I like the {thing} of {person} from {place} more than {price} others.",
)
ANSWERS = (
    "Noted as {word}: the {thing} {event}.",
    "{word}. 好的，我记住了{place}的{thing}。",
    "I will remember {word}, and that {person} was in {place}.",
)


@dataclass(frozen=True, slots=True)
class Said:
    """One turn. word: in no other turn."""

    user: str
    user_input: str
    agent_response: str
    at: str
    word: str
    subject: tuple[str, str]

    @property
    def text(self) -> str:
        """As it is embedded."""
        return f"{self.user_input}\n{self.agent_response}"

    def as_order(self) -> dict[str, str]:
        return {
            "user": self.user,
            "user_input": self.user_input,
            "agent_response": self.agent_response,
            "at": self.at,
        }


def turns(name: str, chance: random.Random) -> Iterator[Said]:
    """Turns without end; two series of different names share none."""
    number = 0
    while True:
        number += 1
        word = f"{name}x{number}"
        parts = {
            "person": chance.choice(PEOPLE),
            "thing": chance.choice(THINGS),
            "place": chance.choice(PLACES),
            "event": chance.choice(EVENTS),
            "price": str(chance.randint(1, 999_999)),
        }
        yield Said(
            user=USERS[number % len(USERS)],
            user_input=chance.choice(FORMS).format(**parts),
            agent_response=chance.choice(ANSWERS).format(word=word, **parts),
            at=(START + timedelta(minutes=number)).isoformat(),
            word=word,
            subject=(parts["person"], parts["thing"]),
        )


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the fixed set; subject: what the turns are about that answer it."""

    user: str
    query: str
    subject: tuple[str, str]


def questions() -> Sequence[Asked]:
    """The same ones for every store: each user is asked about every person and thing."""
    return [
        Asked(user, f"What did {person} say about the {thing}?", (person, thing))
        for user in USERS
        for person in PEOPLE
        for thing in THINGS
    ]
