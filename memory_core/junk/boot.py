"""Text that sets an assistant up: system prompts, rules files, definitions of tools.

A user's own "always answer in Chinese" is an instruction to keep, not such a file.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.junk.reasons import Reason, Span

RULES_OF_A_FILE = 2
RULES_OF_A_PROMPT = 3
SHORTEST_PROMPT = 350
"""Characters of a text without file name that begins with "You are ..."; one of Han counts two."""


def tag_spans(text: str) -> Iterator[Span]:
    """What stands between tags that hosts put around what they add to a message."""
    unclosed: set[str] = set()
    done = 0
    for opening in _tag().finditer(text):
        name = opening[1].lower()
        if opening.start() < done or name in unclosed:
            continue
        closing = re.compile(rf"</{re.escape(name)}\s{{0,9}}>", re.I).search(text, opening.end())
        if closing is None:
            unclosed.add(name)  # looked for once: a thousand of them cost no more
            continue
        done = closing.end()
        recalled = name.startswith(("memor", "recalled", "retrieved"))
        reason = Reason.RECALLED if recalled else Reason.BOOT_FILE
        yield Span(start=opening.start(), end=done, reason=reason)


def boot_spans(text: str) -> Iterator[Span]:
    """Rules files and system prompts, each up to the next paragraph in the user's own words."""
    done = 0
    for head in _head().finditer(text):
        if head.start() < done:
            continue
        own = _own_paragraph().search(text, head.end())
        end = own.start() if own else len(text)
        body = text[head.start() : end].rstrip()
        done = head.start() + len(body)
        rules = sum(1 for _ in _rule().finditer(body))
        if head["label"]:
            is_boot = rules >= 1
        elif head["file"]:
            is_boot = rules + (body.startswith("#") and body.count("\n- ")) >= RULES_OF_A_FILE
        else:
            weight = len(body) + sum(char > "\u2e80" for char in body)
            is_boot = rules >= RULES_OF_A_PROMPT and weight >= SHORTEST_PROMPT
        if is_boot:
            yield Span(start=head.start(), end=done, reason=Reason.BOOT_FILE)


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(
        r"<(system[-_ ]?(?:reminder|prompt|message|instructions?)|system|developer|instructions"
        r"|(?:custom|user|project|repo|additional)[-_](?:instructions|rules|info|context)|rules"
        r"|environment[-_](?:details|context)|env|tools|tool[-_]definitions|functions?|function_calls"
        r"|tool[-_](?:call|calls|use|result|results|response|output)|available_skills|claudeMd"
        r"|(?:retrieved|recalled)?[-_]?memor(?:y|ies)|relevant[-_]memories)\b[^<>]{0,200}>",
        re.I,
    )


@cache
def _head() -> re.Pattern[str]:
    """The line that such a text begins with; group "file" when it is a file by name, "label"
    when a host has written before it whose words they are."""
    files = r"(?:CLAUDE|AGENTS?|GEMINI|SKILL|WARP|MEMORY|SOUL|TOOLS)\.md|copilot-instructions\.md"
    files += r"|\.(?:cursor|cline|windsurf|roo)rules|[\w-]+\.mdc"
    makers = r"Claude|ChatGPT|GPT-?\d?|Gemini|Copilot|Cursor|Codex|Cline|Qwen|DeepSeek"
    kinds = r"assistant|agent|AI|chatbot|(?:language )?model|expert|engineer|developer|programmer"
    return re.compile(
        rf"^[ \t>]{{0,8}}(?:(?P<file>[^\n]{{0,60}}(?<![\w.])(?:{files})\b[^\n]{{0,40}}$"
        r"|#* ?This file provides guidance to "
        r"|[^\n]{0,20}Contents of [^\n]{1,160}\.(?:md|mdc|txt)\b"
        r"|As you answer the user's questions, you can use)"
        r"|(?P<label>\[(?:system|developer)\] )"
        rf"|#* ?(?:You are|You're|Act as) (?:{makers}|an? (?:[\w-]+,? ){{0,5}}(?:{kinds}))\b"
        r"|(?:#+ ?)?(?:system|developer)(?: prompt| message)?[:：]|Knowledge cutoff[:：]"
        r"|你是(?:一个|一名|一位)?[^\n。]{0,24}(?:助手|助理|模型|智能体|专家|工程师|机器人)"
        r"|(?:系统提示词?|系统指令|システムプロンプト)[:：]"
        r"|あなたは[^\n。]{0,24}(?:アシスタント|AI|エージェント|専門家|エンジニア)(?:です|として))",
        re.I | re.M,
    )


@cache
def _rule() -> re.Pattern[str]:
    """Beginnings of sentences and lines that tell an assistant what to do."""
    verbs = (
        "always|never|do not|don't|must|you (?:must|should|can|will|have|may|are|cannot|can't)|"
        "avoid|prefer|use|ensure|make sure|when|if|before|after|only|respond|answer|reply|keep|"
        "follow|run|important|write|ask|be|no|limit|provide|output|return|commit|your|tests?"
    )
    return re.compile(
        rf"(?:^|[.!?] )[ \t>]{{0,8}}(?:[-*•]|\d{{1,2}}[.)])?[ *_]{{0,4}}(?:{verbs})\b"
        r"|^[ \t>]{0,8}#{1,5} \w|(?:^|[。！；\n])[ \t>]{0,4}(?:[-*•]|\d{1,2}[.)、．])?[ *]{0,3}"
        r"(?:请|不要|不得|不能|必须|始终|总是|禁止|永远|避免|使用|确保|回答|如果|当|务必|你的|你(?:应|要|会|可以))"
        r"|(?:常に|決して|必ず|してください|しないで|すること|してはいけ)",
        re.I | re.M,
    )


@cache
def _own_paragraph() -> re.Pattern[str]:
    """A paragraph that is neither list nor heading and speaks in the first person, or asks."""
    return re.compile(
        r"\n(?=(?i:by the way|btw|anyway|p\.?s\.?|顺便|对了|ところで|ちなみに)(?!\w))"
        r"|(?<=\n)[ \t]{0,9}\n(?=[ \t]{0,4}(?![-*•#>|<`\d])(?:"
        r"(?:[^\n]{0,80}?(?<![\w\"'“])(?:I|I'm|I've|I'll|[Mm]y|me|we|our)(?![\w\"'”]))"
        r"|[^\n]{0,300}[?？][ \t]{0,9}(?:\n|\Z)"
        r"|(?:btw|by the way|anyway|thanks|please|can you|could you)\b|By the way|Thanks|Please|Btw"
        r"|[^\n]{0,40}(?:我|私|僕|俺|顺便|谢谢|帮我|ところで|ちなみに)))"
    )
