"""What the Chinese rules are written with."""

import re
from collections.abc import Callable

from memory_core.heuristic.chinese import objects, words
from memory_core.heuristic.rules import Besides, Rule, Shape

SELF = rf"(?:我|本人|俺)(?:{words.ADVERBS}){{0,4}}"
X = r"(?P<x>.+)"
NUMBER = r"(?P<x>\d{1,3}|[一二两三四五六七八九]?十[一二三四五六七八九]?|[一二两三四五六七八九])"
END = r"(?=[了啊呢哦哈呀啦的吧]*$)"
MEASURE = r"(?:个|位|只|条|匹|头|缸|名|对)"
COUNT_YEARS = r"[\d一二两三四五六七八九十多]+年"


def a_rule(
    section: str,
    form: str,
    text: str,
    shape: Shape = objects.thing,
    attribute: str = "",
    key: Callable[[str], str] = str.casefold,
    *,
    ends: bool = False,
    besides: Besides | None = None,
) -> Rule:
    pattern = re.compile(form)
    return Rule(pattern, text, section, shape, attribute, key, ends=ends, besides=besides)
