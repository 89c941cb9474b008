"""Chinese sentences: which clauses of them state something, and what."""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import words
from memory_core.heuristic.chinese.forms import MEASURE
from memory_core.heuristic.chinese.objects import instruction
from memory_core.heuristic.chinese.rules import assistant_rules, user_rules
from memory_core.heuristic.rules import Finding

INHERITING = frozenset((rules.IDENTITY, rules.WORK, rules.PREFERENCES, rules.HEALTH))
"""Sections after whose statements a clause without a subject goes on about the user."""


def is_written_in(sentence: str) -> bool:
    """Whether the sentence has Chinese characters and no kana."""
    return _han().search(sentence) is not None and _kana().search(sentence) is None


def user_findings(sentence: str) -> Iterator[Finding]:
    """What the user states of themselves in one sentence."""
    about_user = False
    for clause in _clauses(sentence):
        found = list(rules.findings(clause, user_rules()))
        if not found and about_user and _goes_on().match(clause):
            found = list(rules.findings(f"我{clause}", user_rules()))
        about_user = any(finding.section in INHERITING for finding in found)
        yield from found or _to_remember(sentence, clause)


def assistant_findings(sentence: str) -> Iterator[Finding]:
    """What the assistant states of itself, promises or advises in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, assistant_rules())


def _to_remember(sentence: str, clause: str) -> Iterator[Finding]:
    """A thing that the user asks to be remembered, when no rule understands it better."""
    if _remember().match(sentence) and clause.startswith("我"):
        said = re.sub(r"^我们?|(?<=[，,])我(?=的)", "用户", clause)
        if instruction(said):
            yield Finding(text=f"{said}。", section=rules.OTHER)


def _clauses(sentence: str) -> Iterator[str]:
    sentence = _pet_names().sub(r"\1叫", _from_now_on().sub(r"\1", sentence.strip()))
    for clause in _statements(sentence):
        bare = _lead_in().sub("", clause).strip(" ，,：:")
        if _stops().search(bare):
            return
        if bare and not _unsure().search(bare):
            yield bare


def _statements(sentence: str) -> list[str]:
    """The clauses of a sentence without the questions in it."""
    clauses = [part.strip() for part in _borders().split(sentence) if part.strip()]
    if not clauses:
        return []
    asked = sentence.rstrip("”」\"' ").endswith(("？", "?"))
    if asked and _tag().fullmatch(clauses[-1].rstrip("？?")):
        return []
    told = clauses[:-1] if asked else clauses
    return [clause for clause in told if not _asks().search(clause)]


@cache
def _han() -> re.Pattern[str]:
    return re.compile(r"[\u3400-\u9fff]")


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")


@cache
def _borders() -> re.Pattern[str]:
    return re.compile(
        r"[，,；;：:。！!\s]+(?![A-Za-z])|——|……|(?<=[\u3400-\u9fff])(?=(?:但是|可是|不过|因为|"
        "所以)我)"
    )


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(
        rf"^(?:[\W_]++|(?:{words.LEAD_INS})(?=[，,：:！!~～\s]|我|请|以后|$)"
        r"[，,：:！!~～\s]*)+(?=\S)"
    )


@cache
def _asks() -> re.Pattern[str]:
    return re.compile(
        "[?？]|吗$|呢$|什么|哪[里个些儿]|谁|怎么|怎样|为什么|多少|是否|能不能|有没有|会不会|"
        "要不要|是不是|好不好|如何|可不可以"
    )


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(
        "(?:对|是|好|行|不是|没错|真的)?(?:吗|吧|么|不对|不是|对不对|是不是|是吧|对吧|记得吗|"
        "你记得吗)"
    )


@cache
def _stops() -> re.Pattern[str]:
    """From such a clause on nothing is stated: conditions, fiction, and what others say."""
    return re.compile(
        "^(?:如果|要是|假如|假设|倘若|万一|即使|就算|若是?|假装|想象|幻想|等我|当我|每当|"
        "要不是|早知道|例如|比方|梦见|"
        r"我梦见|我幻想|开个?玩笑|逗你)|"
        "(?:他|她|他们|她们|朋友|同学|同事|妈妈?|爸爸?|父母|老师|老板|医生|经理|有人|别人|大家|"
        "书里|书上|电影里|歌词|小说里|小说|"
        r"主角|[\u4e00-\u9fff]{1,3}(?<!我))(?:跟我|对我|和我|曾经|曾|常|总|就|也)*"
        "(?:说过?|告诉我|问我?|表示|写道|写着|认为|觉得|唱|提到|抱怨|开玩笑)(?:[:：，,]|$|我|"
        "他|她|自己)|^(?:他|她)说"
    )


@cache
def _unsure() -> re.Pattern[str]:
    return re.compile(
        r"可能|也许|大概|或许|好像|似乎|应该是|说不定|差点|仿佛|本来想|原本|不一定|我猜"
    )


@cache
def _goes_on() -> re.Pattern[str]:
    return re.compile(
        f"(?:{words.ADVERBS})*(?:今年|住在|来自|喜欢|讨厌|不喜欢|是一[名个位]|"
        f"在.{{2,20}}(?:工作|上班|读书|上学)|在.{{2,20}}(?:当|做).|从事|爱好|对.+过敏|"
        rf"会说|擅长|最喜欢|不吃|不喝|爱吃|叫(?=[\u4e00-\u9fff]{{2,4}}$)|老家|"
        "属[鼠牛虎兔龙蛇马羊猴鸡狗猪]|热爱|想学|打算|养了)"
    )


@cache
def _pet_names() -> re.Pattern[str]:
    return re.compile(
        rf"((?:{words.COUNTS}){MEASURE}[\u4e00-\u9fff]{{0,4}}?(?:{words.PETS}|{words.RELATIVES}))"
        r"[，,](?:它|他|她)?(?:的)?(?:名字)?(?:叫|是叫)"
    )


@cache
def _from_now_on() -> re.Pattern[str]:
    return re.compile(r"(从现在(?:开始|起)|以后|今后|从今(?:以后|往后|天起))[，,]\s*")


@cache
def _remember() -> re.Pattern[str]:
    return re.compile(
        r"(?:请|麻烦)?(?:你|您)?(?:帮我)?(?:记住|记一下|记下来?|别忘了)[，,：:]?\s*我"
    )
