"""An amended name changes the name and nothing else: who came in keeps the id, and everything later comes out the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollbook.application.encoding.codec import CODEC
from rollbook.domain.corrections.changes import Amend, Effect
from rollbook.domain.events import Event
from rollbook.domain.rules.action import parameters
from tests.support.games import GameTable
from tests.support.golden_campaigns import BY_TODAYS_RULES, golden_table

OTHER = "मीरा the Other"


def names_of(table: GameTable, action: int) -> Iterator[str]:
    """The parameters of an action that say how somebody or something is called, and that no rule compares with what it knows."""
    intent = table.history.intent_of(action)
    verb = table.rulebook.verbs(table.history.state_before(action)).get(intent.verb)
    for parameter in () if verb is None or verb.final else parameters(verb):
        is_said = intent.params.get(parameter.name) or parameter.name == "name"
        is_compared = parameter.of or parameter.name in ("id", "key", "item", "group", "like")
        if parameter.is_name and is_said and not is_compared:
            yield parameter.name


def told(events: tuple[Event, ...], *names: str) -> str:
    """Events with one word in the place of all these names."""
    text = "".join(json.dumps(json.loads(CODEC.encode(event)), ensure_ascii=False) for event in events)
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = text.replace(name, "…")
    return text


@pytest.mark.parametrize("path", BY_TODAYS_RULES, ids=lambda path: path.stem)
def test_an_amended_name_changes_nothing_else(path: Path, tmp_path: Path) -> None:
    table = golden_table(path, tmp_path)
    seen = set()
    for action in range(1, table.history.actions + 1):
        for name in names_of(table, action):
            made = table.preview({action: Amend({name: OTHER})})
            whose = f"{path.stem} #{action} {table.history.intent_of(action).verb} {name}"
            assert not made.of(Effect.ORPHANED, Effect.DRIFTED), whose
            had = table.history.state.characters
            assert made.after.characters.keys() == had.keys(), whose
            assert made.after.seats.keys() == table.history.state.seats.keys(), whose
            called = {(who.name, made.after.characters[who.id].name) for who in had.values()}
            names = {name for pair in called if len(set(pair)) > 1 for name in pair}
            names |= {OTHER, str(table.history.intent_of(action).params.get(name, ""))}
            for one in made.of(Effect.CHANGED):  # a reason may hold the name
                assert one.before and one.after
                assert told(one.before.events, *names) == told(one.after.events, *names), whose
            seen.add(name)
    assert seen
