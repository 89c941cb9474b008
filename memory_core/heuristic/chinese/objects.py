"""What a Chinese object may be: cut at the end of its clause, refused when it points elsewhere."""

import re
from functools import cache

from memory_core.heuristic.chinese import words

LONGEST_OBJECT = 40
LONGEST_LIST_ITEM = 10


def thing(raw: str) -> list[str]:
    """A general object, neither a pointer nor about the reader."""
    found = cut(raw)
    return [] if is_pointer(found) else [_own(found)]


def tastes(raw: str) -> list[str]:
    """Things somebody likes or not: "绘画、弹钢琴和品茶" are three."""
    found = cut(raw)
    if is_pointer(found) or _no_taste().search(found):
        return []
    return [_own(item) for item in _items(found) if not is_pointer(item)]


def listed(raw: str) -> list[str]:
    """Each item of a list of plain things, such as what somebody is allergic to."""
    found = cut(raw)
    if is_pointer(found) or _no_food().match(found):
        return []
    parts = [part for part in re.split(r"[、和与跟及]|以及|或者?", found) if part]
    return parts if all(len(part) <= LONGEST_LIST_ITEM for part in parts) else [found]


def place(raw: str) -> list[str]:
    """A place by name."""
    found = cut(re.split(r"[（(]|已经|快|有|大概|差不多|左右", raw)[0])
    if not re.fullmatch(r"[\u3400-\u9fffA-Za-z·\s-]{2,16}", found):
        return []
    if _no_place().search(found):
        return []
    return [found]


def name(raw: str) -> list[str]:
    """A person's or animal's name: 2-4 Chinese characters, or a capitalised Latin word or two."""
    found = cut(raw).strip("“”\"'「」")
    latin = re.fullmatch(r"[A-Z][A-Za-z.'-]*(?: [A-Z][A-Za-z.'-]*){0,2}", found)
    if latin or (re.fullmatch(r"[\u3400-\u9fff·]{2,8}", found) and _is_name(found)):
        return [found]
    return []


def plan(raw: str) -> list[str]:
    """What somebody wants to do, when it begins with a verb of undertakings."""
    found = cut(raw)
    if is_pointer(found) or not re.match(
        "(?:以后|将来|明年|今年|下个?[月周]|未来)?(?:[春夏秋冬]天|[上下]半年|暑假|寒假|"
        f"年底)?(?:{words.PROJECT_VERBS})",
        found,
    ):
        return []
    return [] if len(found) < 2 or _no_plan().search(found) else [_own(found)]


def instruction(raw: str) -> list[str]:
    """The object whole: an instruction, or a thing to remember."""
    found = raw.strip(" ，,。.!！；;～~")
    return [found.replace("我", "用户")] if 2 < len(found) <= 2 * LONGEST_OBJECT else []


def word(raw: str) -> list[str]:
    """The object as it matched."""
    return [raw.strip()]


def taste_key(text: str) -> str:
    """What a taste is about, so that "吃辣" and "辣" supersede each other."""
    key = re.sub(
        r"^(?:吃|喝|抽|吸|看|玩|听|打|读|去|学|练)(?=..|[\u3400-\u9fff]$)", "", text.casefold()
    )
    return key or text.casefold()


def cut(raw: str) -> str:
    """The object up to the end of its clause, without particles at its end."""
    found = re.split(
        r"[，,。；;！!？?\n（(]|但是?|不过|因为|所以|而且|的时候|这样|尤其是?|特别是|比如|例如|"
        "——|……|…",
        raw,
    )[0]
    return _particles().sub("", found.strip(' \t~～。."“”')).strip()


def is_pointer(found: str) -> bool:
    """Whether the object is empty, too long, about the reader, or points elsewhere."""
    return not found or len(found) > LONGEST_OBJECT or _pointer().search(found) is not None


def _own(text: str) -> str:
    return re.sub(r"我们|咱们|我", "自己", text.replace("我的", "自己的"))


def _items(found: str) -> list[str]:
    parts = [part for part in re.split(r"、|以及", found) if part]
    *front, last = parts
    pair = re.fullmatch(r"([^和与跟的]{1,8})和([^和与跟的]{1,8})", last)
    parts = [*front, *pair.groups()] if pair else parts
    if all(len(part) <= LONGEST_LIST_ITEM for part in parts) and not _one_thing().search(found):
        return parts
    return [found]


