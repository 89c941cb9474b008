"""English rules for instructions, tastes and goals."""

import re

from memory_core.heuristic import rules
from memory_core.heuristic.english import cuts, objects, words
from memory_core.heuristic.english.forms import X, a_rule
from memory_core.heuristic.rules import Rule, Shape

EACH_TIME = (
    rf"(?:(?:when|whenever|every time|each time) you (?:{words.ANSWERING})\b"
    r"(?! (?:this|that|the|my|question)\b)[^,.?!:]{0,60}, (?:please )?(?:always|never) "
    rf"(?:{words.INSTRUCTING_FOR_GOOD})\b"
    "|(?:(?:whenever|every time|each time) i (?:ask|paste|share|show)|when i ask (?:you|for|about))"
    r"\b[^,.?!:]{0,60}, (?:please )?(?:always |never )?"
    r"(?:answer|reply|respond|explain|translate|review|summari[sz]e|correct|remind|use|give)\b)"
)
"""How an instruction for each time begins: "When you write code, always ...", "Whenever I paste
a log, ...". A single thing ("the email"), what programs do and what anybody should do is none."""


def standing() -> list[Rule]:
    """Standing instructions, and how answers should be."""

    def rule(form: str, text: str, attribute: str = "") -> Rule:
        return a_rule(rules.STANDING, form, text, objects.instruction, attribute)

    asks = "The user asks the assistant to "
    polite = (
        "(?:(?:please|could you|can you|i (?:want|need|would like) you to|you should|you "
        "must)[, ]+)*"
    )
    lasting = r"(?:from now on|in (?:the )?future|going forward|henceforth|by default|as a rule)"
    verb, usual = f"(?:{words.INSTRUCTING_FOR_GOOD})", f"(?:{words.INSTRUCTING})"
    speak = r"(?:answer|reply|respond|write|speak|talk|communicate)"
    each_time = "(?:whenever|every time|each time|any time)"
    answers = "(?:answers|replies|responses)"
    language = rf"(?:to )?(?:me )?(?:only )?in (?:{words.LANGUAGES})\b"
    return [
        rule(rf"{polite}(?P<x>always {speak} {language}.*)", f"{asks}{{x}}.", "answer language"),
        rule(
            rf"{polite}{lasting},? (?:please )?(?P<x>(?:only |always )?{speak} {language}.*)",
            f"{asks}{{x}} from now on.",
            "answer language",
        ),
        rule(
            rf"{polite}(?P<x>{speak} {language}),? {lasting}",
            f"{asks}{{x}} from now on.",
            "answer language",
        ),
        rule(rf"{polite}(?P<x>(?:always|never) {verb}\b.*)", f"{asks}{{x}}."),
        rule(rf"{polite}{lasting},? (?:please )?(?:do not|never) {X}", f"{asks}never {{x}}."),
        rule(
            rf"{polite}{lasting},? (?:please )?(?P<x>(?:only |always )?{verb}\b.+)",
            f"{asks}{{x}} from now on.",
        ),
        rule(
            rf"(?:please (?:always )?|always )(?:remember|do not forget) to {X}",
            f"{asks}remember to {{x}}.",
        ),
        rule(rf"remember to (?P<x>(?:always |never )?{verb}\b.*)", f"{asks}remember to {{x}}."),
        rule(rf"{polite}do not ever (?P<x>{verb}\b.*)", f"{asks}never {{x}}."),
        rule(rf"{polite}do not (?P<x>{verb}\b.*),? {lasting}", f"{asks}never {{x}}."),
        rule(rf"{polite}(?P<x>{usual}\b.*?),? {lasting}", f"{asks}{{x}} from now on."),
        rule(
            rf"{polite}(?P<x>{verb}\b(?:(?! that | when | why | how ).)* {each_time} you "
            rf"{words.SPEAKING}\b.*)",
            f"{asks}{{x}}.",
        ),
        rule(rf"(?P<x>{EACH_TIME}.*)", "The user asks the assistant: {x}."),
        rule(
            rf"{polite}(?P<x>(?:use|avoid|include|add|cite|keep) (?!this|these|the\b).* (?:in|for) "
            rf"all (?:of )?(?:your )?{answers})(?=$|[.!,])",
            f"{asks}{{x}}.",
        ),
        rule(rf"{polite}(?:for|in) all (?:your )?(?:future )?{answers},? {X}", f"{asks}{{x}}."),
        rule(
            rf"{polite}(?P<x>(?:end|start|begin|finish|close) (?:every|each) "
            "(?:answer|reply|response) with .+)",
            f"{asks}{{x}}.",
        ),
        rule(
            rf"{polite}(?P<x>keep (?:all )?(?:your {answers}|answers) (?:very )?"
            r"(?:short|brief|concise|under \d+ words|below \d+ words))(?=$|[.!,])",
            f"{asks}{{x}}.",
            "answer length",
        ),
        rule(
            rf"{polite}(?:(?:do not|stop|no more|no|avoid) (?:using |use |adding |add |any )*)"
            rf"(?P<x>{words.ABOUT_ANSWERS})(?=\W*$|,? (?:please|anymore|any more|again|ever|"
            r"with me|in (?:any of )?your \w+)\W*$)",
            f"{asks}use no {{x}}.",
        ),
        rule(rf"{polite}(?P<x>stop apologi[sz]ing)(?=\W*$)", f"{asks}{{x}}."),
        a_rule(
            rules.STYLE,
            r"i prefer (?P<x>.*\b(?:answers|replies|responses|explanations)\b.*)",
            "The user prefers {x}.",
            objects.thing,
            "answer style",
        ),
    ]


