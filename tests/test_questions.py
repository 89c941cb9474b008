"""What a question asks for and about whom, in English, Chinese, Japanese and some others."""

import time

import pytest

from memory_core.questions import (
    asks_for_a_name,
    asks_for_a_time,
    asks_for_several,
    asks_of_the_past,
    asks_what_was_said,
    is_about_the_asker,
    speakers_meant,
)
from tests.test_form import LONG


@pytest.mark.parametrize(
    ("speaker", "question", "named"),
    [
        ("anna", "What does Anna like?", True),
        ("anna", "What is ANNA's dog called?", True),
        ("anna smith", "What does Anna like?", True),
        ("ann", "What does Anna like?", False),
        ("anna", "What does Joanna like?", False),
        ("anna", "", False),
        ("小明", "小明喜欢什么？", True),
        ("田中", "田中さんは何が好きですか？", True),
        ("小明", "小红喜欢什么？", False),
        ("a.(b", "What of a.(b?", True),
        ("a.b", "What of aXb?", False),
    ],
)
def test_a_question_names_a_speaker_as_a_whole_word(
    speaker: str, question: str, named: bool
) -> None:
    assert speakers_meant([speaker, "somebody else"], question) == ({speaker} if named else set())


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("What did Jon tell Gina?", {"jon"}),
        ("According to Gina, what makes Jon a good teacher?", {"gina smith"}),
        ("What do Jon and Gina have in common?", set()),
        ("What are Jon's and Gina's jobs?", set()),
        ("Jon, Gina?", set()),
        ("What do they do?", set()),
        ("jon gina", {"jon"}),
        ("What does Gina like?", {"gina smith"}),
        ("After talking to Gina, what did Jon buy?", {"jon"}),
        ("Where do Jon as well as Gina live?", set()),
        ("What has Jon in common with Gina?", set()),
    ],
)
def test_of_two_that_a_question_names_the_first_is_meant_unless_both_are(
    question: str, meant: set[str]
) -> None:
    assert speakers_meant(["jon", "gina smith"], question) == meant


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("小明给小红推荐了什么？", {"小明"}),
        ("小红和小明喜欢什么？", set()),
        ("小红、小明都喜欢什么？", set()),
        ("小红さんは小明さんに何をあげましたか？", {"小红"}),
        ("小红さんと小明さんの趣味は？", set()),
    ],
)
def test_of_two_without_spaces_too(question: str, meant: set[str]) -> None:
    assert speakers_meant(["小明", "小红"], question) == meant


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("When will May visit Will?", {"may"}),
        ("What will Will tell May?", {"will"}),
        ("what did may tell will?", {"may"}),
    ],
)
def test_names_that_are_words_too_are_sought_in_capitals(question: str, meant: set[str]) -> None:
    assert speakers_meant(["will", "may"], question) == meant


@pytest.mark.parametrize(
    ("speakers", "question", "meant"),
    [
        (["jon", "gina", "ben"], "What did Jon tell Gina?", {"jon", "gina"}),
        (["jon", "gina", "ben"], "Did Jon or Gina, or Ben?", set()),
        (["jon a", "jon b", "gina"], "What did Jon tell Gina?", {"jon a", "jon b"}),
        (["jon a", "jon b"], "What did Jon say?", set()),
        (["jon"], "What did Jon say?", set()),
        ([], "What did Jon say?", set()),
        ([" ", ""], "What did Jon say?", set()),
    ],
)
def test_of_more_or_fewer_speakers(speakers: list[str], question: str, meant: set[str]) -> None:
    assert speakers_meant(speakers, question) == meant


@pytest.mark.parametrize(
    ("question", "several"),
    [
        ("What books has Tim read?", True),
        ("Which other cities did I visit?", True),
        ("What kinds of tea do I like?", True),
        ("What European countries has Maria been to?", True),
        ("How many dogs do I have?", True),
        ("In what ways do I relax?", True),
        ("What do Jon and Gina have in common?", True),
        ("What has Melanie painted?", True),
        ("我读过哪些书？", True),
        ("我去过几次京都？", True),
        ("何回京都に行きましたか？", True),
        ("What is my dog's name?", False),
        ("What was the news?", False),
        ("Which class does Ann take?", False),
        ("What does James like?", False),
        ("When did I go to Paris?", False),
        ("What did his boss say?", False),
        ("Where are my keys?", False),
        ("我喜欢什么？", False),
        ("", False),
    ],
)
def test_a_question_for_several_things_is_known(question: str, several: bool) -> None:
    assert asks_for_several(question) is several


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("When did I go to Paris?", True),
        ("  - how long was I there?", True),
        ("What year was it?", True),
        ("On which day did we meet?", True),
        ("How many months ago?", True),
        ("我什么时候去的巴黎？", True),
        ("你哪一年毕业？", True),
        ("いつ東京に行きましたか？", True),
        ("誕生日は何月ですか？", True),
        ("What do I drink when I am tired?", False),
        ("How many dogs do I have?", False),
        ("我喜欢什么？", False),
        ("", False),
    ],
)
def test_a_question_for_a_time_is_known(question: str, is_asked: bool) -> None:
    assert asks_for_a_time(question) is is_asked


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("Who came?", True),
        ("Which film did we see?", True),
        ("What book did I read?", True),
        ("Where does Anna live?", True),
        ("谁来了？", True),
        ("你的狗叫什么？", True),
        ("どこに住んでいますか？", True),
        ("名前は？", True),
        ("Do you know who came?", False),
        ("What do I like?", False),
        ("我喜欢什么？", False),
        ("", False),
    ],
)
def test_a_question_for_a_name_is_known(question: str, is_asked: bool) -> None:
    assert asks_for_a_name(question) is is_asked