def _is_name(found: str) -> bool:
    return _no_name().match(found) is None and ("·" in found or len(found) <= 4)


@cache
def _particles() -> re.Pattern[str]:
    return re.compile(
        r"(?:了吧|[了啊呢哦哈呀啦喔嘛哒噢耶]|的说|等等|等|之类的?|哈哈+|[\U0001f300-\U0001faff])+$"
    )


@cache
def _pointer() -> re.Pattern[str]:
    return re.compile(
        "[你您？?{}<>=]|^(?:这|那|它|他|她|此|其|什么|啥|哪|谁|一下|一些|一点|一样|一个人?$|"
        "同样|自己$|别的|其他|的)"
        r"|什么|怎么|哪[里个些儿]|为什么|多少|是否|吗$|这[个种些样里]|那[个种些样里]|吧$|的$|http"
    )


@cache
def _no_taste() -> re.Pattern[str]:
    return re.compile(
        "^(?:上|过|得|到|就|不|被|说|问|聊|听你|跟|和你|也|是|的|在一起|一起$|做$|做的|有|看到|"
        "听到)|感觉$|建议$|想法$"
    )


@cache
def _no_food() -> re.Pattern[str]:
    return re.compile(
        r"^(?:了|过|着|完|饱|下|得|不|一套|一顿|东西|饭|什么|太多|多少|早|惯|起)|[了过]$"
    )


@cache
def _no_place() -> re.Pattern[str]:
    return re.compile(
        "^(?:装修|搬家|吃饭|聚会|办|下雨|这|那(?!不勒斯|曲|霸|坡)|哪|一(?!面坡)|你|他|她|酒店|宾馆|旅馆|民宿|附近|同(?!仁|安|江|里)|外面|"
        "里(?!昂|约|斯本|加|尔|士满)|楼|家|学校|公司|宿舍|新(?!加坡|西兰|疆|竹|余|北|泽西|德里|奥尔良|"
        "宿|潟|昌|郑|泰|都|会|墨西哥|罕布什尔|乡(?![下村里]))|"
        "自己|城里|乡下|隔壁|幸福|快乐"
        "|压力|水深|恐惧|过去|当下|社会|痛苦|回忆|梦)|(?:旁边|附近|对面|隔壁|楼|家|公寓|房间|"
        "宿舍|新房|房子|酒店|"
        "饭店|小区|(?<!凯)(?<!阿)(?<!^马)(?<!德)(?<!同)里|上(?<!海上)|下|(?<!台)(?<!汉)(?<!关)(?<!巴)(?<!晋)(?<!阆)中|时代|世界|一起|工作|的)$"
    )


@cache
def _no_name() -> re.Pattern[str]:
    return re.compile(
        "(?:了|他|她|你|您|它|我|车|人|外卖|个|不|过得|得|什么|啥|名字|出租|滴滴|快递|醒|起|别|"
        "这|那|一|秘密|大家|上|来|去|做"
        rf"|作|停|好|住|朋友|老师$|是|在|有|就|也)|.*[的了吗呢吧]$|(?:{words.OCCUPATIONS})$"
    )


@cache
def _no_plan() -> re.Pattern[str]:
    return re.compile(
        "^(?:去(?:一个|个|一些|看|户外玩|公园|睡|吃|休息|洗|看看|试|找你|尝|做饭|吃饭|上班|忙|"
        "了解|听|那|这|买菜|干|散散|逛|查|问|和|跟)|学着|做(?:饭|菜)|"
        "买(?:点|些|菜)|看|考虑|读一?[读下]|练一?练|存在|学到|当然|找一?[个份]?(?:人|方法|办法|"
        "时间|机会)|换个?话题|参加(?:一些|一下)|"
        "提[高升](?:自己|一下)?$|学习一下|学一?下|学学|去$|当$|建议|报$|跑$|通过(?:这|学|和|一)"
        ")|一下$|试试|聊|看看|尝尝|说话"
    )


@cache
def _one_thing() -> re.Pattern[str]:
    return re.compile(
        "^(?:和|跟|与|在|为|给|对|把|让|用|从)|[在为给对把让用从].*[和与、]|的.*[和与、]|"
        "[和与、].*[的等]"
    )
