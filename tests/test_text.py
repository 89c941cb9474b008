"""Terms, sentences, pieces, keywords and summaries, in several scripts and on bad input."""

import time

import apsw
import pytest

from memory_core.keywords import keywords, summarise, title
from memory_core.sentences import pieces, sentences
from memory_core.text import (
    clean,
    fts_query,
    index_terms,
    normalised,
    query_terms,
    without_function_words,
)

ODD = (
    "",
    " \n\t",
    "\ud800 lone \udfff",
    "a\0b\x07",
    "。！？",
    "😀👍🏽🇯🇵",
    "z̷̢̛a̵lgo",
    "हिन्दी ภาษาไทย עברית",
    "." * 3000,
    "x" * 3000,
    "\n" * 3000,
)
TWO_MEGABYTES = {
    "english": "Doesn't Anna's quick brown fox jump over 13 lazy dogs? " * 38_000,
    "chinese": "我喜欢的电影是什么？" * 67_000,
    "one word": "QWxhZGRpbjpvcGVu" * 130_000,
    "emoji": "😀é" * 330_000,
}
MARKS = {
    "full stops": "." * 2_000_000 + "x",
    "quotation marks": ".x" + '"' * 2_000_000,
    "spaces": " " * 2_000_000,
    "no border at all": "今天天气很好" * 330_000,
}


def rows_matching(stored: str, question: str) -> list[tuple[int]]:
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE t USING fts5(x, tokenize='porter unicode61 remove_diacritics 2')"
    )
    connection.execute("INSERT INTO t VALUES (?)", (" ".join(index_terms(stored)),))
    query = fts_query(query_terms(question))
    return list(connection.execute("SELECT rowid FROM t WHERE t MATCH ?", (query,)))


def test_clean_replaces_lone_surrogates_and_nothing_else() -> None:
    assert clean("a\ud800b\udfff") == "a\ufffdb\ufffd"
    assert clean("\0 \x07\r\n😀 ﬁ Ａ") == "\0 \x07\r\n😀 ﬁ Ａ"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Don't touch ANNA'S piano", ["dont", "touch", "anna", "piano"]),
        ("ＡＢＣ memory_core 3.5", ["abc", "memory", "core", "3", "5"]),
        ("喜欢茶", ["喜", "欢", "茶", "喜欢", "欢茶"]),
        ("茶!", ["茶"]),
        ("한국", ["한", "국", "한국"]),
        ("カフェ", ["カ", "フ", "ェ", "カフ", "フェ"]),
        ("我爱Python", ["我", "爱", "我爱", "python"]),
        ("so 😀!", ["so", "u1f600"]),
        ("हिन्दी", ["हनद"]),
        ("\ud800", []),
    ],
)
def test_a_text_becomes_these_terms(text: str, terms: list[str]) -> None:
    assert index_terms(text) == terms


@pytest.mark.parametrize("text", ODD)
def test_terms_hold_nothing_but_letters_and_digits(text: str) -> None:
    assert all(term.isalnum() and len(term) <= 64 for term in index_terms(text))
    assert all(term.isalnum() for term in query_terms(text))


