"""From dialogue pages to drafts of facts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo
from itertools import islice

from memory_core.dates import resolve_relative
from memory_core.heuristic import chinese, english, japanese
from memory_core.heuristic.prose import own_words
from memory_core.heuristic.rules import Finding
from memory_core.records import FactDraft, Page
from memory_core.sentences import sentences
from memory_core.zones import in_zone

LONGEST_SENTENCE = 400
"""Characters of a sentence that are read: a longer one is hardly a plain statement."""

LONGEST_NAMING = 120
"""Characters of a fact that is read for names: a longer one says more than whose they are."""

MOST_SENTENCES = 60
MOST_FACTS = 12
MOST_ASSISTANT_FACTS = 3

_LANGUAGES = (japanese, chinese, english)


def facts_of(pages: Sequence[Page], zone: tzinfo, known: Iterable[str]) -> list[FactDraft]:
    """See `heuristic.facts_of`."""
    drafts: list[FactDraft] = []
    latest: dict[tuple[str, str], int] = {}
    names: dict[str, str] = {}
    _learn(names, known)
    for page in sorted(pages, key=lambda page: (page.at, page.key)):
        of_page = [*_of_page(page, zone, names)]
        _learn(names, (draft.text for draft in of_page))
        for draft in of_page:
            subject = (draft.about, draft.attribute or draft.text)
            index = latest.get(subject)
            if index is not None and drafts[index].text == draft.text:
                sources = dict.fromkeys((*drafts[index].source_keys, page.key))
                drafts[index] = replace(drafts[index], source_keys=tuple(sources))
                continue
            latest[subject] = len(drafts)
            drafts.append(draft)
    return drafts


def _learn(names: dict[str, str], texts: Iterable[str]) -> None:
    """Note who names belong to ("Rex": "dog"), by what facts say."""
    for text in texts:
        for language in _LANGUAGES if len(text) <= LONGEST_NAMING else ():
            for name, who in language.names_in(text).items():
                # A name that two have says nothing of either.
                names[name] = who if names.get(name, who) == who else ""


def _of_page(page: Page, zone: tzinfo, names: Mapping[str, str]) -> Iterator[FactDraft]:
    said = _distinct(_user_findings(own_words(page.user_input), names))
    answered = _distinct(_assistant_findings(own_words(page.agent_response)))
    for finding in (*said[:MOST_FACTS], *answered[:MOST_ASSISTANT_FACTS]):
        yield FactDraft(
            about=finding.about,
            text=resolve_relative(finding.text, in_zone(page.at, zone)),
            at=page.at,
            source_keys=(page.key,),
            confidence=finding.confidence,
            attribute=finding.attribute,
            section=finding.section,
            ended=finding.ended if finding.ended in finding.text else "",
        )


def _user_findings(text: str, names: Mapping[str, str]) -> Iterator[Finding]:
    said = {name: who for name, who in names.items() if name in text}
    for language in _LANGUAGES:
        text = language.with_relations(text, said)
    for sentence in _bounded_sentences(text):
        for language in _LANGUAGES:
            if language.is_written_in(sentence):
                yield from language.user_findings(sentence)


def _assistant_findings(text: str) -> Iterator[Finding]:
    for sentence in _bounded_sentences(text):
        for language in _LANGUAGES:
            if language.is_written_in(sentence):
                yield from language.assistant_findings(sentence)


def _bounded_sentences(text: str) -> Iterator[str]:
    short = (sentence[:LONGEST_SENTENCE] for sentence in sentences(text))
    return islice(short, MOST_SENTENCES)


def _distinct(found: Iterable[Finding]) -> list[Finding]:
    """One finding per attribute or text, the later one in the place of the earlier.

    Only "I left Acme" after "I joined Globex" leaves Globex where it is.
    """
    kept: dict[str, Finding] = {}
    for finding in found:
        subject = finding.attribute or finding.text
        if subject not in kept or finding.ended.casefold() in kept[subject].text.casefold():
            kept[subject] = finding
    return list(kept.values())
