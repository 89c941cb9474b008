"""Chinese rules for health, work and relationships."""

import re

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.chinese.forms import COUNT_YEARS, END, MEASURE, NUMBER, SELF, X, a_rule
from memory_core.heuristic.rules import Rule, Shape


def health() -> list[Rule]:
    """Allergies, diets, habits and conditions."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.HEALTH, form, text, shape, attribute, objects.taste_key)

    return [
        rule(
            rf"{SELF}对(?P<x>.{{1,20}}?)(?:已经)?(?P<n>不(?:再)?)过敏",
            "用户对{x}{n}过敏。",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            f"{SELF}对(?P<x>.{{1,20}}?)(?:严重|有点|有些|都|会|很|非常|特别|轻微|容易)*(?:过敏|"
            "過敏)(?!吗)",
            "用户对{x}过敏。",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            "我(?:有)?(?P<x>(?!皮肤|有点|最近|好像|容易|脸|鼻子|季节|经常|今天|昨天|严重)"
            r"[\u4e00-\u9fff]{1,5})过敏症?" + END,
            "用户对{x}过敏。",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            rf"{SELF}(?:是(?:个|一个|一名)?)?(?P<x>素食主义者|素食者|纯素食者|纯素主义者)",
            "用户是{x}。",
            objects.word,
            "diet",
        ),
        rule(
            rf"{SELF}(?P<n>不再|不)吃素",
            "用户{n}吃素。",
            attribute="diet",
        ),
        rule(rf"{SELF}(?:开始)?(?:只)?吃(?:全|纯)?素" + END, "用户吃素。", attribute="diet"),
        rule(
            f"{SELF}(?P<v>不再吃|不能吃|不可以吃|从来不吃|从不吃|不吃|不再喝|不能喝|从来不喝|"
            f"从不喝|不喝){X}",
            "用户{v}{x}。",
            objects.listed,
            "food:{key}",
        ),
        rule(
            rf"{SELF}(?P<v>不再|不|从不|从来不)(?P<x>抽烟|吸烟|喝酒)",
            "用户{v}{x}。",
            objects.word,
            "habit:{key}",
        ),
        rule(
            rf"{SELF}戒(?:掉)?(?:了)?(?P<x>烟|酒|咖啡|糖|奶茶)(?:了)?",
            "用户戒了{x}。",
            objects.word,
            "habit:{key}",
        ),
        rule(
            f"{SELF}(?:患有|患了|有)(?:严重的|轻微的|轻度|中度|重度|慢性|"
            f"先天性)?(?P<x>{words.CONDITIONS})" + END,
            "用户有{x}。",
            objects.word,
        ),
        rule(
            rf"{SELF}(?:被)?(?:确诊|诊断)(?:出|为|患有|有|出了|得了)*(?P<x>{words.CONDITIONS})",
            "用户被诊断为{x}。",
            objects.word,
        ),
        rule(
            rf"{SELF}(?P<x>乳糖不耐受?|麸质不耐受?|恐高|色盲|怀孕)" + END, "用户{x}。", objects.word
        ),
    ]


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
            _occupation,
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
        rule(rf"{SELF}(?P<x>失业|退休|辞职|离职)了", "用户{x}了。", objects.word, "job"),
    ]


def _occupation(raw: str) -> list[str]:
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


def relationships() -> list[Rule]:
    """Family, pets, household."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.RELATIONSHIPS, form, text, shape, attribute)

    kin = rf"(?P<k>{words.RELATIVES}|{words.PETS})"
    near = rf"(?!朋友|好友|好朋友|同事|同桌|室友|老板|上司|对象|导师|闺蜜){kin}"
    count = rf"(?P<n>(?:{words.COUNTS}){MEASURE})"
    some = rf"(?P<k>[\u4e00-\u9fff]{{0,4}}?(?:{words.PETS}|{words.RELATIVES}))"
    have = r"(?:有|养了|养着|养|领养了|收养了)"
    return [
        rule(
            rf"我(?:家)?(?:的)?{kin}(?:的名字)?(?:就)?(?:叫|名叫|名字叫|名字是|是叫)(?:做)?{X}",
            "用户的{k}叫{x}。",
            objects.name,
            "{k}的名字",
        ),
        rule(
            rf"我(?:的)?{kin}(?:今年|已经|刚|满)+{NUMBER}岁",
            "用户的{k}{x}岁。",
            objects.word,
            "{k}的年龄",
        ),
        rule(
            rf"我(?:的)?{near}(?:现在|目前|一直)?住在{X}",
            "用户的{k}住在{x}。",
            objects.place,
            "{k}的住处",
        ),
        rule(
            f"我(?:的)?{near}(?:现在|目前)?在(?P<x>[^，,]{{2,16}}?)(?P<v>工作|上班|读书|上学|"
            "上大学)" + END,
            "用户的{k}在{x}{v}。",
        ),
        rule(
            rf"我(?:的)?{near}是(?:一名|一个|一位|个)?(?P<x>[\u4e00-\u9fff]{{0,6}}?(?:"
            f"{words.OCCUPATIONS}))" + END,
            "用户的{k}是{x}。",
            _occupation,
        ),
        rule(
            rf"(?:我家|{SELF}){have}(?:了)?{count}{some}(?:名字)?(?:叫|名叫){X}",
            "用户有{n}{k}叫{x}。",
            objects.name,
        ),
        rule(rf"(?:我家|{SELF}){have}(?:了)?{count}{some}(?=$|[了啊呢哦和、])", "用户有{n}{k}。"),
        rule(
            rf"{SELF}(?P<x>结婚|离婚|订婚)(?:{COUNT_YEARS})?了",
            "用户{x}了。",
            objects.word,
            "relationship status",
        ),
        rule(
            rf"{SELF}(?:还|仍)?(?:是)?(?P<x>单身|未婚|已婚|离异)" + END,
            "用户{x}。",
            objects.word,
            "relationship status",
        ),
        rule(
            rf"{SELF}(?:是)?(?:和|跟|与)(?P<x>.{{1,8}}?)(?:一起|同)(?:住|居)",
            "用户和{x}一起住。",
            objects.thing,
            "household",
        ),
        rule(
            rf"{SELF}(?:是)?(?:一个人|独自|自己)(?:一个人)?住",
            "用户一个人住。",
            attribute="household",
        ),
        rule(
            f"{SELF}是(?P<x>(?:{words.COUNTS})个(?:孩子|宝宝|男孩|女孩|儿子|女儿)的(?:妈妈|"
            "爸爸|母亲|父亲))" + END,
            "用户是{x}。",
            objects.word,
        ),
    ]