def preferences() -> list[Rule]:
    """Favourites, likes and dislikes."""

    def rule(form: str, text: str, attribute: str = "taste:{key}") -> Rule:
        return a_rule(rules.PREFERENCES, form, text, objects.tastes, attribute, objects.taste_key)

    favourite = r"(?:all-time )?favou?rite"
    category = (
        r"(?P<k>(?!part|thing|one|scene|moment|bit|aspect|character|chapter|memor)[\w' -]{2,40}?)"
    )
    return [
        a_rule(
            rules.PREFERENCES,
            rf"my {favourite} colou?r (?P<is>is) {X}",
            "The user's favourite colour is {x}.",
            _favourite,
            "favourite colour",
        ),
        a_rule(
            rules.PREFERENCES,
            rf"my {favourite} {category} (?P<is>is|are) {X}",
            "The user's favourite {k} {is} {x}.",
            _favourite,
            "favourite {k}",
        ),
        a_rule(
            rules.PREFERENCES,
            rf"(?P<x>[\w][\w' -]{{1,40}}?) (?:is|are) my {favourite} {category}(?=$|[.!,])",
            "The user's favourite {k} is {x}.",
            objects.tastes,
            "favourite {k}",
        ),
        rule(rf"i (?:do not|don't) (?P<v>like|enjoy) {X}", "The user does not {v} {x}."),
        rule(rf"i (?P<v>like|love|enjoy|hate)(?P<e>) {X}", "The user {v}s {x}."),
        rule(rf"i (?:dislike|detest|despise|loathe) {X}", "The user dislikes {x}."),
        rule(rf"i adore {X}", "The user adores {x}."),
        rule(rf"i (?:can ?not|could not) stand {X}", "The user cannot stand {x}."),
        rule(
            rf"i am (?:not (?:a (?:big |huge )?fan of|fond of|into|interested in|keen on)) {X}",
            "The user does not like {x}.",
        ),
        rule(rf"i am an? (?:\w+ )?(?P<v>fan of|lover of) {X}", "The user is a {v} {x}."),
        rule(
            "i am (?P<v>fond of|crazy about|obsessed with|passionate about|into|keen on|"
            f"addicted to) {X}",
            "The user is {v} {x}.",
        ),
        rule(
            r"i am (?:\w+ )?interested in (?!learning|knowing|hearing|finding|trying|joining|"
            f"buying|getting|doing|what|how){X}",
            "The user is interested in {x}.",
        ),
        a_rule(rules.PREFERENCES, rf"i prefer {X}", "The user prefers {x}.", _preferred),
    ]


