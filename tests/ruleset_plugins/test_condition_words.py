"""Conditions in words: what follows "is" is how somebody is, and not the name of a spell or of a thing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.domain import events
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.rulebook import Rulebook
from rollbook.projections.chronicle.prose import prose
from rollbook.projections.log_lines import Teller
from rollbook.rulesets.srd5.words_of_conditions import KNOWN, SAID, SOURCES
from tests.support.games import INSTALLED_RULESETS

GAMES = {key: discover().ruleset(key) for key in INSTALLED_RULESETS}
TELLER = Teller({"mira": "Mira", "wolf": "Wolf"}, Rulebook(GAMES))
WORDS: Mapping[str, Mapping[str, str]] = {
    "srd5": {
        "prone": "prone",
        "restrained (Web)": "restrained (Web)",
        "restrained by wolf": "restrained by Wolf",
        "exhaustion": "exhausted",
        "reaction used": "out of reactions",
        "bless": "affected by bless",
        "bless, 2": "affected by bless, 2",
        "hunter's mark on wolf": "affected by hunter's mark on Wolf",
        "bless by wolf": "affected by bless by Wolf",
        "rage": "affected by rage",
        "vex": "affected by vex",
        "mage-armor": "affected by mage-armor",
        "drenched": "drenched",
    },
    "storytoken": {
        "stone": "turned to stone",
        "promised-2": "promised",
        "impaired-str": "impaired in str",
        "on-attack-course": "on attack course",
    },
    "russell": {
        "dropped bow": "without the dropped bow",
        "torch in hand": "with a torch in hand",
        "candle set down": "with a candle set down",
        "clipped lantern": "with a clipped lantern",
        "in the dark": "in the dark",
    },
    "grid": {"stable": "stable"},
    "luckpoint": {"bleeding": "bleeding"},
    "powers": {"off balance": "off balance"},
}
"""Conditions of each game, and the words that follow "is"."""


def _entry(game: str, *happened: Any) -> Entry:
    return Entry(EntryKind.TAKEN, 1, happened, seat="Ana", intent=Intent(verb="act"), actor="wolf", ruleset=game)


@pytest.mark.parametrize(
    ("game", "condition", "words"), [(game, *each) for game, said in WORDS.items() for each in said.items()]
)
def test_log_and_chronicle_say_how_somebody_is(game: str, condition: str, words: str) -> None:
    began = _entry(game, events.ConditionBegan(character="mira", condition=condition))
    ended = _entry(game, events.ConditionEnded(character="mira", condition=condition))
    assert TELLER.text(began).result == f"Mira is {words}"
    assert TELLER.text(ended).result == f"Mira is no longer {words}"
    assert f"is {words.replace('Wolf', 'wolf')}" in prose(began, TELLER).text.replace("Wolf", "wolf")


def test_several_in_one_condition_are_said_together() -> None:
    both = _entry("srd5", *(events.ConditionBegan(character=who, condition="bless") for who in ("mira", "wolf")))
    assert TELLER.text(both).result == "Mira and Wolf are affected by bless"


@pytest.mark.parametrize("read", SOURCES, ids=lambda read: str(len(read())))
def test_srd5_calls_nobody_by_the_name_of_a_spell_a_feature_or_a_thing(read: Any) -> None:
    say = GAMES["srd5"].condition_words
    names = [row.name.casefold() for row in read().values() if hasattr(row, "name")]
    assert names
    assert {say(name).removesuffix(name) for name in names} == {"affected by "}


def test_no_known_condition_of_srd5_is_the_name_of_a_cause_but_those_with_words() -> None:
    catalogue = {row.name.casefold() for read in SOURCES for row in read().values() if hasattr(row, "name")}
    assert KNOWN & catalogue <= SAID.keys()


def test_a_condition_of_a_game_that_fails_has_its_name() -> None:
    def fails(_: str) -> str:
        raise ZeroDivisionError

    class Broken:
        key, version, condition_words = "broken", "1", staticmethod(fails)

    rules = Rulebook({"broken": Broken()})  # type: ignore[dict-item]
    assert rules.condition_words("broken", "bless") == rules.condition_words("elsewhere", "bless") == "bless"
    assert len(rules.take_faults()) == 1
