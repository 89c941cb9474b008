"""What one line shows: how code, logs and dumps look, and how prose does."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from memory_core.junk.reasons import Reason

DENSE = 0.14
"""Share of code's own characters in a long line from which it is no prose."""


class Sign(NamedTuple):
    """weight: 3 says enough alone, 2 with another, 1 in company; 0 goes with what it follows."""

    reason: Reason
    weight: int


_SIGNS = {
    "code": Sign(Reason.CODE, 2),
    "trace": Sign(Reason.CODE, 3),
    "codish": Sign(Reason.CODE, 1),
    "log": Sign(Reason.LOG, 3),
    "session": Sign(Reason.LOG, 2),
    "logish": Sign(Reason.LOG, 1),
    "dump": Sign(Reason.TOOL_OUTPUT, 2),
    "http": Sign(Reason.TOOL_OUTPUT, 3),
    "dumpish": Sign(Reason.TOOL_OUTPUT, 1),
}


def sign_of(line: str, length: int, *, inside: bool = False) -> Sign | None:
    """The sign of a line, of which the beginning is given; None: it may be anything.

    Args:
        length: of the whole line; inside: a line with a sign stands before it.
    """
    found = _sign().match(line)
    if found and found.lastgroup:
        sign = _SIGNS[found.lastgroup]
        like_code = inside and line.lstrip()[:1].islower() and line[-1] not in ".!?,"
        return None if sign.weight == 1 and is_prose(line) and not like_code else sign
    if length > 120 and sum(map(line.count, "{}();=<>[]&|$\\")) > DENSE * len(line):
        return Sign(Reason.CODE, 3 if length > 250 else 2)
    return Sign(Reason.TOOL_OUTPUT, 1) if _is_row(line) else None


def is_output(line: str, before: Sequence[Sign]) -> bool:
    """Whether a line without a sign of its own goes on with a log, a session or a trace."""
    if is_prose(line):
        return False
    return before[-1].reason is Reason.LOG or before[-1] == _SIGNS["trace"]


def is_prose(line: str) -> bool:
    """Whether a line reads like a sentence."""
    bare = line.strip()
    wide = sum(char > "\u2e80" for char in bare)
    if wide >= 6 and 2 * wide >= len(bare):
        return True
    if not bare[:1].isalnum() and bare[:1] not in "\"'“‘¿¡(":
        return False
    words = bare.split(" ")
    plain = sum(word.strip(".,;:!?\"'()“”‘’…-").replace("'", "").isalpha() for word in words)
    return plain >= 4 and plain >= 0.75 * len(words) and not _symbols().search(bare)


def _is_row(line: str) -> bool:
    """A row of separated values: no space after the separators, one of the fields a number."""
    if line.count("\t") >= 2:
        return True
    if line.count(",") < 2 or ", " in line or line.count(" ") > line.count(","):
        return False
    return _numeric_field().search(line) is not None


@cache
def _symbols() -> re.Pattern[str]:
    return re.compile(r"[{}\[\]<>=\\|]|\(\)|;$|\w\([\w\"']")


@cache
def _numeric_field() -> re.Pattern[str]:
    return re.compile(r"(?:^|,)\"?-?\d[\d.:/ -]{0,30}\"?(?:,|$)")


@cache
def _sign() -> re.Pattern[str]:
    """One pattern, whose last group names the sign. It is matched once for each line."""
    parts = (("trace", _TRACE), ("log", _LOG), ("http", _HTTP), ("code", _CODE), ("dump", _DUMP))
    weak = (("session", _SESSION), ("logish", _LOGISH), ("codish", _CODISH), ("dumpish", _DUMPISH))
    named = "|".join(f"(?P<{name}>{'|'.join(forms)})" for name, forms in (*parts, *weak))
    return re.compile(rf"[ \t>]*(?:{named})")


