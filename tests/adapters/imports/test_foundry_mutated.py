"""Messages that other versions, modules and accidents have changed: nothing is lost, nothing crashes, nothing is shown to others.

``ROLLBOOK_FOUNDRY_ROUNDS`` says how many worlds are tried, 12 by default, each with a few hundred mutated messages.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.imports.foundry.values import unpacked
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.events import Role
from rollbook.projections.luck import gather, report
from tests.support.campaigns import memory_book
from tests.support.foundry import WorldLog, folder, rolls_of, take_in
from tests.support.foundry_messages import a_world

ROUNDS = int(os.environ.get("ROLLBOOK_FOUNDRY_ROUNDS", "12"))
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1.5, 2**70, 1e300, "", "x", "12", "<b>", "\u202eevil", "\x00\x1b[31m", "\ud800", "=cmd()|'x'!A1",
    "../../x",
    "<script>alert(1)</script>", "[[Robin]]", "a" * 5_000, [], {}, [[]], [None], {"a": {"b": []}}, "[1, 2", '{"a": 1}',
    "gm", "table",
    "hidden-robin",
)  # fmt: skip
SPARED = ("_id", "whisper")
"""What says how many messages there are, and for whom: changes of those are other tests."""


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything in a document."""
    keys = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in keys:
        if key not in SPARED:
            yield (*path, key)
            yield from places(inner, (*path, key))


def changed(value: Any, chance: random.Random) -> Any:
    """A document with one thing in it changed, inside its strings of JSON too."""
    found = list(places(value))
    if not found:
        return value
    *way, last = chance.choice(found)
    holder = value
    for key in way:
        holder = holder[key]
    inner = unpacked(holder[last]) if isinstance(holder[last], str) else None
    if isinstance(inner, dict | list) and chance.random() < 0.8:
        holder[last] = json.dumps(changed(inner, chance))
        return value
    match chance.randrange(4):
        case 0:
            del holder[last]
        case 1:
            holder[last] = json.dumps(holder[last])
        case _:
            holder[last] = deepcopy(chance.choice(ODD))  # the next change may go inside it
    return value


def listed(message: dict[str, Any]) -> list[Any]:
    """What a message lists as its rolls."""
    rolls = unpacked(message["rolls"]) if isinstance(message.get("rolls"), str) else message.get("rolls")
    if isinstance(rolls, list) and any(rolls):
        return [one for one in rolls if one]
    single = message.get("roll")
    return [single] if isinstance(single, dict | str) and unpacked(single) else []


def worlds() -> Iterator[tuple[str, Callable[[], WorldLog]]]:
    yield "written", a_world
    for name in ("one", "two"):
        if (found := folder()) is not None:
            yield name, lambda path=found / name: _real(path)


def _real(path: Path) -> WorldLog:
    read = {
        kind: [json.loads(line) for line in (path / f"{kind}.db").read_text(encoding="utf-8").splitlines()]
        for kind in ("messages", "users", "actors")
    }
    return WorldLog(read["messages"], tuple(read["users"]), tuple(read["actors"]))


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_no_mutation_of_messages_loses_a_roll_or_shows_a_whisper_to_others(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    kinds = [*worlds()]
    _, make = kinds[seed % len(kinds)]
    world = make()
    if len(world.messages) > 150:
        world.messages = chance.sample(world.messages, 150)
    for message in world.messages:
        for _ in range(chance.choice((0, 1, 1, 2, 5))):
            changed(message, chance)
    for place, message in enumerate(world.messages):
        message["rolls"] = message.get("rolls")
        message["flavor"] = f"mark{place}mark"
    book = memory_book(tmp_path, ruleset=None)
    take_in(book, world.export(tmp_path / "greenwood.json"))
    assert len(rolls_of(book)) >= sum(len(listed(message)) for message in world.messages)
    assert _totals(world) <= _counted(rolled.total for rolled in rolls_of(book))
    campaign = book.campaign("greenwood")
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    assert report(gather(campaign.history)).rolls >= 0
    _check_players(campaign, world, tmp_path)
    take_in(book, tmp_path / "greenwood.json")
    assert book.campaign("greenwood").head.entry == campaign.head.entry


def _totals(world: WorldLog) -> Any:
    """How often each whole total is on record."""
    totals = (
        unpacked(json.dumps(roll) if isinstance(roll, dict) else roll)
        for message in world.messages
        for roll in listed(message)
    )
    found = (roll.get("total") for roll in totals if isinstance(roll, dict))
    return _counted(total for total in found if type(total) is int and abs(total) < 2**53)


def _counted(totals: Any) -> Any:
    return Counter(totals)


def _check_players(campaign: Any, world: WorldLog, tmp_path: Path) -> None:
    """No whispered message is in the file of somebody else, whatever became of its other fields."""
    names = {user["_id"]: user["name"] for user in world.users}
    for seat, sitting in campaign.state.seats.items():
        if sitting.role is Role.GM or seat not in names.values():
            continue
        path = tmp_path / "player.jsonl"
        export_shown(campaign.session.log, path, Reader(seat), overwrite=True)
        file = path.read_text(encoding="utf-8")
        for place, message in enumerate(world.messages):
            to = message.get("whisper")
            author = message.get("author", message.get("user"))
            if to and seat not in {names.get(key) for key in (*to, author if isinstance(author, str) else "")}:
                assert f"mark{place}mark" not in file
