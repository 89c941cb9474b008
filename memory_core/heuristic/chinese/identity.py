"""Chinese rules for who the user is."""

import re

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.chinese.forms import END, NUMBER, SELF, X, a_rule
from memory_core.heuristic.rules import Rule, Shape


def identity() -> list[Rule]:
    """Who the user is: name, home, origin, age, languages."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.IDENTITY, form, text, shape, attribute)

    kept = r"(?:生活|居住|定居|住|居)在"
    date = (
        r"(?P<x>(?:\d{2,4}年)?(?:农历|阴历)?[\d一二三四五六七八九十正腊]{1,3}月[\d一二三四五"
        "六七八九十初廿]{1,3}[日号]?)"
    )
    return [
        rule(
            rf"(?:我|本人)(?:的)?(?:名字|姓名|全名|真名|中文名|大名)(?:是|叫做?){X}",
            "用户的名字是{x}。",
            objects.name,
            "name",
        ),
        rule(
            rf"(?:我|本人)(?:的)?英文名(?:是|叫做?){X}",
            "用户的英文名是{x}。",
            objects.name,
            "english name",
        ),
        a_rule(
            rules.IDENTITY,
            rf"我(?:不叫|的?名字不(?:是|叫)){X}",
            "用户不叫{x}。",
            objects.name,
            "name",
            ends=True,
        ),
        rule(rf"我是{X}", "用户的名字是{x}。", _full_name, "name"),
        rule(rf"(?:我|本人)(?:就)?叫(?:做)?{X}", "用户的名字是{x}。", objects.name, "name"),
        rule(
            r"(?:我|本人|免贵)姓(?P<x>[\u4e00-\u9fff]{1,2})" + END,
            "用户姓{x}。",
            objects.word,
            "last name",
        ),
        rule(
            "(?:请|你也?可以|您可以|大家都|朋友们?都|就)*(?:叫|称呼)我(?P<x>[^，,。]+?)(?:就行|"
            "就好|就可以|即可|吧)?了?$",
            "用户希望被称为{x}。",
            objects.name,
            "form of address",
        ),
        a_rule(
            rules.IDENTITY,
            rf"{SELF}(?:不再|不){kept}{X}",
            "用户不再住在{x}。",
            objects.place,
            "home",
            ends=True,
        ),
        rule(
            f"{SELF}(?:以前|曾经|之前|过去|原来|原先|小时候)(?:都|一直)?(?:在)?(?:住过|住在|"
            f"生活在|居住在){X}",
            "用户以前住在{x}。",
            objects.place,
        ),
        rule(
            rf"(?:我家|我们家|我们一家(?:.口)?|我们|{SELF})(?:{words.ADVERBS})*{kept}{X}",
            "用户住在{x}。",
            objects.place,
            "home",
        ),
        rule(rf"我家(?:就)?在{X}", "用户的家在{x}。", objects.place, "home"),
        rule(
            f"(?:我们一?家?|{SELF})(?:从.{{2,10}})?(?:去年|今年|上个?月|上周|前年|昨天|前几天|"
            f"这个月)?(?:就)?(?:从.{{2,10}})?"
            rf"(?:搬|移居|迁)(?:家)?(?:到|来|去|回|至)(?:了)?{X}",
            "用户住在{x}。",
            objects.place,
            "home",
        ),
        rule(
            f"{SELF}(?P<t>明年|下个?月|下周|年底|月底|过几天|即将|马上|快)*(?:要|准备|打算|"
            "计划|会|将)+(?P<t2>明年|下个?月|下周)?"
            rf"搬(?:家)?(?:到|去|回){X}",
            "用户打算{t}{t2}搬到{x}。",
            objects.place,
            "planned home",
        ),
        rule(rf"{SELF}(?:是)?来自(?:于)?{X}", "用户来自{x}。", objects.place, "origin"),
        rule(
            rf"我(?:的)?(?:老家|家乡|故乡|祖籍)(?:是|在){X}",
            "用户的老家在{x}。",
            objects.place,
            "origin",
        ),
        rule(
            rf"{SELF}(?:\d{{4}}年)?(?:出生在|出生于|生于)(?P<x>(?!\d|一九|二〇).+)",
            "用户出生在{x}。",
            objects.place,
            "birthplace",
        ),
        rule(
            rf"{SELF}(?:出生在|出生于|生于|是)(?P<x>(?:19|20)\d\d年|\d\d年)(?:出生|生|的)?",
            "用户出生于{x}。",
            objects.word,
            "birth year",
        ),
        rule(
            rf"{SELF}在(?P<x>.{{2,10}}?)长大",
            "用户在{x}长大。",
            objects.place,
            "place of childhood",
        ),
        rule(
            "我(?:就)?是(?:个|一个|地道的|土生土长的)?(?P<x>(?!好|坏|主持|负责|候选|年轻|成年|"
            "老|普通|男|女|名|机器|本地|外地|"
            "当事|别|圈|过来|单身|病|新|局|内行|外行|家|大|小|有|没|中年|聪明|诚实|懒|穷|富|"
            "经纪|代言|创始|发明|牧|军|工|商|"
            "诗|盲|素食|法|证|恋|爱|情|犯|客|路|熟|陌生|残疾|这|那|什么|一|个|未婚|已婚|介绍|"
            "管理|所有|爱好|初学|内向|外向)"
            r"[\u4e00-\u9fff]{2,5})人" + END,
            "用户是{x}人。",
            _origin,
            "origin",
        ),
        rule(
            rf"{SELF}今年(?:刚|已经|刚满|就)*{NUMBER}岁(?!的)", "用户{x}岁。", objects.word, "age"
        ),
        rule(
            rf"{SELF}(?:今天|昨天|现在)(?:刚|已经|刚满|就|满|都)*{NUMBER}岁" + END,
            "用户{x}岁。",
            objects.word,
            "age",
        ),
        rule(rf"{SELF}(?:满)?{NUMBER}岁" + END, "用户{x}岁。", objects.word, "age"),
        rule(
            rf"我(?:的)?(?:生日|出生日期)(?:是|在)(?:每年)?{date}",
            "用户的生日是{x}。",
            objects.word,
            "birthday",
        ),
        rule(rf"我(?:是)?{date}(?:出生|生日|生)的?", "用户的生日是{x}。", objects.word, "birthday"),
        rule(
            r"(?P<x>今天|明天|后天|昨天)(?:就)?是我的?生日",
            "用户的生日是{x}。",
            objects.word,
            "birthday",
        ),
        rule(
            r"我(?:的)?生日(?:就)?(?:是|在)(?P<x>今天|明天|后天)",
            "用户的生日是{x}。",
            objects.word,
            "birthday",
        ),
        rule(r"我属(?P<x>[鼠牛虎兔龙蛇马羊猴鸡狗猪])" + END, "用户属{x}。", objects.word, "zodiac"),
        rule(
            rf"我(?:的)?(?:母语|第一语言)(?:是)(?P<x>{words.LANGUAGES})",
            "用户的母语是{x}。",
            objects.word,
            "native language",
        ),
        rule(
            f"{SELF}(?:会说|会讲|能说|会)(?P<x>(?:一点|流利的?)?(?:{words.LANGUAGES})(?:(?:、|"
            f"和|以及)(?:{words.LANGUAGES}))*)" + END,
            "用户会说{x}。",
            objects.word,
        ),
        rule(
            rf"{SELF}会(?P<v>弹|拉|吹|打)(?P<x>{words.INSTRUMENTS})" + END,
            "用户会{v}{x}。",
            objects.word,
        ),
        rule(
            "我(?:的)?(?P<k>电话|手机号|邮箱|身高|体重|血型|鞋码|时区)(?:号码)?(?:是|"
            r"为)?(?P<x>[\w@.+ -]*\d[\w@.+ -]*|[ABO]{1,2}型)" + END,
            "用户的{k}是{x}。",
            objects.word,
            "{k}",
        ),
        rule(rf"{SELF}(?P<v>擅长|精通|熟悉|掌握){X}", "用户{v}{x}。", objects.thing),
        rule(
            rf"{SELF}(?:是(?:个|一个)?)?(?P<x>左撇子|独生子女|独生子|独生女|夜猫子|社恐)" + END,
            "用户是{x}。",
            objects.word,
        ),
        rule(
            rf"{SELF}(?:是(?:个|一个)?)?(?P<x>内向|外向)(?:的人)?" + END,
            "用户性格{x}。",
            objects.word,
            "character",
        ),
    ]


def _full_name(raw: str) -> list[str]:
    """A family name with one or two characters, all there is in the clause."""
    found = objects.cut(raw)
    full = re.fullmatch(rf"(?:{words.FAMILY_NAMES})[\u4e00-\u9fff]{{1,2}}", found)
    plain = re.search(
        r"[人员生师者手家座族粉迷的了党控长工民友客领管级班三二一四职校龄]$|方便|任性|万幸", found
    )
    return [found] if full and not plain and objects.name(found) else []


def _origin(raw: str) -> list[str]:
    return [] if "的" in raw or objects.is_pointer(raw) else [raw]
