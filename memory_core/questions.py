"""What a question asks for, and about whom: seen by its words, without knowing the answer."""

import re
from collections.abc import Collection
from itertools import pairwise

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
# "What books", "which other cities", "what kinds of tea": a noun in the plural before the verb.
_SEVERAL = re.compile(
    r"^\W*(?:what|which)(?: (?:kinds?|types?|sorts?) of)?"
    r"(?: (?!(?:do|did|does|is|was|has|as)\b)[\w'’+-]+){0,2}?"
    r" (?!(?:does|is|was|has|as|makes?|happens|helps|keeps|this|his|\w*us|\w*is|gas|news)\b)"
    r"[\w'’+-]*[^\W\d_s]s\b"
    r"|^\W*what (?:has|have) |\bhow many\b|\b(?:in )?what ways\b|\bin common\b"
    r"|\bboth\b|\b(?:all|list) (?:of )?(?:the|my)\b"
    "|哪些|哪几|多少[个本次部只家种]|几[本次部只家种]|几个(?!月|星期|小时)|共同|都有什么|列出|いくつ|何[冊回本匹人]|どんな.*(?:ありますか|があった)|共通",
    re.IGNORECASE,
)
# What stands between two names that are named in one breath.
_AND = re.compile(
    r"(?:['’]s)?(?: *(?:,|&|/|\+|as well as|and also|and|or|und|oder|et|ou|y|e|o|и))+ *"
    "|(?:さん|くん|ちゃん)?(?:、|と|や|か)|[和跟与與及或、]|(?:와|과|하고) *"
)
_BOTH = re.compile(
    r"\bin common\b|\bboth\b|\btogether\b|共同|都(?=[有喜爱想会去])|一起|共通|二人", re.I
)
_ASIDE = re.compile(
    r"\W*(?:after|before|when|while|since|during|besides|apart from)\b[^,?]{0,80},", re.I
)
_SAID = re.compile(
    r"\b(?:talked|talking|told|discussed|chatted|mentioned|said|asked|recommended|suggested|advised"
    r"|conversations?|promised|shared|explained)\b"
    r"|(?<!\bdo )\b(?:you|we|i|he|she|they|did \w+(?: and \w+)?) "
    r"(?:talk|tell|discuss|chat|mention|say|ask|recommend|suggest|advise|promise|share|explain)\b"
    "|聊|告诉|告訴|(?<!怎么)(?<!如何)[说說]|推荐|推薦|提到|提过|建议|建議|问|問|讨论|討論|分享|话题|話題"
    "|話し|言[いっ]|教えて|お?すすめ|相談",
    re.IGNORECASE,
)
_HAPPENED = re.compile(
    r"\b(?:happen(?:ed|s|ing)?|went on|been up to|going on)\b"
    "|发生|發生|干了什么|做了什么|起き(?:た|まし)|あった|ありました",
    re.IGNORECASE,
)
# "Show me how", "can I mix ...", "explain it to me" and 帮我 ask for something, and tell nothing of
# who asks.
_FAVOUR = re.compile(
    r"(?:^|[.!?,;:]|\bplease|\byou) *(?:give|help|let|show|teach|tell|write|make|find) (?:me|us)\b"
    r"|\bhow (?:can|could|do|should|would|to) (?:i|we)\b"
    r"|(?:^|[.!?,;:]) *(?:can|could|may|should) (?:i|we)\b"
    r"|\b(?:for|to) (?:me|us)\b"
    r"|\b(?:zeig|sag|erklär)\w* (?:mir|uns)\b|-(?:moi|nous)\b|\bme puedes?\b"
    r"|\b(?:скажи|расскажи|объясни)\w* мне\b"
    "|(?:帮|幫|给|給|替|教|告诉|告訴)我|我(?:该|應該|应该|要|想)?(?:怎么|怎樣|怎样|如何|想问|想知道)(?:才能|做|写|学|用)"
    "|请问我",
    re.IGNORECASE,
)
# Words whose capitals make them something else: "US", "ME/CFS", "Mi 10", "Yo-Yo Ma".
_OWN_WORDS = re.compile(
    r"\b(?:me|us|ma|mon|mes|mi|mis|mí|mío|mía|io|mio|mia|miei|yo|meu|minha|eu)\b(?![-.])"
    r"|\b(?:Mon|Ma|Mes|Mi|Mis|Yo|Io|Mio|Mia|Meu|Minha|Eu) (?=[a-zà-ÿ])"
    # Not the one of "World War I" and "Elizabeth I".
    r"|(?<!War )\bI\b(?! *(?:[?.,!)]|$))|\bi\b(?!\.)|\b[Ii]['’]\w+"
)
_ASKER = re.compile(
    r"\b(?:my|mine|myself|we|our|ours|ourselves|we['’]\w+|(?:mum|mom|dad|grandma|grandpa)['’]s"
    r"|the user(?:['’]s)?(?! interface| experience| guide| manual| name| agent)"
    r"|ich|mir|mich|mein(?:e[mnrs]?)?|wir|uns|unser\w*"
    r"|je|j['’]\w+|moi|m['’]\w+|nous|notre|nos"
    r"|soy|tengo|vivo|estoy|nosotros|nuestr[oa]s?|sou|tenho|moro|nossa?|abito)\b"
    "|(?<![自忘唯无小本])我(?!国|國|的世界|方|军)|[俺咱]|本人|老婆|老公"
    "|私(?![立鉄有的物服語道小財法])|僕|わたし|わたくし|あたし|ぼく|ボク|オレ|自分(?!とは)|うちの|[妻夫娘]の|息子の"
    "|用户(?!界面|体验|名|协议)|用戶|ユーザー(?!イン|名)"
    r"|\b(?:я|меня|мне|мной|мою|мо(?:й|я|ё|е|и|его|ей|ему|им|их|ими)|мы|нас|нам|нами|наш\w{0,3})\b"
    "|(?<![가-힣])(?:나|내|저|제|우리|저희)(?:는|가|의|를|도)?(?![가-힣])",
    re.IGNORECASE,
)