@pytest.mark.parametrize(
    ("stored", "question"),
    [
        ("We watched two movies at the café.", "Which MOVIE did I watch?"),
        ("Anna's birthday is in May", "anna"),
        ("O'Brien called", "o'brien"),
        ("我昨天看了一部电影", "电影"),
        ("我对食物过敏", "你知道我的过敏吗？"),
        ("茶", "茶"),
        ("映画館で友達と会った", "映画はどこで？"),
        ("오늘 한국어 공부", "한국어"),
        ("great 😀", "😀"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full"),
        ("naïve", "naive"),
    ],
)
def test_a_question_finds_the_text(stored: str, question: str) -> None:
    assert rows_matching(stored, question)


@pytest.mark.parametrize("question", ['" OR x:*', "NEAR(a b)", "a* ^b -c", "'; DROP TABLE t; --"])
def test_a_question_is_never_read_as_syntax(question: str) -> None:
    assert rows_matching("nothing of that kind", question) == []


def test_a_term_with_quotes_and_nul_stays_one_term() -> None:
    assert fts_query(['a"b', "c\0d", "\0"]) == '"a""b" OR "cd"'
    assert fts_query([]) == ""


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("What is my favourite colour?", ["favourite", "colour"]),
        ("我喜欢的电影是什么？", ["喜欢", "电影"]),
        ("我的目的地在哪里", ["目的", "的地"]),
        ("私の映画は何ですか", ["映画"]),
        ("who are you", ["who", "are", "you"]),
        ("我们是什么", ["我们", "们是", "是什", "什么"]),
        ("tea Tea TEA", ["tea"]),
    ],
)
def test_a_question_keeps_its_content_words(question: str, terms: list[str]) -> None:
    assert query_terms(question) == terms


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("What activities does Anna partake in?", "activities Anna partake"),
        ("WHERE did Zoë GO in 2023?", "Zoë GO 2023"),
        ("Is Noël with Inès and Iñaki?", "Noël Inès Iñaki"),
        ("C++ or C#?", "C++ C#"),
        ("我喜欢的电影是哪一部", "喜欢 电影 一部"),
        ("目的地在哪里", "目的地"),
        ("私の映画は何ですか", "映画"),
        ("What does 小明 like?", "小明"),
        ("the小明", "小明"),
        ("tea", "tea"),
    ],
)
def test_a_question_without_its_function_words_keeps_the_others_as_they_are_written(
    question: str, left: str
) -> None:
    assert without_function_words(question) == left


@pytest.mark.parametrize("text", [*ODD, "what is it", "的", "?!", "は"])
def test_of_a_question_something_is_always_left(text: str) -> None:
    left = without_function_words(text)
    assert bool(left) == bool(text)
    assert set(left) <= {*text, " "}


def test_a_question_of_nothing_but_function_words_is_left_alone() -> None:
    for text in ("What is it?", "的", "the"):
        assert without_function_words(text) == text


def test_a_pasted_prompt_keeps_its_longest_terms_in_order() -> None:
    filler = " ".join(f"w{n}" for n in range(500))
    terms = query_terms(f"photosynthesis {filler} chlorophyll", limit=2)
    assert terms == ["photosynthesis", "chlorophyll"]
    assert len(query_terms(filler)) == 48


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "I paid 3.5. See https://a.b/c?d=1.2 now!",
            ["I paid 3.5.", "See https://a.b/c?d=1.2 now!"],
        ),
        ("E.g. this, e.g. that. Dr. Ito came.", ["E.g. this, e.g. that.", "Dr. Ito came."]),
        ("well... ok. It was... Yes.", ["well... ok.", "It was...", "Yes."]),
        ("1. Buy milk\n2. Eat", ["1. Buy milk", "2. Eat"]),
        ("J. K. Rowling? No!", ["J. K. Rowling?", "No!"]),
        (
            "我住北京。你呢？价格3.5元……真的!是的",
            ["我住北京。", "你呢？", "价格3.5元……真的!", "是的"],
        ),
        ("他说“好的！”然后走了。", ["他说“好的！”", "然后走了。"]),
        ("はい。そうです", ["はい。", "そうです"]),
        (" \n ", []),
    ],
)
def test_a_text_has_these_sentences(text: str, found: list[str]) -> None:
    assert sentences(text) == found


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("window", [1, 7, 1000])
def test_pieces_are_few_and_lose_no_character_but_space(text: str, window: int) -> None:
    found = pieces(text, window, most=5)
    assert len(found) <= 5
    assert bool(found) == bool(text)
    assert "".join("".join(found).split()) == "".join(text.split())


def test_pieces_end_at_sentences_and_within_the_window() -> None:
    text = "One two three. Four five six. " * 20
    found = pieces(text, 50)
    assert all(len(piece) <= 50 and piece.endswith(".") for piece in found)


def test_a_long_sentence_is_cut_at_a_space() -> None:
    assert pieces("alpha beta gamma", 12) == ["alpha beta", "gamma"]
    assert pieces("今天天气很好" * 2, 6) == ["今天天气很好", "今天天气很好"]


def test_keywords_are_the_topic_and_not_the_manners() -> None:
    said = [
        "Hi! I really want to tell you about my trip to Lisbon. The trams in Lisbon are lovely.",
        "That sounds great! Which trams did you take in Lisbon?",
    ]
    assert keywords(said, 2) == ("lisbon", "tram")
    assert not {"really", "great", "want", "user"} & set(keywords(said))


