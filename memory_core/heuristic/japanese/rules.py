"""The Japanese rules: the commonest plain statements."""

import re
from collections.abc import Callable
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.japanese import words
from memory_core.heuristic.rules import Besides, Rule, Shape
from memory_core.records import About

OBJECT = r"(?P<x>[^はがも、。？?]{1,24}?)"
LONGEST_NAME = 12


@cache
def user_rules() -> tuple[Rule, ...]:
    me = (
        "(?:(?:私|僕|俺|わたし|ぼく)(?:は|も|って)?)?(?:今は?|現在は?|実は|最近は?|とても|"
        "本当に|ずっと)*"
    )

    def rule(
        section: str,
        form: str,
        text: str,
        shape: Shape = _thing,
        attribute: str = "",
        besides: Besides | None = None,
        *,
        key: Callable[[str], str] = str.casefold,
        ends: bool = False,
    ) -> Rule:
        pattern = re.compile(rf"{me}{form}")
        return Rule(pattern, text, section, shape, attribute, key, ends=ends, besides=besides)

    when = "(?:昨日|今日|先週|先月|今月|去年|今年|最近|この前)?"
    kinds = (
        (words.ONLY_ONE, "{k}の名前"),
        (words.RELATIVES, "{k} {x}"),
        (words.PETS, "ペット {x}"),
    )

    return (
        rule(
            rules.STANDING,
            "(?P<x>(?:これから|今後|以後|いつも|必ず|毎回)は?.*(?:てください|て下さい|"
            "でください|でね|てね))$",
            "ユーザーの要望：{x}。",
            lambda raw: [raw],
        ),
        rule(
            rules.STANDING,
            "(?P<x>(?:絵文字|顔文字|敬語|専門用語|英語|箇条書き|表|マークダウン)は?(?:を)?"
            "(?:使わないで|付けないで|つけないで|入れないで)(?:ください|下さい|ね)?)$",
            "ユーザーの要望：{x}。",
            lambda raw: [raw],
        ),
        *(
            rule(
                rules.RELATIONSHIPS,
                rf"(?:(?:私|僕)の)?(?P<k>{kin})の名前は{OBJECT}(?:です|だ|と(?:言|い)います)$",
                "ユーザーの{k}の名前は{x}。",
                _name,
                attribute,
            )
            for kin, attribute in kinds
        ),
        *(
            rule(
                rules.RELATIONSHIPS,
                rf"(?:(?:私|僕)の)?(?P<k>{kin})の(?P<x>[^はが、。]{{1,10}}?)[がは]{when}"
                r"(?P<v>死に|亡くなり|死ん|亡くなっ)(?:ました|だ|た|てしまいました|でしまいました)$",
                "ユーザーの{k}の{x}は亡くなった。",
                _name,
                attribute,
            )
            for kin, attribute in kinds
        ),
        rule(
            rules.RELATIONSHIPS,
            rf"(?P<k>{words.PARTNERS})の(?P<x>[^はが、。]{{1,10}}?)と{when}(?:別れました|別れた)$",
            "ユーザーは{k}の{x}と別れた。",
            _name,
            "{k}の名前",
            ("ユーザーは{x}と別れた。", rules.STATUS),
        ),
        rule(
            rules.RELATIONSHIPS,
            rf"(?P<k>{words.PARTNERS})と{when}(?:別れました|別れた|離婚しました|離婚した)$",
            "ユーザーは{k}と別れた。",
            attribute="{k}の名前",
            besides=("ユーザーの前の交際は終わった。", rules.STATUS),
        ),
        rule(
            rules.RELATIONSHIPS,
            rf"{when}(?P<x>結婚|離婚|婚約)(?:しました|した|しています)$",
            "ユーザーは{x}した。",
            _thing,
            rules.STATUS,
        ),
        rule(rules.RELATIONSHIPS, "(?P<x>独身|既婚)です$", "ユーザーは{x}。", _thing, rules.STATUS),
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
            "(?:(?:会社|仕事)を(?:辞めました|辞めた)|(?:会社を|仕事を)?退職しま?した)$",
            "ユーザーは仕事を辞めた。",
            attribute="job",
            besides=("ユーザーは前の職場を辞めた。", "employer"),
        ),
        rule(
            rules.WORK,
            rf"(?:{words.EMPLOYER}の)(?P<x>[^は。]{{1,24}}?)を(?:辞め|退職し|退社し)(?:ました|た)$",
            "ユーザーは{x}を辞めた。",
            _thing,
            "employer",
            ("ユーザーは前の仕事を辞めた。", "job"),
            ends=True,
        ),
        rule(
            rules.WORK,
            rf"{OBJECT}に(?:転職しました|転職した|入社しました|入社した)$",
            "ユーザーは{x}に入社した。",
            _thing,
            "employer",
        ),
        rule(
            rules.HEALTH,
            "(?:また)?(?P<x>タバコ|たばこ|煙草|お酒|酒)を(?:また)?(?P<v>吸います|吸っています|飲みます)$",
            "ユーザーは{x}を{v}。",
            _thing,
            "habit:{key}",
            key=_habit,
        ),
        rule(
            rules.HEALTH,
            "(?P<x>タバコ|たばこ|煙草|お酒|酒)を(?:やめました|やめた|止めました|辞めました)$",
            "ユーザーは{x}をやめた。",
            _thing,
            "habit:{key}",
            key=_habit,
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
def assistant_rules() -> tuple[Rule, ...]:
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


def _habit(thing: str) -> str:
    return "酒" if "酒" in thing else "タバコ"