_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|FATAL|CRITICAL|SEVERE)"
_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_PROGRAMS = (
    "git|npm|npx|pip3?|python3?|cd|ls|ll|cat|docker|kubectl|curl|wget|sudo|make|cargo|go|node|yarn|"
    "pnpm|uv|ssh|scp|grep|rm|cp|mv|mkdir|echo|export|apt|apt-get|brew|systemctl|tail|head|find|ps|"
    "chmod|source|pytest|ruff|mypy|tar|sed|awk|vim|nano|psql|mysql|redis-cli|helm|terraform|aws|gcloud"
)
_TRACE = (
    r"Traceback \(most recent call last\)",
    r"File \"[^\"\n]+\", line \d+",
    r"at (?:async )?[\w.$<>\[\]/ ]{1,120}\([^()\n]{0,160}:\d+(?::\d+)?\)",
    r"(?:Caused by: |Exception in thread )\S",
    r"goroutine \d+ \[|thread '[^'\n]{1,40}' panicked at",
    r"diff --git |@@ -\d+(?:,\d+)? \+\d|(?:---|\+\+\+) [ab]/\S",
)
_LOG = (
    rf"\[?\d{{4}}[-/]\d\d[-/]\d\d[T ]{_CLOCK}\]?,?[^\n]{{0,60}}?\b{_LEVEL}\b",
    rf"\[?{_CLOCK}\]?[^\n]{{0,40}}?\b{_LEVEL}\b",
    rf"\[?{_LEVEL}\]?:?\s{{1,6}}\[?(?:\d{{4}}-\d\d-\d\d|{_CLOCK})",
    rf"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {{1,2}}\d{{1,2}} {_CLOCK} [\w.-]+ "
    r"[\w./()-]+(?:\[\d+\])?:",
    r"[\da-f.:]{7,45} \S{1,40} \S{1,40} \[\d\d/\w{3}/\d{4}:",
    r"(?:\([\w.-]{1,40}\) )?[\w.-]{1,40}@[\w.-]{1,60}[: ][^\s$#]{0,120} ?[$#%] \S",
    r"(?:PS )?[A-Z]:\\[^>\n]{0,160}> ?\S",
    rf"[$%❯➜] (?:{_PROGRAMS})(?:\s|$)",
    r"npm (?:ERR!|WARN|error|warn|notice)(?: |$)",
    r"={3,80} .{0,60}(?:passed|failed|test session starts|error)",
    r"[dl-][rwxsStT-]{9}[.+@]? +\d+ ",
)
_HTTP = (
    r"(?:[<>] )?HTTP/\d(?:\.\d)? \d{3}(?:\s|$)",
    r"(?:[<>] )?(?:GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS) \S{1,400} HTTP/",
)
_CODE = (
    r"(?:async )?def \w+ ?\(|class \w+(?:\([^()\n]{0,120}\))?:\s*$|class \w+[\w ,<>]{0,120}\{\s*$",
    r"from [\w.]+ import [\w*(]|import (?:[\w.]+ as \w+|\w+\.[\w.]+|[{*][^\n]{0,200} from )",
    r"import [\w{][^\n]{0,120} from ['\"]|#include ?[<\"]|#!/\w|<\?php|(?:using|package) [\w.]+;",
    r"(?:export )?(?:default )?(?:async )?function\b[^\n]{0,120}[({]",
    r"(?:export )?(?:const|let|var) [\w{\[][^\n=]{0,120}=",
    r"(?:public|private|protected|internal|static|final|abstract|override) [\w<>\[\] ]{1,80}[({;=]",
    r"(?:pub )?(?:func|fn|impl|struct|enum|interface|trait|type|namespace) \w[^\n{]{0,160}\{\s*$",
    r"(?:if|for|while|switch|catch|\}? ?else if) ?\([^\n]{0,200}\) ?\{?\s*$|\} ?else ?\{|try ?\{",
    r"(?:SELECT [^\n]{1,250}|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (?:TABLE|INDEX|VIEW|OR)"
    r"|ALTER TABLE|DROP TABLE)\b",
    r"return\b[^\n;]{0,200};\s*$|if __name__ ==|(?:it|test|describe)\(['\"]",
    r"(?:\w{1,40}\.){0,9}[A-Z]\w{1,60}(?:Error|Exception)(?:: |$)",
)
_DUMP = (
    r"\"[^\"\n]{1,80}\" ?: ?(?:[\"{\[\d-]|true|false|null)",
    r"<(?:/|\?|!)?[A-Za-z][\w:.-]{0,60}(?:\s[^<>\n]{0,300})?/?>\s*(?:[^<\n]{0,200}</[\w:.-]{1,60}>)?"
    r"\s*$",
    r"\+(?:[-=]{3,300}\+){1,60}\s*$|[-]{3,80}(?:\+[-]{2,80})+\s*$",
    r"[\da-f]{6,16}:? {1,3}(?:[\da-f]{2,4} {1,3}){4}",
    r"[\d.]{7,15} +(?:TCP|UDP)|(?:TCP|UDP|tcp|udp)6? +[\d.:]+ ",
    r"(?:apiVersion|kind|metadata): ?\w*\s*$",
)
_SESSION = (
    r"Requirement already satisfied: |Installing collected packages: "
    r"|Successfully (?:installed|built) \S"
    r"|Receiving objects: |Resolving deltas: |Cloning into '|added \d+ packages",
)
_LOGISH = (
    rf"\[?{_LEVEL}\]?(?:[:\[(]| -|\s{{2}})",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{3}|Z|\+)",
    r"Collecting \S+$|Downloading \S+|total \d+$|[A-Za-z]{1,12}: \d+ bytes|\d+ bytes from ",
    r"(?:PASS|FAIL|PASSED|FAILED|ok|not ok|✓|✔|✗|✘) +\S*[./:_]\S+|\S+::\S+ (?:PASSED|FAILED)",
    r"\[\d+/\d+\] |>>> (?:\w|#)|In \[\d+\]:|[$❯➜] [a-z./]|[^\n%]{0,40}\d{1,3}%\|",
    r"[a-f\d]{7,40} (?:\(|[a-z])|(?:commit [\da-f]{40}|Author: .{1,80}<\S+@\S+>|Date: {3})",
)
_CODISH = (
    r"(?:if|elif|else|for|while|with|try|except|finally)\b[^\n]{0,160}:\s*$",
    r"[\w.\]\[]{1,80}(?:: ?[\w\[\], |.]{1,60})? ?[-+*/|&:]?= ?\S",
    r"(?:await )?[A-Za-z_]\w*(?:\.\w+)*\([^\n]{0,200}\)[;,:{]?\s*$|[\w.]{1,80}\(\s*$",
    r"[)}\]]{1,9}[;,)]{0,3}\s*$|(?:\}|end|else|do|fi|done|pass|break|continue);?\s*$",
    r"[^\n(){}=\[\]<>]{0,200}[(){}=\[\]<>][^\n;]{0,250};\s*$|[^\n{]{1,200}\{\s*$",
    r"//|/\*|\*/|-- \w|@\w+(?:\.\w+)*(?:\([^\n]{0,120}\))?\s*$|#(?:define|ifdef|endif|pragma)\b",
    r"(?:return|raise|yield|throw|await|assert|self\.|this\.|print\(|console\.)\b",
    r"[+-]\s{0,20}(?:def|class|import|return|const|let|\w+\()",
    r"['\"][\w./@-]{1,60}['\"],?\s*$|[A-Z][A-Z\d_]{2,60}=",
    r"\.{1,2}[\w-]+ ?\{|(?:AND|OR|FROM|WHERE|JOIN|LEFT JOIN|GROUP BY|ORDER BY|VALUES|SET)\b",
)
_DUMPISH = (
    r"[{}\[\]]{1,4},?\s*$|</?[A-Za-z][\w:.-]{0,60}[^<>\n]{0,300}>",
    r"(?:[<>*] )?[A-Za-z][A-Za-z\d]{0,30}-[\w-]{1,40}: \S",
    r"(?:services|volumes|environment|containers|spec|image|ports|replicas):(?: \S+)?\s*$",
)