def asks_for_a_time(question: str) -> bool:
    return _ASKS_TIME.search(question[:LOOKED_AT]) is not None


def asks_for_a_name(question: str) -> bool:
    return _ASKS_NAME.search(question[:LOOKED_AT]) is not None


def asks_for_several(question: str) -> bool:
    """Whether it asks for several things, which were hardly all told in one sitting."""
    return _SEVERAL.search(question[:LOOKED_AT]) is not None


def speakers_meant(speakers: Collection[str], question: str) -> set[str]:
    """Of the speakers of a memory those whose words a question asks for: the ones that it names.

    Where it names all of them it is the first: "What did Jon tell Gina?" asks for what Jon said.
    Nobody is meant before others when none is named, or all in one breath ("Jon and Gina").
    """
    asked = question[:LOOKED_AT]
    places = {name: found.span() for name in speakers if (found := _name_in(asked, name))}
    if len(places) < len(speakers):
        return {*places}
    in_order = sorted({*places.values()})
    between = [asked[one[1] : other[0]] for one, other in pairwise(in_order)]
    if all(_AND.fullmatch(words) for words in between) or _BOTH.search(asked):
        return set()
    # "After talking to Gina, what did Jon buy?" asks for what stands behind the comma.
    asked_for = _ASIDE.match(asked)
    later = [place for place in in_order if asked_for and place[0] >= asked_for.end()]
    first = (later or in_order)[0]
    return {name for name, place in places.items() if place == first}


def _name_in(asked: str, speaker: str) -> re.Match[str] | None:
    """Where a question names a speaker, by the first or by the whole name, in capitals if it can:
    "Will" rather than "will".
    """
    first = next(iter(speaker.split()), "")
    # Mostly it is not there: patterns of long names take a second to make.
    if not first or first.casefold() not in asked.casefold():
        return None
    name = re.escape(first)
    form = name if has_unspaced(first) else rf"(?<!\w){name}(?!\w)"
    found = [*re.finditer(form, asked, re.IGNORECASE)]
    capital = (match for match in found if not match[0][0].islower())
    return next(capital, found[0] if found else None)


def asks_what_was_said(question: str) -> bool:
    """Whether it is about a conversation: a time that it names is when that took place."""
    return _SAID.search(question[:LOOKED_AT]) is not None


def is_about_the_asker(question: str) -> bool:
    """Whether somebody asks about themselves, which only a memory can know."""
    asked = _FAVOUR.sub(" ", question[:LOOKED_AT])
    return (_ASKER.search(asked) or _OWN_WORDS.search(asked)) is not None


def asks_of_the_past(question: str) -> bool:
    """Whether a time that it names is one of the asker's own, and not any June or any 2024."""
    return (
        is_about_the_asker(question)
        or asks_what_was_said(question)
        or _HAPPENED.search(question[:LOOKED_AT]) is not None
    )
