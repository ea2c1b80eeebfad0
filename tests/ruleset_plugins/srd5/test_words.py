"""What the catalogue says in words is little, short, and our own."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.plugin import events
from rollbook.rulesets.srd5 import catalogue
from tests.support import srd5_schema as schema
from tests.support import srd5_unread as unread
from tests.support import srd5_vocabulary as vocabulary
from tests.support.srd5 import cast, caster, post, table
from tests.support.srd5_text import ROOT, TEXTS, raw, values

FILES = tuple(f"{name}.json" for name in schema.FILES)
COPIED = 6
"""So many words in a row are no longer our own."""
SLOT = " … slot … "
"""The place of a value in a sentence of the code, over which no run of words goes."""
PAGE = ROOT / "docs" / "rulesets" / "srd5-spells.md"


def test_at_most_a_quarter_of_the_spells_are_words_alone() -> None:
    spells = catalogue.spells().values()
    assert sum(bool(spell.reason) for spell in spells) * 4 <= len(spells)


def test_a_spell_of_words_alone_has_them_and_says_why_and_no_other_does() -> None:
    for spell in catalogue.spells().values():
        assert spell.words or not spell.reason, spell.name


def test_the_page_has_the_share_of_data_and_of_words_alone_by_level() -> None:
    all_by_level = Counter(spell.level for spell in catalogue.spells().values())
    alone = Counter(spell.level for spell in catalogue.spells().values() if bool(spell.reason))
    counted = [
        (str(level or "cantrips"), count, alone[level], unread.TOLD[level])
        for level, count in sorted(all_by_level.items())
    ]
    counted.append(("all", all_by_level.total(), alone.total(), sum(unread.TOLD.values())))
    rows = [f"| {level} | {count} | {count - words} | {words} | {told} |" for level, count, words, told in counted]
    page = PAGE.read_text(encoding="utf-8")
    assert [row for row in rows if row not in page] == []


@pytest.mark.parametrize("key", [key for key, spell in catalogue.spells().items() if bool(spell.reason)])
def test_a_spell_of_words_alone_says_why_when_it_is_cast(key: str) -> None:
    spell = catalogue.spells()[key]
    scene = table(caster(), post()).when(cast(key, allowed=("unprepared", "components", "time", "no slot")))
    assert [
        note.text for note in scene.events(events.NoteWritten) if spell.reason in note.text and spell.words in note.text
    ]


def test_the_page_names_every_spell_of_words_alone() -> None:
    page = PAGE.read_text(encoding="utf-8")
    alone = [spell for spell in catalogue.spells().values() if bool(spell.reason)]
    assert [spell.name for spell in alone if f"| {spell.name} | {spell.reason} |" not in page] == []


def runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z0-9']+", text.lower())
    return {tuple(words[at : at + COPIED]) for at in range(len(words) - COPIED + 1)}


def sentences() -> list[str]:
    """Everything of the catalogue that reads like a sentence, and is no name."""
    entries = [entry for file in FILES for entry in raw(file)]
    closed = {word for words in vocabulary.words().values() for word in words}
    closed |= {entry[field] for entry in entries for field in ("name", "family") if field in entry}
    texts = {value for value in values(entries) if isinstance(value, str)} - closed
    return sorted(text for text in texts if text.count(" ") >= COPIED - 1)


def code() -> list[str]:
    """Everything in quotation marks in the code of the rules, but for the notice, which is the owners' own."""
    files = [path for path in (ROOT / "ruleset_plugins" / "srd5").rglob("*.py") if path.name != "notice.py"]
    nodes = [node for path in files for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    texts = [node.values if isinstance(node, ast.JoinedStr) else [node] for node in nodes]
    parts = [[each.value if isinstance(each, ast.Constant) else SLOT for each in text] for text in texts]
    return ["".join(part for part in text if isinstance(part, str)) for text in parts]


@pytest.mark.skipif(not TEXTS.exists(), reason="the rules' own text is not at hand")
@pytest.mark.parametrize("ours", [sentences, code])
def test_no_sentence_is_copied(ours: Callable[[], list[str]]) -> None:
    paths: list[Path] = [*TEXTS.rglob("*.md"), *TEXTS.with_name("srd-5.1").rglob("*.md")]
    theirs: set[tuple[str, ...]] = set().union(*(runs(path.read_text(encoding="utf-8")) for path in paths))
    assert len(theirs) > 100_000
    copied = {" ".join(run) for sentence in ours() for run in runs(sentence) & theirs}
    assert sorted(copied) == []


@pytest.mark.parametrize("longest", [420])
def test_words_are_short(longest: int) -> None:
    assert [value for value in sentences() if len(value) > longest] == []
