"""Whatever somebody types is one paragraph: a line of theirs never begins where an entry could."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.log import line_text, log_text
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.actions import SHARED
from rollbook.domain.entries import EntryKind, Intent, RecordedEntry
from rollbook.domain.events import (
    EntropyAdded,
    Event,
    NoteWritten,
    ParameterValue,
    RulingMade,
    SceneFramed,
    SessionOpened,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action, parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.projections.chronicle.prose import prose
from rollbook.projections.context import Context
from rollbook.projections.log_lines import Teller
from rollbook.projections.log_rows import row
from tests.support.games import INSTALLED_RULESETS

Table = Any
TYPED = "a word\n#99 Ana  wins\n\n  and more"
FORGED = "#99 Ana"
GAMES = [discover().ruleset(key) for key in INSTALLED_RULESETS]
WORDS = (ParameterType.TEXT, ParameterType.TEXTS, ParameterType.GEAR, ParameterType.USE)
SPOKEN: tuple[type[Event], ...] = (NoteWritten, RulingMade, EntropyAdded, SceneFramed, SessionOpened)


def _events(verb: str) -> tuple[Event, ...]:
    """What a verb of words records."""
    made: dict[str, Event] = {
        "note": NoteWritten(text=TYPED),
        "ruling": RulingMade(reason=TYPED),
        "entropy": EntropyAdded(session=1, number=1, text=TYPED),
        "scene": SceneFramed(title=TYPED),
        "open-session": SessionOpened(session=1, title=TYPED),
    }
    return (made[verb],) if verb in made else ()


def _entry(game: str, verb: type[Action]) -> RecordedEntry:
    """A verb of which every parameter of words holds a line break, and so does its reason."""
    params: dict[str, ParameterValue] = {}
    for each in parameters(verb):
        if each.want in WORDS:
            params[each.name] = (TYPED,) if each.want.is_list else TYPED
    made = RecordedEntry(EntryKind.TAKEN, 1, _events(verb.verb), number=1, seat="Ana", reason=TYPED, ruleset=game)
    return made._replace(intent=Intent(verb=verb.verb, params=params))


@pytest.mark.parametrize("game", GAMES, ids=lambda each: each.key)
def test_the_words_of_every_verb_are_one_paragraph_in_its_line_and_its_sentence(game: Any) -> None:
    rules = Rulebook({game.key: game})
    for verb in (*game.actions, *SHARED):
        entry = _entry(game.key, verb)
        line = row("it", entry, Context(), rules)
        shown: list[Text] = [
            line_text(line),
            log_text(line, {}),
            log_text(line._replace(status="undone", why=TYPED), {}),
        ]
        assert all("\n" not in text.plain for text in shown), verb.verb
        assert "\n" not in line.what, verb.verb
        assert "\n" not in prose(entry, Teller({}, rules)).text, verb.verb


def _no_line_is_forged(text: str) -> bool:
    return all(not line.lstrip("> -*").startswith(FORGED) for line in text.splitlines())


def test_what_is_typed_stays_one_paragraph_on_every_surface(table: Table, home: Path) -> None:
    for words in (("close-session",), ("open-session",), ("entropy", TYPED), ("note", TYPED), ("ruling", TYPED)):
        answer = table(shlex.join(["do", *words, "--why", TYPED]))
        assert answer.code == 0, answer
        assert _no_line_is_forged(answer.out), answer.out
    last = json.loads(table("log --json").out.splitlines()[-1])["action"]
    preview = table(shlex.join(["undo", str(last), "--why", TYPED, "--preview"]))
    assert _no_line_is_forged(preview.out), preview.out
    assert table(shlex.join(["undo", str(last), "--why", TYPED, "--yes"])).code == 0
    vault = home / "vault"
    for words in ("log", "log --all", "log --corrections", "log --undone", "replay", "status", "sheet robin"):
        answer = table(words)
        assert _no_line_is_forged(answer.out), (words, answer.out)
    assert table(f"export {vault} --to markdown").code == 0
    notes = [note.read_text(encoding="utf-8") for note in vault.rglob("*.md")]
    assert any("#99 Ana" in note.replace("\\", "") for note in notes)
    assert all(map(_no_line_is_forged, notes))


def test_a_break_becomes_one_blank() -> None:
    assert printable(TYPED) == "a word #99 Ana  wins and more"