def goals() -> list[Rule]:
    """Plans, and what is being learnt."""

    def rule(form: str, text: str, shape: Shape = objects.plan, attribute: str = "") -> Rule:
        return a_rule(rules.GOALS, form, text, shape, attribute)

    return [
        rule(rf"i want to {X}", "The user wants to {x}.", objects.project),
        rule(rf"i would (?:like|love) to {X}", "The user would like to {x}.", objects.wish),
        rule(rf"i (?:am planning|plan|have plans|intend) to {X}", "The user plans to {x}."),
        rule(
            r"i am thinking (?:about|of) (?P<x>(?!.*\b(?:skills?|things?|something)\b)(?:moving|"
            "changing|quitting|studying|buying|starting"
            "|adopting|learning|applying|retiring|becoming|getting an?) .+)",
            "The user is thinking about {x}.",
            objects.thing,
        ),
        rule(
            r"i am planning (?P<x>(?:an?|my|our) (?:\w+ )?(?:trip|wedding|holiday|vacation|move|"
            "party"
            r"|honeymoon|journey)\b.*)",
            "The user is planning {x}.",
            objects.thing,
        ),
        rule(rf"i hope to {X}", "The user hopes to {x}.", objects.project),
        rule(rf"i (?:have )?decided to {X}", "The user decided to {x}.", objects.project),
        rule(rf"i am going to {X}", "The user is going to {x}.", objects.project),
        rule(
            rf"i am (?P<v>saving(?: up)? for|training for|preparing for|studying for) {X}",
            "The user is {v} {x}.",
            objects.thing,
        ),
        rule(
            "i (?:am|have been|started|have started) learning (?:how )?(?P<x>to [a-z]{3,}.*|"
            "(?!how|about|more|some|a lot|new|from|the).+)",
            "The user is learning {x}.",
            _learnt,
            "learning:{key}",
        ),
        rule(
            "i am looking for (?P<x>an? (?:new )?(?:job|flat|apartment|house|roommate|"
            "internship).*)",
            "The user is looking for {x}.",
            objects.thing,
        ),
        rule(
            rf"i am (?P<v>trying|working hard|aiming) to {X}",
            "The user is {v} to {x}.",
            objects.project,
        ),
        rule(
            r"i am working on (?P<x>(?:an?|my|our) (?!(?:\w+ )?(?:project|thing|lot)\b).+)",
            "The user is working on {x}.",
            objects.thing,
        ),
        rule(
            rf"my (?P<k>(?:main |long-term |short-term |biggest |big |career |new year's |life )?"
            "(?:goal|dream|plan|ambition|resolution)) (?:(?:for )?this year |for (?:next|this)"
            f" year )?is (?:to )?{X}",
            "The user's {k} is to {x}.",
            objects.plan,
        ),
    ]


def _favourite(raw: str) -> list[str]:
    found = cuts.cut(raw)
    refused = r"(?:when|how|that|the one|what|this|because|to be|where|definitely the|probably)\b"
    return [] if cuts.is_pointer(found) or re.match(refused, found, re.I) else [found]


def _preferred(raw: str) -> list[str]:
    found = cuts.cut(raw)
    refused = r"(?:the|not|to (?:keep|stay|wait|think|say)|if|your|option|number)\b"
    return [] if cuts.is_pointer(found) or re.match(refused, found, re.I) else objects.thing(raw)


def _learnt(raw: str) -> list[str]:
    return (
        objects.tastes(raw)
        if not raw.startswith("to ")
        else [f"to {found}" for found in objects.project(raw[3:])]
    )
