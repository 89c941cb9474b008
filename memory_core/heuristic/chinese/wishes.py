"""Chinese rules for instructions, tastes, goals and possessions."""

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.chinese.forms import END, SELF, X, a_rule
from memory_core.heuristic.rules import Rule, Shape


def standing() -> list[Rule]:
    """Standing instructions, and how answers should be."""

    def rule(form: str, attribute: str = "") -> Rule:
        return a_rule(rules.STANDING, form, "用户要求：{x}。", objects.instruction, attribute)

    please = r"(?:请|麻烦|希望|拜托)?(?:你|您)?"
    lasting = r"(?:以后|今后|从现在(?:开始|起)|从今(?:以后|往后|天起)|往后|之后|将来)"
    always = r"(?:一直|总是|永远|始终|一律|每次都?|都|务必每次)"
    verb = (
        "(?:用|说|叫|称呼|回答|回复|不要|别|尽量|只|给我|把|写|保持|直接|先|简短|简洁|少|多|"
        "使用|避免|附上|标明|注明|标注|列出|引用|不用|不必|讲|以)"
    )
    invited = "问|教|客|假|[你您](?:们)?(?:吃|喝|看|玩|来)"
    whenever = rf"[^，,。]{{1,10}}?(?:时|的时候)[，,]?(?:请(?!{invited})|务必)"
    language = rf"(?:用|说|使用)(?:{words.LANGUAGES})"
    return [
        rule(
            rf"(?P<x>{please}{lasting}[，,]?{please}{always}?(?:只)?{language}.*)",
            "answer language",
        ),
        rule(
            rf"(?P<x>{please}{always}(?:只)?{language}(?:跟我|和我|来|回答|回复|交流|写|对话).*)",
            "answer language",
        ),
        rule(rf"(?P<x>{please}{lasting}[，,]?{please}(?:{always}|就|也)*{please}{verb}.+)"),
        rule(rf"(?P<x>{please}{lasting}{whenever}.+)"),
        rule(rf"(?P<x>请(?:你|您)?{always}{verb}.+)"),
        rule(rf"(?P<x>{please}(?:永远|绝对|再也|千万)(?:不要|别).+)"),
        rule(rf"(?P<x>{please}每次(?:回答|回复).*?(?:都|请|要|先).+)"),
        rule(rf"(?P<x>{please}(?:回答|回复)(?:我|问题)?(?:时|的时候)[，,]?请.+)"),
        rule(rf"(?P<x>{please}(?:不要|别)再?(?:用|使用|加|发)(?:表情符号|颜文字|emoji)了?)$"),
    ]


def goals() -> list[Rule]:
    """Plans, and what is being learnt."""

    def rule(form: str, text: str, shape: Shape = objects.plan) -> Rule:
        return a_rule(rules.GOALS, form, text, shape)

    when = (
        "(?P<t>(?:(?:明年|今年)?(?:[春夏秋冬]天|[上下]半年|暑假|寒假|春节|国庆|年底|"
        r"[一二三四五六七八九十\d]{1,2}月份?)|"
        "明年|今年|下个?月|下周|这个月|以后|将来|周末|明天|后天)?)"
    )
    return [
        rule(
            "我(?:的|今年的|最大的|明年的|最近的|现在的|未来的|长期|短期)*(?P<k>目标|梦想|"
            f"愿望|理想)(?:就)?是(?:能|能够|可以|要)?{X}",
            "用户的{k}是{x}。",
            _aim,
        ),
        rule(
            rf"{SELF}{when}(?P<v>想要|想|打算|计划|准备|决定|立志|希望将来能|希望以后能){X}",
            "用户{v}{t}{x}。",
        ),
        rule(
            rf"{SELF}{when}(?:要|会)去(?P<x>.{{2,10}}(?:旅行|旅游|留学|出差|度假|读书|工作))",
            "用户{t}要去{x}。",
            objects.thing,
        ),
        rule(
            rf"{SELF}在考虑(?P<x>(?:搬|换工作|辞职|转行|考研|出国|创业|买房).*)",
            "用户在考虑{x}。",
            objects.thing,
        ),
        rule(rf"{SELF}(?:喜欢)?收藏{X}", "用户收藏{x}。", objects.thing),
        rule(rf"{SELF}收集{X}", "用户收集{x}。", objects.thing),
        rule(
            f"{SELF}(?:在|正在|开始)(?:自)?(?:学习|学)(?P<x>(?!如何|怎么|怎样|着|校|会|到|历)"
            "[^时]+?(?<!技能)(?<!东西)(?<!知识))$",
            "用户在学{x}。",
            objects.tastes,
        ),
        rule(
            f"{SELF}(?:在|正在)(?P<v>备考|准备考|准备|备战)(?P<x>.{{2,20}}(?:考试|考研|高考|"
            "雅思|托福|面试|比赛|马拉松|公务员|四级|六级))",
            "用户在{v}{x}。",
            objects.thing,
        ),
        rule(
            rf"{SELF}(?:在|正在)(?P<v>备考|备战)(?P<x>.{{2,12}})$", "用户在{v}{x}。", objects.thing
        ),
        rule(
            rf"{SELF}(?:在|正在)(?P<x>减肥|健身|备孕|找工作|找房子|创业|写论文|写小说)" + END,
            "用户在{x}。",
            objects.word,
        ),
    ]


