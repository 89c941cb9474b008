"""What a question asks for, and about whom: seen by its words, without knowing the answer."""

import re

from memory_core.text import has_unspaced

LOOKED_AT = 800
"""Characters of a question that are looked at."""

_ASKS_TIME = re.compile(
    r"^\W*(?:when|how (?:long|often|many (?:days|weeks|months|years))"
    r"|(?:what|which|on what|on which|in what|in which) (?:year|date|day|month|time))\b"
    "|什么时候|什么时间|何时|几点|几号|几月|哪天|哪一天|哪年|哪一年|哪个月|多久|多长时间|いつ|何日|何時|何月|何年",
    re.IGNORECASE,
)
_ASKS_NAME = re.compile(
    r"^\W*(?:who|whose|where|which"
    r"|what (?:is the name|book|movie|film|city|country|game|song|band))\b"
    "|谁|哪里|哪儿|哪个|哪位|哪部|哪本|哪家|叫什么|名字|どこ|誰|だれ|どの|どれ|名前",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:talk(?:ed|ing)?|tell|told|discuss(?:ed)?|chat(?:ted)?|mention(?:ed)?|sa(?:y|id)|ask(?:ed)?"
    r"|recommend(?:ed)?|suggest(?:ed)?|advi[sc]ed?|conversations?|promised?|shared?|explain(?:ed)?)\b"
    "|聊|告诉|告訴|说|說|推荐|推薦|提到|提过|建议|建議|问|問|讨论|討論|分享|话题|話題"
    "|話し|言[いっ]|教えて|お?すすめ|相談",
    re.IGNORECASE,
)
# "Show me how", "explain it to me" and 帮我 ask for something and tell nothing of who asks.
_FAVOUR = re.compile(
    r"(?:^|[.!?,;:]|\bplease|\byou) *(?:give|help|let|show|teach|tell) (?:me|us)\b"
    r"|\b(?:for|to) (?:me|us)\b|(?:帮|幫|给|給|替|教|告诉|告訴)我",
    re.IGNORECASE,
)
_ASKER = re.compile(
    r"\b(?:i|me|my|mine|myself|we|us|our|ours|ourselves|i['’]\w+|we['’]\w+|the user(?:['’]s)?"
    r"|ich|mir|mich|mein\w*|wir|uns\w*|je|j['’]\w+|moi|mon|ma|mes|nous|nos|notre"
    r"|yo|mi|mis|nosotros|nuestr\w+|eu|meu|minha|nossa?|io|mio|mia|miei)\b"
    r"|[我俺咱]|私|僕|わたし|ぼく|自分|うちの|用户|用戶|ユーザー|\b(?:я|меня|мне|мо[йяеёюи]\w{0,2}|мы|нас|наш\w*)\b"
    "|(?<![가-힣])(?:나|내|저|제|우리)(?:는|가|의|를|도)?(?![가-힣])",
    re.IGNORECASE,
)


def asks_for_a_time(question: str) -> bool:
    return _ASKS_TIME.search(question[:LOOKED_AT]) is not None


def asks_for_a_name(question: str) -> bool:
    return _ASKS_NAME.search(question[:LOOKED_AT]) is not None


def is_named(speaker: str, question: str) -> bool:
    """Whether a question names a speaker, by the first or by the whole name."""
    first, asked = speaker.split()[0], question[:LOOKED_AT].casefold()
    if first not in asked or has_unspaced(first):
        return first in asked
    return re.search(rf"(?<!\w){re.escape(first)}(?!\w)", asked) is not None


def asks_what_was_said(question: str) -> bool:
    """Whether it is about a conversation: a time that it names is when that took place."""
    return _SAID.search(question[:LOOKED_AT]) is not None


def is_about_the_asker(question: str) -> bool:
    """Whether somebody asks about themselves, which only a memory can know."""
    return _ASKER.search(_FAVOUR.sub(" ", question[:LOOKED_AT])) is not None
