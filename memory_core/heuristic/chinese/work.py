"""Chinese rules for occupation, employer and studies."""

import re
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.chinese.forms import END, SELF, X, a_rule
from memory_core.heuristic.rules import Rule, Shape
from memory_core.heuristic.tools import TOOLS


def work() -> list[Rule]:
    """Occupation, employer, studies."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.WORK, form, text, shape, attribute)

    lead = (
        "(?!这|那|哪|努力|认真|忙|拼命|好好|家|外面|一起|考虑|找|准备|寻找|换|做|为|等|学|"
        "完成|处理|开始|继续|享受|上|想|公司(?:工作|上班)|单位|办公室|一家公司|晚上|白天|"
        "周末|里|你)"
    )
    return [
        rule(
            f"{SELF}在(?P<x>{lead}.{{2,20}}?(?:当|做|担任)(?:一名|一个|"
            rf"一位)?[\u4e00-\u9fffA-Za-z]{{0,8}}(?:{words.OCCUPATIONS}|CEO|CTO))" + END,
            "用户在{x}。",
            objects.thing,
            "job",
        ),
        rule(
            rf"{SELF}在(?P<x>{lead}[^，,]{{2,20}}?)(?:里|这里|那里)?(?P<v>工作|上班|任职|任教|实习)"
            + END,
            "用户在{x}{v}。",
            objects.thing,
            "employer",
        ),
        rule(
            f"{SELF}在(?P<x>{lead}[^，,]{{2,20}}?)(?P<v>读书|上学|上大学|读大学|读研|读博|念书|"
            "读高中|读本科|留学)" + END,
            "用户在{x}{v}。",
            objects.thing,
            "studies",
        ),
        rule(
            f"{SELF}(?:是|当|做)(?:一名|一个|一位|个|名|位)?(?P<x>(?!好|坏|你|您|不|前|未来|这|"
            rf"那|假|学生时代)[\u4e00-\u9fffA-Za-z]{{0,12}}?(?:{words.OCCUPATIONS}))" + END,
            "用户是{x}。",
            occupation,
            "job",
        ),
        rule(rf"我(?:的)?(?:职业|工作|本职工作)是{X}", "用户的职业是{x}。", _profession, "job"),
        rule(
            rf"{SELF}(?:上个?月|去年|今年|上周)?(?:入职|加入)(?:了)?{X}",
            "用户加入了{x}。",
            _employer,
            "employer",
        ),
        rule(rf"{SELF}(?:是)?毕业于{X}", "用户毕业于{x}。"),
        rule(rf"{SELF}从(?P<x>.{{2,14}}(?:大学|学院|中学))毕业", "用户毕业于{x}。"),
        rule(rf"{SELF}从事(?:的是)?{X}", "用户从事{x}。", objects.thing, "field of work"),
        rule(rf"我(?:的)?专业是{X}", "用户的专业是{x}。", objects.thing, "studies"),
        rule(
            r"我(?:学|读)的(?:专业)?是(?P<x>.+?)(?:专业)?$",
            "用户的专业是{x}。",
            objects.thing,
            "studies",
        ),
        rule(
            rf"{SELF}(?:有|拥有)(?P<n>[\d一二两三四五六七八九十多几]+年)"
            f"(?:的)?(?P<x>.{{2,14}}经验)",
            "用户有{n}{x}。",
            objects.thing,
        ),
        rule(
            f"{SELF}(?:开了?|经营着?)(?:一家|一间|家|个)(?P<x>.{{1,14}}(?:店|公司|餐厅|工作室|"
            "咖啡馆|书店|民宿|面包房))",
            "用户经营一家{x}。",
            objects.thing,
        ),
        *_leaving(),
    ]


def _leaving() -> list[Rule]:
    """Who leaves an employer leaves the job there too; who only joins one may keep theirs."""
    when = r"(?:上个?月|去年|今年|上周|昨天|今天|前几天)?"
    return [
        a_rule(
            rules.WORK,
            rf"{SELF}{when}(?:从|离开)(?P<x>[^，,]{{2,16}}?)(?:的工作)?(?P<v>离职|辞职|退休)",
            "用户从{x}{v}。",
            _employer,
            "employer",
            ends=True,
            besides=("用户离开了原来的工作。", "job"),
        ),
        a_rule(
            rules.WORK,
            rf"{SELF}{when}(?:不再|不)在(?P<x>[^，,]{{2,16}}?)(?P<v>工作|上班|任职)了?" + END,
            "用户不再在{x}{v}。",
            _employer,
            "employer",
            ends=True,
            besides=("用户离开了原来的工作。", "job"),
        ),
        a_rule(
            rules.WORK,
            rf"{SELF}{when}(?P<x>失业|退休|辞职|离职|被裁员?|被辞退|被开除)了",
            "用户{x}了。",
            objects.word,
            "job",
            besides=("用户离开了原来的单位。", "employer"),
        ),
        a_rule(
            rules.WORK,
            rf"{SELF}{when}(?:从[^，,]{{2,10}})?(?:换|跳槽|转|调)(?:到|去|至)了?"
            rf"(?P<x>[^，,]{{2,16}}?)(?:去)?(?:工作|上班|任职|了|$)",
            "用户换到{x}工作。",
            _new_employer,
            "employer",
        ),
    ]


def _new_employer(raw: str) -> list[str]:
    """An employer that somebody changed to: "换到" alone may be said of seats and topics."""
    return [] if _no_employer().search(raw) else _employer(raw)


def occupation(raw: str) -> list[str]:
    """An occupation, with "of" only after where somebody works or studies."""
    refused = objects.is_pointer(raw) or re.search(r"[的和跟给对把让在]|朋友|同学|家人|粉丝", raw)
    return [] if refused and not re.search(r"(?:大学|学院|中学|公司|医院)的", raw) else [raw]


def _employer(raw: str) -> list[str]:
    return (
        []
        if re.search(r"群|会员|讨论|聊天|对话|游戏|我们|战队|一家|新公司", raw)
        else objects.thing(raw)
    )


def _profession(raw: str) -> list[str]:
    found = re.sub(r"^(?:一名|一个|一位|个)", "", objects.cut(raw))
    return (
        []
        if objects.is_pointer(found) or len(found) < 2 or re.match(r"[很非不比最在]", found)
        else [found]
    )


@cache
def _no_employer() -> re.Pattern[str]:
    return re.compile(
        rf"话题|座位|频道|模式|位置|房间|城市|班|楼|\d+[元块]|^(?:{TOOLS})$", re.IGNORECASE
    )
