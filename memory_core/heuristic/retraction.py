"""What a message takes back: of "I live in Rome. Just kidding." nothing is left."""

import re
from functools import cache


def last_word(text: str) -> str:
    """The message after the last place where it takes back what came before; mostly all of it."""
    end = 0
    for taken_back in _taken_back().finditer(text):
        end = taken_back.end()
    return text[end:]


@cache
def _taken_back() -> re.Pattern[str]:
    opening = r"(?:^|[,.;:!?…–—()-]\s*|\n)(?:(?:well|but|ok|okay|no|haha|lol|oh|and),?\s+){0,4}"
    # "I mean 30" mends; "I mean, I live here" goes on.
    mended = r"(?=[\"“]?(?:\d|(?-i:(?!I\b|I'|My\b|We\b|The\b|What|Can|Do\b|How)[A-Z])))"
    han = r"(?:^|[，,。；;！!？\s])(?:[哈哦啊呃嗯我都，,]|好吧|其实|刚才|刚刚){0,12}"
    return re.compile(
        rf"{opening}(?:i am |i'm |i was )?(?:just |only )?(?:kidding|joking)\b(?! aside)|\bjk\b"
        rf"|{opening}(?:scratch that|april fools?'?|never ?mind|not really|not true|that's (?:not "
        rf"true|a lie|wrong)|i (?:lied|made that up|take that back))\b(?=\W|$)"
        rf"|{opening}(?:i meant?|no,? wait|wait,? no|oops|sorry|correction|rather|or rather)"
        rf"[,:\s]+{mended}"
        rf"|{han}(?:(?:只)?是?(?:在|跟你)?开个?(?:小)?玩笑的?|逗你的?(?:玩的?)?|骗你的)"
        r"(?:啦|了|而已|呢|哈|～|~)*(?=[，,。！!；;\s]|$)"
        rf"|{han}(?:不对|说错了|打错了|不算数?|并?不是(?:的|真的)?|假的|没有(?:啦)?)"
        r"(?:啦|哈)*(?=[，,。！!；;\s]|$)",
        re.IGNORECASE,
    )