def _aim(raw: str) -> list[str]:
    found = objects.cut(raw)
    return [] if objects.is_pointer(found) or len(found) < 3 else objects.thing(raw)


def preferences() -> list[Rule]:
    """Favourites, likes and dislikes."""

    def rule(form: str, text: str, attribute: str = "taste:{key}") -> Rule:
        return a_rule(rules.PREFERENCES, form, text, objects.tastes, attribute, objects.taste_key)

    like = (
        r"(?:喜欢|喜歡|喜爱|热爱|酷爱|钟爱|偏爱|爱吃|爱喝|爱看|爱听|爱玩|爱好|迷上了|痴迷于|沉迷于)"
    )
    dislike = r"(?:讨厌|討厭|厌恶|受不了|反感)"
    category = r"(?P<k>[^，,是的]{1,10})"
    return [
        a_rule(
            rules.PREFERENCES,
            f"{SELF}(?:最|最最)(?:喜欢|喜爱|爱|爱吃|爱喝|爱看)(?P<w>[吃喝看听玩读]?)"
            f"的{category}(?:就)?(?:是|叫){X}",
            "用户最喜欢的{k}是{x}。",
            objects.thing,
            "favourite {k}",
        ),
        a_rule(
            rules.PREFERENCES,
            rf"我(?:的)?最爱的?{category}是{X}",
            "用户最喜欢的{k}是{x}。",
            objects.thing,
            "favourite {k}",
        ),
        rule(rf"{SELF}最(?P<v>喜欢|喜歡|喜爱|爱吃|爱喝|爱看|爱听)(?!的){X}", "用户最{v}{x}。"),
        rule(rf"{SELF}(?P<v>不再喜欢|不再爱|不再){X}", "用户{v}{x}。"),
        rule(
            f"{SELF}(?P<v>不)(?:是)?(?:太|怎么|大|很|那么|再)?(?P<w>喜欢|喜歡|爱吃|爱喝|爱看|"
            f"爱听){X}",
            "用户不{w}{x}。",
        ),
        rule(rf"{SELF}(?P<v>{dislike}){X}", "用户{v}{x}。"),
        rule(rf"我(?:个人)?(?:的)?(?:兴趣)?爱好(?:就)?(?:是|有|包括){X}", "用户爱好{x}。"),
        rule(rf"{SELF}(?P<v>{like})(?!的|上|过|你){X}", "用户{v}{x}。"),
        rule(rf"{SELF}爱(?!的|上|你|我|他|她|好)(?P<x>[^，,。]{{2,20}})", "用户爱{x}。"),
        rule(
            f"{SELF}对(?P<x>.{{1,16}}?)(?:很|非常|特别|一直|比较|挺|越来越|十分|都|"
            "也)*(?P<n>不感兴趣|没有?兴趣)",
            "用户对{x}不感兴趣。",
        ),
        rule(
            rf"{SELF}对(?P<x>.{{1,16}}?)(?:很|非常|特别|一直|比较|挺|越来越|十分|都|也)*感兴趣",
            "用户对{x}感兴趣。",
        ),
        rule(
            f"{SELF}是(?:个|一个|一名)?(?P<x>[^，,。]{{1,10}}?)的?(?P<v>球迷|歌迷|影迷|迷|"
            "(?:铁杆|忠实)?粉丝|爱好者|发烧友)" + END,
            "用户是{x}{v}。",
        ),
    ]


def possessions() -> list[Rule]:
    """Things owned that are worth keeping in mind."""
    noun = (
        f"(?P<n>(?:{words.COUNTS})(?:辆|台|部|套|架|把|块|间|栋|支|个))"
        f"(?P<x>[^，,。]{{0,12}}?(?:{words.POSSESSIONS}))"
    )
    when = "(?:昨天|上周|上个?月|今天|刚刚?|已经)?"
    mine = "(?:我的|原来的|旧的?|之前的|那)?"

    def sold(what: str) -> tuple[str, str]:
        """As 把本田卖了 and as 卖了本田."""
        end = r"(?=$|[，,。！!；;])"
        return (
            rf"{SELF}{when}把{mine}(?:辆)?{what}卖(?:掉)?了{end}",
            rf"{SELF}{when}卖(?:掉)?了{mine}(?:辆)?{what}{end}",
        )

    return [
        a_rule(
            rules.OTHER,
            rf"{SELF}(?:昨天|上周|上个?月|去年|今年|今天)?(?:新)?(?P<v>买了|入手了|有|开着?){noun}"
            + END,
            "用户{v}{n}{x}。",
            objects.word,
        ),
        a_rule(
            rules.OTHER,
            rf"{SELF}(?:的车是|开(?:的是|着|的)?)(?:{words.COUNTS}|的是)*(?:辆|台)(?P<x>[^，,。]{{2,16}})",
            "用户开{x}。",
            objects.thing,
            "car",
        ),
        *(
            a_rule(rules.OTHER, form, "用户把车卖了。", attribute="car")
            for form in sold("(?:汽车|车)")
        ),
        *(
            a_rule(rules.OTHER, form, "用户卖了{x}{model}。", objects.word, "car", ends=True)
            for form in sold(rf"(?P<x>{words.CARS})(?P<model>(?!.{{0,4}}股)[\w]{{0,4}}?)")
        ),
        *(
            a_rule(rules.OTHER, form, "用户卖了{x}。", objects.word)
            for form in sold(f"(?P<x>{words.POSSESSIONS})")
        ),
    ]
