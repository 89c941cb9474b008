"""English rules for health, and for what is no longer so."""

from collections.abc import Callable

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, proper, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.english.leaving import NO_JOB
from memory_core.heuristic.rules import Rule, Shape


def changes() -> list[Rule]:
    """What is no longer so; each supersedes the fact of the same attribute."""
    anymore = r"(?= .*\b(?:anymore|any more|any longer)\b)"

    def no_longer(
        verb: str,
        section: str,
        shape: Shape,
        attribute: str = "",
        key: Callable[[str], str] = str.casefold,
        besides: tuple[str, str] | None = None,
    ) -> Rule:
        form = (
            f"i (?:no longer|do not{anymore}) (?:really )?(?P<v>{verb})(?P<p> in| as| for| at|) {X}"
        )
        text = "The user no longer {v}s{p} {x}."
        return a_rule(section, form, text, shape, attribute, key, ends=True, besides=besides)

    found = [
        no_longer("live(?= in)", rules.IDENTITY, objects.place, "home"),
        no_longer("work(?= as)", rules.WORK, objects.with_article, "job"),
        no_longer("work(?= for| at)", rules.WORK, objects.employer, "employer", besides=NO_JOB),
        no_longer(
            "like|love|enjoy", rules.PREFERENCES, objects.tastes, "taste:{key}", objects.taste_key
        ),
        no_longer("eat|drink", rules.HEALTH, objects.listed, "food:{key}", objects.taste_key),
        no_longer("use", rules.OTHER, objects.thing, "use:{key}"),
        no_longer("play|own|need", rules.OTHER, objects.thing),
        a_rule(
            rules.OTHER,
            rf"i no longer have (?!an? car\b){X}",
            "The user no longer has {x}.",
            objects.thing,
        ),
    ]
    stopped = r"i (?:have )?(?:stopped|quit|gave up|given up) "
    return [
        *found,
        a_rule(
            rules.HEALTH,
            r"i (?:no longer|do not(?= \w+ any ?more)) (?P<x>smoke|drink)(?: any ?more)?" + END,
            "The user no longer {x}s.",
            word,
            "habit:{key}",
        ),
        a_rule(
            rules.HEALTH,
            rf"{stopped}(?P<x>smoking|drinking|vaping)" + END,
            "The user stopped {x}.",
            word,
            "habit:{key}",
            _habit,
        ),
        a_rule(
            rules.HEALTH,
            rf"{stopped}(?P<v>eating|drinking) {X}",
            "The user stopped {v} {x}.",
            objects.listed,
            "food:{key}",
            objects.taste_key,
        ),
        a_rule(
            rules.HEALTH,
            rf"i am (?P<n>no longer|not) allergic to {X}",
            "The user is {n} allergic to {x}.",
            objects.listed,
            "allergy:{key}",
        ),
        a_rule(
            rules.HEALTH,
            rf"i am (?P<n>no longer|not) (?:an? )?(?P<x>{words.DIETS})\b",
            "The user is {n} {x}.",
            word,
            "diet",
        ),
        a_rule(
            rules.HEALTH,
            rf"{stopped}being (?:an? )?(?P<x>{words.DIETS})(?! for a)" + END,
            "The user is no longer {x}.",
            word,
            "diet",
        ),
        *(
            a_rule(
                rules.GOALS,
                rf"i (?:have )?(?:{said}) (?P<v>learning|studying) (?!at ){X}",
                f"The user {reads} {{v}} {{x}}.",
                objects.tastes,
                "learning:{key}",
            )
            for said, reads in (
                ("stopped", "stopped"),
                ("am no longer", "is no longer"),
                ("quit", "quit"),
                ("(?:gave|given) up(?: on)?", "gave up"),
            )
        ),
        a_rule(
            rules.WORK,
            r"i am (?:no longer|not(?=.*\bany ?more)) an? "
            + rf"(?P<x>(?:[\w-]+ )?(?:{words.OCCUPATIONS}))\b",
            "The user is no longer a {x}.",
            word,
            "job",
        ),
    ]


