"""What follows from a character is worked out once, and is read as if it were worked out each time."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain.state.reads import Looked
from rollbook.domain.state.tracked_state import watched_character
from rollbook.kit import remembering
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character
from tests.support.campaigns import memory_book

EXAMPLE = Path(__file__).parents[2] / "examples" / "salt-road.session"


def played(folder: Path) -> list[tuple[str, tuple[str, ...]]]:
    """The verbs of the example, each with what it read; the seeds of its dice are kept in the folder."""
    campaign = memory_book(folder, ruleset=discover().rulesets["srd5"]).new("Reads", "srd5")
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith(("#", "campaign")):
            campaign.say(line)
    return [(entry.intent.verb, entry.reads) for entry in campaign.history.entries]


def test_an_action_has_read_the_same_as_if_all_were_worked_out_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    quick = played(tmp_path / "one")
    for asked in ("_found", "_of_plain"):
        monkeypatch.setattr(remembering, asked, lambda who, _, work_out, args, named: work_out(who, *args, **named))
    assert played(tmp_path / "other") == quick


class Tired:
    """A rule that counts how often it is worked out."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, who: Character, more: int) -> int:
        self.times += 1
        return who.stats.get("con", 10) + more


def seen(who: Character, before: Character | None) -> tuple[Character, Looked]:
    """A character as an action sees it, and what it has read of it."""
    looked = Looked()
    return watched_character(who, looked, before), looked


def test_a_character_as_it_was_is_asked_once_and_read_each_time() -> None:
    rule, plain = Tired(), Character(id="kara", name="Kara")
    ask = remembered(rule)
    for _ in range(2):
        who, looked = seen(plain, plain)
        assert (ask(who, 1), ask(who, 1), looked.names()) == (11, 11, ["stats.con", "who"])
    assert rule.times == 1
    assert ask(seen(plain, plain)[0], 2) == 12


def test_a_character_that_the_action_changed_is_asked_again() -> None:
    rule, plain = Tired(), Character(id="kara", name="Kara")
    ask = remembered(rule)
    changed = attrs.evolve(plain, stats={"con": 14})
    assert [ask(seen(plain, plain)[0], 1), ask(seen(changed, plain)[0], 1), ask(seen(changed, plain)[0], 1)] == [
        11,
        15,
        15,
    ]
    assert rule.times == 3


def test_what_the_action_changed_elsewhere_makes_no_difference_to_what_is_known() -> None:
    rule, plain = Tired(), Character(id="kara", name="Kara", stats={"con": 12})
    ask = remembered(rule)
    hurt, renamed = attrs.evolve(plain, lost=3), attrs.evolve(plain, name="Kora")
    assert ask(seen(plain, plain)[0], 1) == 13
    who, looked = seen(hurt, plain)
    assert (ask(who, 1), looked.names(), rule.times) == (13, ["stats.con", "who"], 1)
    assert [ask(seen(renamed, plain)[0], 1), ask(seen(hurt, None)[0], 1), rule.times] == [13, 13, 3]


def test_outside_an_action_a_character_is_asked_once_as_soon_as_nothing_changes_it_any_more() -> None:
    rule, plain = Tired(), Character(id="kara", name="Kara")
    ask = remembered(rule)
    assert [ask(plain, 1), ask(plain, 1), rule.times] == [11, 11, 2]
    plain.seal()
    assert [ask(plain, 1), ask(plain, 1), rule.times] == [11, 11, 3]
    assert ask(seen(plain, plain)[0], 1) == 11 and rule.times == 3
