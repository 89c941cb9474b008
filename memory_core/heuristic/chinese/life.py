"""Chinese rules for health and relationships."""

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.chinese.forms import COUNT_YEARS, END, MEASURE, NUMBER, SELF, X, a_rule
from memory_core.heuristic.chinese.relations import MARKED, WHEN
from memory_core.heuristic.chinese.work import occupation
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
            rf"{SELF}(?:又|重新)*(?:开始|能)(?:又|重新)?(?P<v>[抽吸喝])(?P<x>烟|酒)" + END,
            "用户又开始{v}{x}。",
            objects.word,
            "habit:{key}",
        ),
        a_rule(
            rules.HEALTH,
            rf"{SELF}(?P<v>(?:又|重新)+(?:开始)?(?:重新)?吃)(?P<x>肉|荤)" + END,
            "用户{v}{x}。",
            objects.word,
            "food:{key}",
            objects.taste_key,
            besides=("用户不再吃素。", "diet", "素"),
        ),
        rule(
            rf"{SELF}(?P<v>(?:又|重新)*(?:开始|能)(?:重新)?[吃喝])(?!素|药|饭){X}",
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


def relationships() -> list[Rule]:
    """Family, pets, household."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.RELATIONSHIPS, form, text, shape, attribute)

    kin = rf"(?P<k>{words.RELATIVES}|{words.PETS})"
    near = rf"(?!朋友|好友|好朋友|同事|同桌|室友|老板|上司|对象|导师|闺蜜){kin}"
    count = rf"(?P<n>(?:{words.COUNTS}){MEASURE})"
    one = rf"(?P<n>(?:{words.COUNTS})?{MEASURE})"
    which = r"[\u4e00-\u9fff]{0,4}?"
    some = rf"(?P<k>{which}(?:{words.PETS}|{words.RELATIVES}))"
    called = rf"(?:的名字)?(?:就)?(?:叫|名叫|名字叫|名字是|是叫)(?:做)?{X}"
    have = r"(?:有|养了|养着|养|领养了|收养了)"
    return [
        rule(
            rf"我(?:家)?(?:的)?(?P<k>{words.ONLY_ONE}){called}",
            "用户的{k}叫{x}。",
            objects.name,
            "{k}的名字",
        ),
        # One may have two sons.
        rule(
            rf"我(?:家)?(?:的)?(?P<k>{words.RELATIVES}){called}",
            "用户的{k}叫{x}。",
            objects.name,
            "{k} {x}",
        ),
        rule(
            rf"我(?:家)?(?:的)?(?P<k>{words.PETS}){called}",
            "用户的{k}叫{x}。",
            objects.name,
            "宠物 {x}",
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
            occupation,
        ),
        *(
            rule(
                rf"(?:我家|{SELF}){have}(?:了)?{one}(?P<k>{which}(?:{near_one}))(?:名字)?(?:叫|名叫){X}",
                "用户有{n}{k}叫{x}。",
                objects.name,
                attribute,
            )
            for near_one, attribute in ((words.RELATIVES, "{k} {x}"), (words.PETS, "宠物 {x}"))
        ),
        rule(rf"(?:我家|{SELF}){have}(?:了)?{count}{some}(?=$|[了啊呢哦和、])", "用户有{n}{k}。"),
        a_rule(
            rules.RELATIONSHIPS,
            rf"我和(?P<k>{words.PARTNERS}){MARKED}(?P<v>分手|离婚)了",
            "用户和{k}{x}{v}了。",
            objects.word,
            "{k}的名字",
            besides=("用户{v}了。", rules.STATUS),
        ),
        a_rule(
            rules.RELATIONSHIPS,
            rf"{SELF}(?:和|跟|与)(?P<k>{words.PARTNERS}){WHEN}(?P<v>分手|离婚)了",
            "用户和{k}{v}了。",
            attribute="{k}的名字",
            besides=("用户{v}了。", rules.STATUS),
        ),
        rule(
            rf"{SELF}(?:和|跟|与)(?P<x>(?!.*(?:[没不的]|快要|打算))[^，,]{{1,10}}?){WHEN}分手了",
            "用户和{x}分手了。",
            objects.thing,
            rules.STATUS,
        ),
        rule(rf"(?:我们|{SELF}){WHEN}分手了", "用户的恋爱关系结束了。", attribute=rules.STATUS),
        *(
            rule(
                rf"我的(?P<k>{kind}){MARKED}{WHEN}(?P<v>去世|过世|死|走丢)了",
                "用户的{k}{x}{v}了。",
                objects.word,
                attribute,
            )
            for kind, attribute in (
                (words.ONLY_ONE, "{k}的名字"),
                (words.RELATIVES, "{k} {x}"),
                (words.PETS, "宠物 {x}"),
            )
        ),
        rule(
            rf"(?:我家|我们家|我)(?:的)?{kin}(?!的|们){WHEN}"
            rf"(?P<x>(?!的)[\u4e00-\u9fff]{{1,3}}?){WHEN}(?P<v>去世|过世|走丢)了",
            "用户的{k}{x}{v}了。",
            objects.name,
        ),
        rule(
            rf"(?:我家|我们家|我)(?:的)?{kin}{WHEN}(?P<v>去世|过世|死|走丢)了",
            "用户的{k}{v}了。",
        ),
        rule(
            rf"(?:我们|{SELF})(?P<x>结婚|离婚|订婚)(?:{COUNT_YEARS})?了",
            "用户{x}了。",
            objects.word,
            rules.STATUS,
        ),
        rule(
            rf"{SELF}(?:还|仍)?(?:是)?(?P<x>单身|未婚|已婚|离异)" + END,
            "用户{x}。",
            objects.word,
            rules.STATUS,
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
