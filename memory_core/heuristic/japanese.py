"""Japanese sentences: the commonest plain statements.

Japanese leaves out "I", so a sentence counts as the user's own unless it names another topic.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.rules import Finding, Rule, Shape
from memory_core.records import About

OBJECT = r"(?P<x>[^はがも、。？?]{1,24}?)"
LONGEST_NAME = 12


def is_written_in(sentence: str) -> bool:
    """Whether the sentence has hiragana or katakana."""
    return _kana().search(sentence) is not None


def user_findings(sentence: str) -> Iterator[Finding]:
    """What the user states of themselves in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, _user_rules())


def assistant_findings(sentence: str) -> Iterator[Finding]:
    """What the assistant states of itself or promises in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, _assistant_rules())


def _clauses(sentence: str) -> Iterator[str]:
    if _asks_or_reports().search(sentence):
        return
    for part in re.split(r"[、，,。！!]|(?<=が)(?=(?:私|僕|俺))", sentence):
        clause = _lead_in().sub("", part.strip())
        if clause:
            yield clause


def _thing(raw: str) -> list[str]:
    found = re.sub(r"^(?:この|その|あの|私の(?=..)).*", "", raw.strip())
    vague = (
        "(?:これ|それ|あれ|こと|もの|ここ|そこ|あなた|君|何|どこ|誰|彼|彼女|友達|母|父|姉|兄|弟|妹)"
    )
    return [] if not found or re.match(vague, found) or "あなた" in found else [found]


def _name(raw: str) -> list[str]:
    return (
        [] if len(raw) > LONGEST_NAME or re.search(r"[をにへでと]|もの|こと", raw) else _thing(raw)
    )


@cache
def _user_rules() -> tuple[Rule, ...]:
    me = (
        "(?:(?:私|僕|俺|わたし|ぼく)(?:は|も|って)?)?(?:今は?|現在は?|実は|最近は?|とても|"
        "本当に|ずっと)*"
    )

    def rule(
        section: str, form: str, text: str, shape: Shape = _thing, attribute: str = ""
    ) -> Rule:
        return Rule(re.compile(rf"{me}{form}"), text, section, shape, attribute)

    return (
        rule(
            rules.STANDING,
            "(?P<x>(?:これから|今後|以後|いつも|必ず|毎回)は?.*(?:てください|て下さい|"
            "でください|でね|てね))$",
            "ユーザーの要望：{x}。",
            lambda raw: [raw],
        ),
        rule(
            rules.IDENTITY,
            rf"(?:(?:私|僕)の)?名前は{OBJECT}(?:です|だ|と(?:言|い|申し)(?:い)?ます)$",
            "ユーザーの名前は{x}。",
            _name,
            "name",
        ),
        rule(
            rules.IDENTITY,
            rf"{OBJECT}と(?:申します|いいます|言います)$",
            "ユーザーの名前は{x}。",
            _name,
            "name",
        ),
        rule(
            rules.IDENTITY,
            rf"{OBJECT}に(?:住んでいます|住んでます|住んでいる|住んでる|暮らしています)$",
            "ユーザーは{x}に住んでいる。",
            _thing,
            "home",
        ),
        rule(
            rules.IDENTITY,
            rf"{OBJECT}(?:に|へ)(?:引っ越しました|引っ越した|引越しました)$",
            "ユーザーは{x}に住んでいる。",
            _thing,
            "home",
        ),
        rule(
            rules.IDENTITY,
            rf"{OBJECT}(?:出身です|の出身です|から来ました|生まれです)$",
            "ユーザーは{x}出身。",
            _thing,
            "origin",
        ),
        rule(rules.IDENTITY, r"(?P<x>\d{1,3})歳です$", "ユーザーは{x}歳。", _thing, "age"),
        rule(
            rules.IDENTITY,
            r"(?:誕生日は)(?P<x>\d{1,2}月\d{1,2}日)です$",
            "ユーザーの誕生日は{x}。",
            _thing,
            "birthday",
        ),
        rule(
            rules.IDENTITY,
            r"(?P<x>[^はがも、。]{1,10}語)が?(?:を)?(?:話せます|できます)$",
            "ユーザーは{x}を話せる。",
        ),
        rule(
            rules.HEALTH,
            r"(?P<x>[^はが、。]{1,12}?)(?:の)?アレルギーが?(?:あります|です|がある|持ちです)$",
            "ユーザーは{x}アレルギーがある。",
            _thing,
            "allergy:{key}",
        ),
        rule(
            rules.HEALTH,
            r"(?P<x>ベジタリアン|ヴィーガン|ビーガン|菜食主義者)です$",
            "ユーザーは{x}。",
            _thing,
            "diet",
        ),
        rule(
            rules.WORK,
            rf"{OBJECT}で(?:働いています|働いてます|勤務しています)$",
            "ユーザーは{x}で働いている。",
            _thing,
            "employer",
        ),
        rule(
            rules.WORK,
            "(?P<x>[^はがも、。]{0,10}(?:教師|医師|医者|看護師|エンジニア|プログラマー|学生|"
            "大学生|会社員|デザイナー|弁護士|"
            r"公務員|主婦|研究者|美容師|料理人|作家|漫画家))です$",
            "ユーザーは{x}。",
            _thing,
            "job",
        ),
        rule(
            rules.PREFERENCES,
            r"(?:一番|いちばん)?好きな(?P<k>[^はがも、。]{1,8})は(?P<x>[^はが、。]{1,20}?)です$",
            "ユーザーの好きな{k}は{x}。",
            _thing,
            "favourite {k}",
        ),
        rule(
            rules.PREFERENCES,
            rf"{OBJECT}が(?:大好き|好き)(?:です|だ|なんです)$",
            "ユーザーは{x}が好き。",
            _thing,
            "taste:{key}",
        ),
        rule(
            rules.PREFERENCES,
            rf"{OBJECT}(?:が|は)(?P<v>嫌い|苦手|好きではありません|好きじゃない)(?:です|だ)?$",
            "ユーザーは{x}が{v}。",
            _thing,
            "taste:{key}",
        ),
        rule(
            rules.RELATIONSHIPS,
            r"(?P<x>(?:犬|猫|うさぎ|ハムスター|鳥)(?:を?[一二三四五\d]匹)?)を?飼っています$",
            "ユーザーは{x}を飼っている。",
        ),
        rule(
            rules.GOALS,
            rf"{OBJECT}を(?:勉強しています|勉強してます|習っています|学んでいます)$",
            "ユーザーは{x}を勉強している。",
        ),
    )


@cache
def _assistant_rules() -> tuple[Rule, ...]:
    promise = Rule(
        re.compile(
            "(?:私が|私は)?(?P<x>[^。]{2,30})を?(?:リマインドします|お知らせします|覚えておきます)$"
        ),
        "アシスタントの約束：{x}を知らせる・覚えておく。",
        rules.OTHER,
        _thing,
        about=About.ASSISTANT,
        confidence=rules.LOW_CONFIDENCE,
    )
    return (promise,)


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(
        "^(?:こんにちは|はじめまして|初めまして|えっと|実は|ちなみに|あと|それから|でも|だから|"
        "はい|うん|ところで)+"
    )


@cache
def _asks_or_reports() -> re.Pattern[str]:
    return re.compile(
        "[?？]|(?:か|かな|でしょうか)。?$|もし|たら[、,]|(?:と|って)(?:言|い)って|と言った|"
        "そうです|らしい|かもしれ|たぶん|多分|みたい"
    )
