"""Text as the full-text index sees it: terms of a text, terms of a question, the query itself.

Words are whole; scripts without spaces (Han, kana, hangul, Thai and its neighbours) are cut into
single characters and pairs, so that one- and two-character words are found.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from operator import add

from memory_core import stopwords

LONGEST_WORD = 64
"""Characters kept of one word: longer ones are hashes and encodings, not words."""

LONGEST_TEXT = 8_000_000
"""Characters of a text that are indexed. Far beyond any dialogue turn: only a fuse."""

QUESTION_CHARACTERS = 20_000
"""Characters of a question that are looked at, half from its beginning and half from its end."""

HIRAGANA = "\u3041-\u3096\u309d-\u309f"
KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HAN = "\u3005\u3007\u3105-\u312f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HANGUL = "\u1100-\u11ff\uac00-\ud7a3\ud7b0-\ud7fb"
THAI_LAO_BURMESE_KHMER = (
    "\u0e01-\u0e2e\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec6"
    "\u1000-\u102a\u1050-\u1055\u1780-\u17b3"
)
UNSPACED = f"{HAN}{HIRAGANA}{KATAKANA}{HANGUL}{THAI_LAO_BURMESE_KHMER}"
EMOJI = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

# What ends or joins sentences. Other signs make another word: "C++" and "C#", "A+" and "A-".
PUNCTUATION = dict.fromkeys(map(ord, ".,;:!?…。、\"'“”‘’「」『』()"), " ")


def clean(text: str) -> str:
    """The text with lone surrogates, which no database takes, as U+FFFD; nothing else changes."""
    return _LONE_SURROGATE.sub("\ufffd", text)


def normalised(text: str) -> str:
    """A text as it is compared for being the same statement: case, width, punctuation aside."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(folded.translate(PUNCTUATION).split())


def index_terms(text: str) -> list[str]:
    """Terms of a text in order, with repeats: NFKC, case-folded, of letters and digits only.

    "don't" is "dont", "Anna's" is "anna"; a run of an unspaced script gives its characters, then
    its pairs; an emoji is a term such as "u1f600". Made for the FTS5 tokenizer `porter unicode61
    remove_diacritics 2`. Of texts beyond `LONGEST_TEXT` the beginning is indexed.
    """
    terms: list[str] = []
    for token in _tokens(_folded(text[:LONGEST_TEXT])):
        if _is_unspaced(token):
            terms.extend(token)
            terms.extend(map(add, token, token[1:]))
        else:
            terms.append(token[:LONGEST_WORD])
    return terms


def query_terms(text: str, limit: int = 48) -> list[str]:
    """Distinct terms of a question for the same index, at most `limit`, in order.

    Function words of English, Chinese and Japanese are left out, unless nothing else is there. Of
    too many terms the longest are kept (a pair of an unspaced script counts as six letters), then
    the most repeated, then the first.
    """
    folded = _folded(_both_ends(text))
    terms = list(content_terms(folded)) or list(_question_terms(folded))
    counts = Counter(terms)
    if len(counts) <= limit:
        return list(counts)
    place = {term: index for index, term in enumerate(counts)}
    ranked = sorted(counts, key=lambda term: (-_weight(term), -counts[term], place[term]))
    return sorted(ranked[: max(limit, 0)], key=place.__getitem__)


def fts_query(terms: Iterable[str]) -> str:
    """An FTS5 query for any of the terms; each is quoted, so none is read as syntax.

    Without terms it is empty, which FTS5 refuses: do not ask it then.
    """
    bare = (term.replace("\0", "").replace('"', '""') for term in terms)
    return " OR ".join(f'"{term}"' for term in bare if term)


def content_terms(text: str) -> Iterator[str]:
    """Terms of a text without function words, with repeats: words, and pairs of unspaced runs."""
    bare = function_words().sub(_kept_or_gap, _folded(text))
    for term in _question_terms(bare):
        if term not in stopwords.ENGLISH and not _is_lone_hiragana(term):
            yield term


def without_function_words(text: str) -> str:
    """A question as its content words in order, in their own spelling; itself if none is left.

    "What activities does Anna partake in?" says to an encoder of sentences mostly that it is a
    question.
    """
    bare = _word().sub(_content_or_gap, function_words().sub(_kept_or_gap, text))
    left = " ".join(bare.translate(PUNCTUATION).split())
    return left or text


def parted(text: str) -> tuple[str, int]:
    """A text with blanks in place of characters of unspaced scripts, and how many there are."""
    return _unspaced().subn(" ", text)


def has_unspaced(text: str) -> bool:
    """Whether the text has any character of a script that is written without spaces."""
    return _unspaced().search(text) is not None


@cache
def function_words() -> re.Pattern[str]:
    """Chinese and Japanese function words; group 1 is a word that must stay whole."""
    return re.compile(
        f"({stopwords.CHINESE_KEPT})|{stopwords.CHINESE_WORDS}|{stopwords.JAPANESE_WORDS}"
        f"|{stopwords.JAPANESE_PARTICLES}"
    )


def _kept_or_gap(match: re.Match[str]) -> str:
    return match[1] or " "


def _content_or_gap(match: re.Match[str]) -> str:
    return " " if match[0].casefold() in stopwords.ENGLISH else match[0]


def _folded(text: str) -> str:
    text = unicodedata.normalize("NFKC", text).casefold()
    if not text.isascii():
        stand_ins = {char: _stand_in(char) for char in set(text)}
        table = {ord(char): other for char, other in stand_ins.items() if other != char}
        text = text.translate(table) if table else text
    return _clitics().sub(_join_clitic, text)


def _stand_in(char: str) -> str:
    if _emoji().match(char):
        return f" u{ord(char):x} "
    # Vowel signs and accents that did not compose would cut a word in two.
    return "" if unicodedata.category(char)[0] == "M" else char


def _join_clitic(match: re.Match[str]) -> str:
    return "nt" if match[0].startswith("n") else ""


def _both_ends(text: str) -> str:
    if len(text) <= QUESTION_CHARACTERS:
        return text
    half = QUESTION_CHARACTERS // 2
    return f"{text[:half]}\n{text[-half:]}"


def _question_terms(folded: str) -> Iterator[str]:
    for token in _tokens(folded):
        if not _is_unspaced(token):
            yield token[:LONGEST_WORD]
        elif len(token) == 1:
            yield token
        else:
            yield from map(add, token, token[1:])


def _tokens(folded: str) -> list[str]:
    return _token().findall(folded)


def _is_unspaced(token: str) -> bool:
    return token[0] > "\u0dff" and _unspaced().match(token) is not None


def _is_lone_hiragana(term: str) -> bool:
    return len(term) == 1 and "ぁ" <= term <= "ゟ"


def _weight(term: str) -> int:
    return 6 if _is_unspaced(term) else len(term)


@cache
def _token() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]+|[^\\W_{UNSPACED}]+")


@cache
def _word() -> re.Pattern[str]:
    letters = f"[^\\W\\d_{UNSPACED}]+"
    return re.compile(f"{letters}(?:['’]{letters})?")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(f"[{UNSPACED}]")


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile(f"[{EMOJI}]")


@cache
def _clitics() -> re.Pattern[str]:
    return re.compile(r"n['’]t\b|['’]s\b")