def test_keywords_of_chinese_are_words_and_not_particles() -> None:
    said = ["我最近在学习清蒸鲈鱼的做法。", "清蒸鲈鱼非常好吃，你的厨艺很厉害。"]
    found = keywords(said)
    assert found[0] == "清蒸鲈鱼"
    assert "厨艺" in found
    assert all(2 <= len(word) <= 4 for word in found)


def test_keywords_fold_plurals_and_drop_the_labels_of_a_page() -> None:
    assert keywords(["User: cities, movies and boxes\nAssistant: a city, a movie, a box"]) == (
        "movie",
        "city",
        "box",
    )


def test_a_page_shares_keywords_with_its_topic() -> None:
    page = ["I am climbing again, with new climbing shoes.", "Climbing needs good shoes."]
    other = ["My sourdough bread did not rise.", "Is the sourdough starter warm enough?"]
    topic = [*page, "Which climbing gym is near?", "There is a climbing gym at the station."]
    assert set(keywords(page)) & set(keywords(topic)) >= {"climbing", "shoe"}
    assert not set(keywords(other)) & set(keywords(topic))


def test_a_summary_holds_whole_sentences_in_order() -> None:
    text = [
        "The garden needs water. Hm! My garden grows tomatoes and beans in spring.",
        "Tomatoes and beans need water. Is the garden sunny?",
    ]
    found = summarise(text, 100)
    assert len(found) <= 100
    every = [sentence for part in text for sentence in sentences(part)]
    chosen = sentences(found)
    assert chosen == [sentence for sentence in every if sentence in chosen]
    assert "My garden grows tomatoes and beans in spring." in chosen


def test_a_sentence_longer_than_the_summary_is_cut_with_an_ellipsis() -> None:
    found = summarise(["garden " * 100], 50)
    assert len(found) <= 50
    assert found.endswith("…")


def test_a_summary_of_chinese_has_no_gaps() -> None:
    found = summarise(["我们去公园散步。公园的樱花很美。", "公园散步很舒服。"], 40)
    assert "公园" in found
    assert " " not in found


def test_a_title_is_short_and_made_of_keywords() -> None:
    assert title(["Sourdough bread again: the sourdough did not rise."]).startswith("sourdough")
    assert "、" in title(["清蒸鲈鱼和红烧排骨。清蒸鲈鱼和红烧排骨。"])
    assert len(title(["Donaudampfschifffahrtsgesellschaft" * 9])) <= 60
    assert title(["Hi you"]) == "Hi you"
    assert title([]) == ""


@pytest.mark.parametrize("texts", [[], [*ODD], *([text] for text in ODD)])
def test_odd_texts_still_have_keywords_summary_and_title_of_bounded_size(texts: list[str]) -> None:
    assert len(keywords(texts, 3)) <= 3
    assert len(summarise(texts, 20)) <= 20
    assert len(title(texts)) <= 60


@pytest.mark.parametrize("kind", TWO_MEGABYTES)
def test_two_megabytes_are_indexed_in_moments(kind: str) -> None:
    started = time.process_time()
    index_terms(TWO_MEGABYTES[kind])
    query_terms(TWO_MEGABYTES[kind])
    assert time.process_time() - started < 5


@pytest.mark.parametrize("kind", TWO_MEGABYTES)
def test_a_question_of_two_megabytes_is_stripped_in_moments(kind: str) -> None:
    started = time.process_time()
    without_function_words(TWO_MEGABYTES[kind])
    assert time.process_time() - started < 5


@pytest.mark.parametrize("kind", [*MARKS, *TWO_MEGABYTES])
def test_no_text_makes_the_sentences_slow(kind: str) -> None:
    text = {**MARKS, **TWO_MEGABYTES}[kind]
    started = time.process_time()
    assert len(pieces(text, 1000)) <= 32
    summarise([text])
    keywords([text])
    assert time.process_time() - started < 10


def test_statements_are_the_same_but_for_case_width_and_end_marks() -> None:
    assert normalised("Ｉ like  Tea.") == normalised("i like tea")
    assert normalised("我喜欢茶。") == normalised("我喜欢茶")
    assert normalised("I like tea") != normalised("I like coffee")
