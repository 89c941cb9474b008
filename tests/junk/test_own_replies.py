"""What this server returns is known again when a host stores it as a turn."""

import json
from dataclasses import replace

import pytest

from memory_core.junk import readable
from memory_core.prompts import shown_pages
from memory_core.prompts.answer import answer_prompt
from memory_core.records import FactHit, PageHit, Profile, ProfileView, Recollection
from memory_core.zones import zone_named
from server.compact import items_text, profile_view_text, recollection_text
from server.replies import retrieve_reply
from tests.prompts.pages import START, fact, line, page

PROFILE = Profile(
    id="v1", version=2, lines=(line("Lives in Rome"), line("我喜欢茶")), at=START, made_by="stub"
)
FOUND = Recollection(
    query="Where?",
    at=START,
    profile=PROFILE,
    short_term=(PageHit(page=page(3, "Rome is hot", "Indeed."), score=0.0, why={}),),
    pages=(
        PageHit(page=page(1, "I live in Rome", "Nice!"), score=1.0, why={}),
        PageHit(page=page(2, "茶 in Rome", "Nice!"), score=0.4, why={}, guess=True),
    ),
    user_facts=(FactHit(fact=fact(1, "The user lives in Rome."), score=1.0, why={}),),
    assistant_facts=(),
    pending=0,
    notes=("Answered by words only.",),
)
VIEW = ProfileView(
    profile=PROFILE,
    user_facts=(fact(1, "The user lives in Rome."),),
    assistant_facts=(),
    pending=0,
    notes=(),
)
TEXTS = [
    recollection_text(FOUND),
    recollection_text(FOUND, zone_named("Asia/Shanghai")),
    items_text(FOUND),
    answer_prompt(replace(FOUND, notes=()), "Where?")[1].split("Now: ")[0],
    shown_pages([page(1, "I live in Rome", "Nice!")], user=100, assistant=100),
    profile_view_text(VIEW, user_facts=True, assistant_facts=True),
    json.dumps(retrieve_reply(FOUND).model_dump(), ensure_ascii=False),
    "\n".join(f"> {part}" for part in recollection_text(FOUND).splitlines()),
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_reply_of_this_server_is_not_read_again(text: str) -> None:
    said = f"I got this:\n\n{text}\n\nStill true, but I moved to Porto."
    made = readable(page(1, said, said))
    for side in (made.page.user_input, made.page.agent_response):
        assert "Rome" not in side and "茶" not in side
        assert side.startswith("I got this:") and side.endswith("I moved to Porto.")
