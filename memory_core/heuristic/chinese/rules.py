"""All Chinese rules. Clauses come to them bare (see clauses.py)."""

import re
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.chinese import identity, life, objects, wishes, work
from memory_core.heuristic.chinese.forms import X
from memory_core.heuristic.rules import Rule, Shape
from memory_core.records import About


@cache
def user_rules() -> tuple[Rule, ...]:
    """Rules for what the user says of themselves, the more particular ones first."""
    groups = (
        wishes.standing,
        identity.identity,
        life.health,
        work.work,
        life.relationships,
        wishes.goals,
        wishes.preferences,
    )
    return tuple(rule for group in (*groups, wishes.possessions) for rule in group())


@cache
def assistant_rules() -> tuple[Rule, ...]:
    """Rules for what the assistant says of itself: its name, its promises, its advice."""

    def rule(form: str, text: str, shape: Shape, attribute: str = "") -> Rule:
        return Rule(
            re.compile(form),
            text,
            rules.OTHER,
            shape,
            attribute,
            about=About.ASSISTANT,
            confidence=rules.LOW_CONFIDENCE,
        )

    return (
        rule(rf"我(?:的名字是|的名字叫|叫){X}", "助手的名字是{x}。", objects.name, "name"),
        rule(
            r"我是(?:你|您)的(?P<x>[\w\u4e00-\u9fff]{2,14})$",
            "助手是用户的{x}。",
            objects.word,
            "role",
        ),
        rule(
            rf"(?:那|那么)?我(?:会|将|一定会)(?P<v>[\u4e00-\u9fff\d点]{{0,8}}?(?:提醒|记住|记得|"
            f"记下|通知)){X}",
            "助手答应{v}{x}。",
            _assistant_thing,
        ),
        rule(
            rf"(?:那|那么)?我(?:强烈|诚心)?推荐(?!一些|几|以下|的|给?[你您]){X}",
            "助手向用户推荐{x}。",
            _assistant_thing,
        ),
        rule(
            rf"(?:那|那么)?我(?:强烈|诚心)?(?P<v>推荐|建议)(?!一些|几|以下|的)(?:给?[你您])?{X}",
            "助手{v}用户{x}。",
            _assistant_thing,
        ),
    )


def _assistant_thing(raw: str) -> list[str]:
    found = re.sub(r"[你您]们?", "用户", objects.cut(raw))
    return [found] if 2 <= len(found) <= 60 and not re.match(r"这|那|它", found) else []