def health() -> list[Rule]:
    """Allergies, diets, habits and conditions."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.HEALTH, form, text, shape, attribute, objects.taste_key)

    return [
        rule(
            rf"i am allergic to {X}",
            "The user is allergic to {x}.",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            r"i have an? (?:severe |bad |mild |serious )?(?P<x>[\w-]+(?: [\w-]+)?) allergy" + END,
            "The user is allergic to {x}.",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            rf"i have an? (?:severe |bad |mild |serious )?allergy to {X}",
            "The user is allergic to {x}.",
            objects.listed,
            "allergy:{key}",
        ),
        rule(
            rf"i (?:am|became|went|turned|have been|have become|have gone) (?:an? )?"
            rf"(?P<x>(?:strict |lifelong )?(?:{words.DIETS}))\b(?! (?:cook|restaurant|food|chef))",
            "The user is {x}.",
            word,
            "diet",
        ),
        rule(
            r"i (?:am on|follow|keep) an? (?P<x>[\w-]+(?: [\w-]+)?) diet\b",
            "The user follows a {x} diet.",
            objects.thing,
            "diet",
        ),
        rule(
            rf"i (?:do not|never) eat {X}",
            "The user does not eat {x}.",
            objects.listed,
            "food:{key}",
        ),
        rule(
            rf"i (?:can|could) ?not eat {X}",
            "The user cannot eat {x}.",
            objects.listed,
            "food:{key}",
        ),
        rule(
            rf"i (?:do not|never) drink {X}",
            "The user does not drink {x}.",
            objects.listed,
            "food:{key}",
        ),
        rule(
            r"i (?:do not|never) (?P<x>smoke|drink)" + END,
            "The user does not {x}.",
            word,
            "habit:{key}",
        ),
        a_rule(
            rules.HEALTH,
            r"i (?:have )?(?:started|began|begun|resumed) (?P<x>smoking|drinking|vaping)" + END,
            "The user started {x}.",
            word,
            "habit:{key}",
            _habit,
        ),
        a_rule(
            rules.HEALTH,
            r"i (?:eat|started eating|have started eating) (?P<x>meat) again(?=$|[.!,]| now\b)",
            "The user eats {x} again.",
            word,
            "food:{key}",
            besides=("The user is no longer vegetarian.", "diet", "veg"),
        ),
        rule(
            rf"i (?:have )?(?:started|began|begun|resumed) (?P<v>eating|drinking) {X}",
            "The user started {v} {x}.",
            objects.listed,
            "food:{key}",
        ),
        rule(
            rf"i (?:take|am taking|am on) (?P<x>(?:[\d.]+ ?m?c?g (?:of )?)?(?:{proper.DRUGS}))\b"
            r"(?! (?:daily|every|for my))",
            "The user takes {x}.",
            word,
        ),
        rule(
            r"i eat (?P<x>[\w ]{3,30}) again" + END,
            "The user eats {x} again.",
            objects.listed,
            "food:{key}",
        ),
        rule(
            rf"i have (?P<x>(?:type [12] |mild |severe |chronic )?(?:{words.CONDITIONS}))\b",
            "The user has {x}.",
        ),
        rule(rf"i (?:was|have been|got) diagnosed with {X}", "The user was diagnosed with {x}."),
        rule(
            "i (?P<n>take|am on) (?P<x>[a-z]{5,}(?: [a-z]+)?"
            r" (?:daily|every (?:day|morning|night|evening)|for my .+))",
            "The user takes {x}.",
        ),
        rule(rf"i suffer from {X}", "The user suffers from {x}."),
        rule(rf"i am (?P<x>{words.HEALTH_ADJECTIVES})\b", "The user is {x}.", word),
    ]


def _habit(raw: str) -> str:
    return {"smoking": "smoke", "drinking": "drink"}.get(raw.casefold(), raw)
