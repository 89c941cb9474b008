"""The golden set, through the public door: with rules, with a good model, and with bad ones."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from memory_core import ProfileView, Settings, open_memory
from memory_core.backends.memory_index import MemoryIndex
from memory_core.testing import ScriptedModel, WordsEmbedder
from tests import golden_model
from tests.golden_model import Worsen
from tests.golden_set import SETTINGS, Dialogue, dialogues, judge, shown, tell, views

SET = dialogues()
POISONED = [dialogue for dialogue in SET if dialogue.poison]
LANGUAGES = ("en", "zh", "ja", "mixed")

each = pytest.mark.parametrize("dialogue", SET, ids=[dialogue.name for dialogue in SET])
poisoned = pytest.mark.parametrize("dialogue", POISONED, ids=[d.name for d in POISONED])


async def remembered(
    data: Path, dialogue: Dialogue, model: ScriptedModel | None
) -> Mapping[str, ProfileView]:
    settings = Settings.load({"data_storage_path": str(data), **SETTINGS}, environ={})
    async with open_memory(
        settings, model=model, embedder=WordsEmbedder(), index=MemoryIndex()
    ) as memory:
        await tell(memory, dialogue, by_day=True)
        return await views(memory, dialogue)


def said(known: Mapping[str, ProfileView]) -> list[str]:
    """Texts of all current facts and of all lines."""
    facts = [f.text for v in known.values() for f in (*v.user_facts, *v.assistant_facts)]
    return facts + [line.text for v in known.values() if v.profile for line in v.profile.lines]


@each
async def test_rules_find_what_is_plain_and_state_nothing_wrong(
    dialogue: Dialogue, tmp_path: Path
) -> None:
    verdict = judge(dialogue, await remembered(tmp_path, dialogue, None))
    assert [shown(must.words) for must in verdict.missed if must.rules] == []
    offences = [(shown(t.words), text) for t, text in verdict.offences if not t.beyond_rules]
    assert offences == []
    assert verdict.foreign == ()


@each
async def test_what_a_good_model_states_is_there_and_what_it_replaced_is_not(
    dialogue: Dialogue, tmp_path: Path
) -> None:
    model = golden_model.golden_model(dialogue)
    verdict = judge(dialogue, await remembered(tmp_path, dialogue, model))
    assert [shown(must.words) for must in verdict.missed] == []
    assert [(shown(taboo.words), text) for taboo, text in verdict.offences] == []
    assert verdict.standing_missed == ()
    assert verdict.foreign == ()


@poisoned
async def test_a_model_that_believes_all_it_reads_is_not_shown_what_is_junk(
    dialogue: Dialogue, tmp_path: Path
) -> None:
    model = golden_model.golden_model(dialogue, golden_model.believes_all_it_reads)
    known = await remembered(tmp_path, dialogue, model)
    verdict = judge(dialogue, known)
    assert {saying.text for saying in dialogue.poison} & {*said(known)} == set()
    assert [shown(must.words) for must in verdict.missed] == []
    assert [(shown(taboo.words), text) for taboo, text in verdict.offences] == []


@pytest.mark.parametrize(
    "worsen",
    [
        golden_model.invents_pages,
        golden_model.returns_empty_items,
        golden_model.returns_placeholders,
        golden_model.returns_broken_items,
        golden_model.speaks_another_language,
        golden_model.answers_questions,
    ],
    ids=lambda worsen: worsen.__name__,
)
@pytest.mark.parametrize("name", ["en_corrections", "zh_corrections", "ja_short_introduction"])
async def test_bad_items_of_an_answer_are_dropped_and_the_good_ones_kept(
    worsen: Worsen, name: str, tmp_path: Path
) -> None:
    (dialogue,) = dialogues(name)
    known = await remembered(tmp_path, dialogue, golden_model.golden_model(dialogue, worsen))
    verdict = judge(dialogue, known)
    assert [text for text in said(known) if "castle" in text.casefold() or "城堡" in text] == []
    assert {"N/A", "None", "null", "{}", "...", ""} & {*said(known)} == set()
    assert [shown(must.words) for must in verdict.missed] == []
    assert [(shown(taboo.words), text) for taboo, text in verdict.offences] == []


# What a 1.5B model did.
async def test_what_no_page_speaks_of_is_not_taken(tmp_path: Path) -> None:
    (dialogue,) = dialogues("en_standing_instructions")
    model = golden_model.golden_model(dialogue, golden_model.makes_up_a_person)
    known = await remembered(tmp_path, dialogue, model)
    assert judge(dialogue, known).missed == ()
    assert [text for text in said(known) if "John" in text or "York" in text or "30" in text] == []


async def test_facts_of_one_kind_do_not_replace_each_other(tmp_path: Path) -> None:
    (dialogue,) = dialogues("en_dense_introduction")
    model = golden_model.golden_model(dialogue, golden_model.takes_sections_for_attributes)
    verdict = judge(dialogue, await remembered(tmp_path, dialogue, model))
    assert [shown(must.words) for must in verdict.missed] == []


async def test_what_the_user_says_is_no_fact_about_the_assistant(tmp_path: Path) -> None:
    (dialogue,) = dialogues("zh_short_introduction")
    model = golden_model.golden_model(dialogue, golden_model.says_it_of_the_assistant_too)
    (view,) = (await remembered(tmp_path, dialogue, model)).values()
    assert len(view.user_facts) == len(dialogue.says)
    assert [fact.text for fact in view.assistant_facts] == []


async def test_plain_standing_instructions_are_in_the_profile_whatever_a_model_forgets(
    tmp_path: Path,
) -> None:
    (dialogue,) = dialogues("mixed_always_answer_in_chinese")
    model = golden_model.golden_model(dialogue, golden_model.forgets_the_profile)
    verdict = judge(dialogue, await remembered(tmp_path, dialogue, model))
    assert verdict.standing_missed == ()


async def test_an_endless_answer_is_bounded_and_does_not_crowd_out_the_rest(
    tmp_path: Path,
) -> None:
    (dialogue,) = dialogues("en_short_introduction")
    model = golden_model.golden_model(dialogue, golden_model.never_ends)
    known = await remembered(tmp_path, dialogue, model)
    assert judge(dialogue, known).missed == ()
    repeated = [text for text in said(known) if "mentions thing" in text]
    assert len(repeated) <= 2 * 7, "each of the seven once as a fact and once as a line"


def test_the_set_is_wide_enough() -> None:
    assert len(SET) >= 24
    assert {dialogue.language for dialogue in SET} == {*LANGUAGES}
    lengths = [len(dialogue.turns) for dialogue in SET]
    assert min(lengths) <= 4
    assert max(lengths) >= 40
    wanted = {"short", "long", "noisy", "corrections", "dates", "standing", "questions", "users"}
    assert wanted <= {dialogue.kind for dialogue in SET}


@each
def test_a_dialogue_agrees_with_itself(dialogue: Dialogue) -> None:
    last = len(dialogue.turns)
    times = [turn.at for turn in dialogue.turns]
    assert times == sorted(set(times))
    texts = [saying.text for saying in dialogue.says]
    for saying in (*dialogue.says, *dialogue.poison):
        assert 1 <= saying.turn <= last
        assert not saying.replaces or saying.replaces in texts[: texts.index(saying.text)]
    for saying in dialogue.poison:
        turn = dialogue.turns[saying.turn - 1]
        assert saying.seen in f"{turn.user}\n{turn.assistant}"


def test_the_unlikely_is_seen() -> None:
    """The judge itself: an offence, an excuse, a miss."""
    (dialogue,) = dialogues("en_corrections")
    view = ProfileView(profile=None, user_facts=(), assistant_facts=(), pending=0, notes=())
    verdict = judge(dialogue, {name: view for name in dialogue.users})
    assert verdict.found == ()
    assert len(verdict.missed) == len(dialogue.must)