@pytest.mark.parametrize(
    "question",
    [
        "What did we talk about on May 2nd?",
        "Which film did you recommend to me in April?",
        "I told you about a trip. Where to?",
        "4月29日我们聊了什么？",
        "我跟你说过什么？",
        "先週何を話しましたか？",
        "おすすめの店はどこでしたか？",
    ],
)
def test_a_question_about_a_conversation_is_known(question: str) -> None:
    assert asks_what_was_said(question)


@pytest.mark.parametrize(
    "question",
    ["Where was I on May 2nd?", "Is it stalking?", "4月29日我在哪里？", "いつ帰りましたか？", ""],
)
def test_a_question_about_what_happened_is_none_about_a_conversation(question: str) -> None:
    assert not asks_what_was_said(question)


@pytest.mark.parametrize(
    "question",
    [
        "What am I allergic to?",
        "When's our anniversary?",
        "Tell me what my dog is called",
        "I'VE a cat, what is it called?",
        "What does the user's sister do?",
        "我的猫叫什么名字？",
        "帮我想想，我的护照哪天到期？",
        "用户对什么过敏？",
        "私の誕生日はいつ？",
        "うちの猫の名前は？",
        "Wie heißt mein Hund?",
        "Comment s'appelle mon chien ?",
        "¿Cómo se llama mi perro?",
        "Как зовут мою собаку?",
        "Где я живу?",
        "제 고양이 이름은?",
        "Where was I in May?",
        "what did i eat",
        "How do I take my coffee?",
        "Tell us what we decided",
        "What is mum's name?",
        "Mon chien, comment s'appelle-t-il ?",
        "Qu'est-ce qui m'énerve ?",
        "¿A qué soy alérgico?",
        "¿Qué sabes de mí?",
        "Что меня раздражает?",
        "老婆叫什么名字？",
        "本人对什么过敏？",
        "妻の誕生日はいつ？",
        "オレの車は？",
    ],
)
def test_a_question_about_who_asks_is_known(question: str) -> None:
    assert is_about_the_asker(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the capital of Burkina Faso?",
        "Explain eigenvectors to me.",
        "Give me a regex for dates, please.",
        "can you show us how a transformer works?",
        "帮我把这段JSON排一下版",
        "请告诉我汞的沸点",
        "光合成について教えて。",
        "III and IV",
        "Michael's mystery",
        "나라의 수도는?",
        "How can I install numpy?",
        "How do we reverse a list?",
        "Can I mix bleach and vinegar?",
        "How is the US economy?",
        "What is ME/CFS?",
        "When did World War I end?",
        "Who is Yo-Yo Ma? And Ma Rainey?",
        "Open Mon, Tue and Wed",
        "Xiaomi Mi 10",
        "io.StringIO in Python",
        "我国的首都是哪里？",
        "自我介绍怎么写？",
        "请问我该怎么学Python？",
        "私立大学とは",
        "自分とは何か",
        "the user interface of Linux",
        "用户界面设计",
        "Мойка автомобилей",
        "Was meint der Autor?",
        "Zeig mir die Hauptstadt von Peru",
        "Explique-moi la photosynthèse",
        "",
    ],
)
def test_a_question_about_the_world_is_not_about_who_asks(question: str) -> None:
    assert not is_about_the_asker(question)


@pytest.mark.parametrize(
    ("question", "of_the_past"),
    [
        ("What happened in June?", True),
        ("What did we talk about in June?", True),
        ("Where was I in June?", True),
        ("6月发生了什么？", True),
        ("Is it hot in Sevilla in June?", False),
        ("Who won the election of 2024?", False),
        ("6月的英文怎么说？", False),
    ],
)
def test_a_question_of_the_past_is_known(question: str, of_the_past: bool) -> None:
    assert asks_of_the_past(question) is of_the_past


@pytest.mark.parametrize("kind", LONG)
def test_a_long_question_is_looked_at_in_a_moment(kind: str) -> None:
    text = LONG[kind]
    started = time.process_time()
    for look in (asks_for_a_time, asks_for_a_name, asks_of_the_past):
        look(text)
    speakers_meant(["anna", text.strip() or "ben"], text)
    assert time.process_time() - started < 1
