"""A plug-in that breaks the contract is refused by name and never takes the others down.

The distributions here are real enough: folders with metadata and an entry point, put on the path as an installer would.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.wiring import book_of
from rollbook.application.registry import RulesetRegistry
from rollbook.domain.base.errors import NotFound, RulesetBroken, RulesetMissing
from rollbook.domain.base.identifiers import GROUP
from rollbook.domain.rules.ruleset import API
from tests.support.memory_store import MemoryEventStore
from tests.support.plugins import GOOD, Install, install

__all__ = ["install"]


def broken(registry: RulesetRegistry, key: str) -> str:
    found = [str(fault) for fault in registry.broken if fault.key == key]
    assert len(found) == 1, registry.broken
    assert repr(key) in found[0]
    assert key not in registry.rulesets
    return found[0]


def test_a_ruleset_is_found_with_the_distribution_it_came_from(install: Install) -> None:
    install("rollbook-shout", "shout_one", GOOD + "RULESET = made('shouting')\n", shouting=":RULESET")
    registry = discover()
    assert registry.rulesets["shouting"].title == "A game"
    assert registry.origins["shouting"] == "rollbook-shout 1.0"
    assert not [fault for fault in registry.broken if "shouting" in str(fault)]


FAULTS = {
    "import": ("raise ValueError('no dice')", "fails on import: ValueError: no dice"),
    "syntax": ("def (", "fails on import: SyntaxError"),
    "missing_module": ("import nothing_like_this", "fails on import: ModuleNotFoundError"),
    "exits": ("import sys\nsys.exit(3)", "fails on import: SystemExit: 3"),
    "no_such_name": ("", "fails on import: AttributeError"),
    "a_dictionary": (GOOD + "RULESET = {}", "it is a dict, not a Ruleset"),
    "a_class": (GOOD + "RULESET = Ruleset", "it is a type, not a Ruleset"),
    "without_key": (
        GOOD + "RULESET = Ruleset(title='A game', version='1', summary='', actions=(), sheet=sheet)",
        "fails on import: TypeError: Ruleset.__init__() missing 1 required keyword-only argument: 'key'",
    ),
    "blank_key": (GOOD + "RULESET = made('')", "its key is '', but its entry point is called 'blank-key'"),
    "another_key": (
        GOOD + "RULESET = made('other')",
        "its key is 'other', but its entry point is called 'another-key'",
    ),
    "newer_api": (GOOD + f"RULESET = made('newer-api', api={API + 1})", f"speaks version {API}"),
    "odd_api": (GOOD + "RULESET = made('odd-api', api='two')", "breaks the contract"),
    "no_actions": (GOOD + "RULESET = made('no-actions', actions=None)", "breaks the contract"),
    "no_action": (GOOD + "RULESET = made('no-action', actions=(3,))", "3 is among its verbs but is not an Action"),
    "some_class": (GOOD + "RULESET = made('some-class', actions=(dict,))", "is among its verbs but is not an Action"),
    "no_verb": (
        GOOD + "class Mute(Shout):\n    verb = ''\nRULESET = made('no-verb', actions=(Mute,))",
        "Mute has no verb",
    ),
    "no_resolve": (
        GOOD + "class Idle(Action):\n    verb = 'idle'\nRULESET = made('no-resolve', actions=(Idle,))",
        "the verb 'idle' (Idle) does not say how it is resolved",
    ),
    "two_verbs": (GOOD + "RULESET = made('two-verbs', actions=(Shout, Shout))", "two verbs called 'shout'"),
    "own_adjust": (
        GOOD + "RULESET = made('own-adjust', second_thoughts={'adjust': 'again'})",
        "it calls a second thought 'adjust', which is what the GM's own corrections are called",
    ),
    "no_sheet": (GOOD + "RULESET = made('no-sheet', sheet=None)", "its sheet cannot be called"),
    "odd_settings": (GOOD + "RULESET = made('odd-settings', settings=dict)", "its settings are not an attrs class"),
    "odd_version": (GOOD + "RULESET = made('odd-version', version=2)", "its version is 2, which is not a text"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_broken_plug_in_is_refused_by_name_and_the_others_survive(fault: str, install: Install) -> None:
    code, said = FAULTS[fault]
    key = fault.replace("_", "-")
    install("rollbook-fine", f"fine_{fault}", GOOD + "RULESET = made('fine')\n", fine=":RULESET")
    install("rollbook-broken", f"broken_{fault}", code, **{fault: ":RULESET"})
    registry = discover()
    sentence = broken(registry, key)
    assert "rollbook-broken 1.0" in sentence
    assert f"broken_{fault}:RULESET" in sentence
    assert said in sentence
    assert "fine" in registry.rulesets


def test_a_key_that_two_distributions_claim_is_refused_and_both_are_named(install: Install) -> None:
    install("rollbook-one", "claim_one", GOOD + "RULESET = made('claimed')\n", claimed=":RULESET")
    install("rollbook-two", "claim_two", GOOD + "RULESET = made('claimed')\n", claimed=":RULESET")
    sentence = broken(discover(), "claimed")
    assert "rollbook-one 1.0, claim_one:RULESET" in sentence
    assert "rollbook-two 1.0, claim_two:RULESET" in sentence
    assert "remove all but one" in sentence


def test_two_rulesets_of_one_distribution_stand_for_themselves(install: Install) -> None:
    code = GOOD + "ONE = made('first-game')\nTWO = made('second-game', api=99)\n"
    install("rollbook-both", "both_games", code, first_game=":ONE", second_game=":TWO")
    registry = discover()
    assert "first-game" in registry.rulesets
    assert "version 99" in broken(registry, "second-game")


def test_a_book_gives_the_reason_why_a_ruleset_was_refused(install: Install, tmp_path: Path) -> None:
    install("rollbook-broken", "broken_reason", "raise ValueError('no dice')", sorry=":RULESET")
    book = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"), discover())
    with pytest.raises(RulesetBroken, match="no dice"):
        book.new("Sherwood", "sorry")
    with pytest.raises(NotFound, match="no ruleset called 'sory'"):
        book.new("Sherwood", "sory")
    assert book.campaigns() == ()


FAULTY = {
    "an_event_of_its_own": (
        "@attrs.frozen\nclass Shouted(events.Event):\n    text: str\nEVENT = Shouted('hey')",
        "own_an_event_of_its_own.Shouted",
    ),
    "a_kind_of_an_event": (
        "class Louder(events.NoteWritten):\n    pass\nEVENT = Louder(text='HEY')",
        "own_a_kind_of_an_event.Louder",
    ),
    "an_entry": (
        "from rollbook.domain.entries import Entry, EntryKind\nEVENT = Entry(EntryKind.UNDONE, 1)",
        "rollbook.domain.entries.Entry",
    ),
    "a_word": ("EVENT = 'hey'", "builtins.str"),
    "nothing_at_all": ("EVENT = None", "builtins.NoneType"),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_an_event_that_no_history_could_hold_is_refused_at_the_table(
    fault: str, install: Install, tmp_path: Path
) -> None:
    event, said = FAULTY[fault]
    records = GOOD.replace('table.refuse("Not now.")', "table.record(EVENT)")
    code = f"from rollbook.plugin import events\n{records}\n{event}\nRULESET = made('shouting')\n"
    install("rollbook-broken", f"own_{fault}", code, shouting=":RULESET")
    install("rollbook-fine", f"fine_{fault}", GOOD + "RULESET = made('fine')\n", fine=":RULESET")
    book = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"), discover())
    loud, quiet = book.new("Loud", "shouting"), book.new("Quiet", "fine")
    with pytest.raises(
        RulesetBroken, match=r"The ruleset 'shouting' \(rollbook-broken\) breaks the contract"
    ) as refusal:
        loud.do("shout")
    assert f"the verb 'shout' (own_{fault}:Shout) records a {said}, which is not an event" in str(refusal.value)
    assert loud.head.entry == 1, "nothing of it is recorded"
    quiet.do("scene", {"title": "The mill"})
    assert quiet.state.scene == "The mill"


def test_a_distribution_without_metadata_is_named_as_well_as_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    info = tmp_path / "odd-1.0.dist-info"
    info.mkdir()
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nnameless = nothing_at_all:RULESET\n")
    assert "fails on import" in broken(discover(), "nameless")


def test_only_the_ruleset_that_a_campaign_plays_is_imported(install: Install, tmp_path: Path) -> None:
    install("rollbook-played", "game_played", GOOD + "RULESET = made('played')\n", played=":RULESET")
    install("rollbook-idle", "game_left_alone", GOOD + "RULESET = made('left-alone')\n", left_alone=":RULESET")
    install("rollbook-broken", "game_left_broken", "raise ValueError('no dice')", left_broken=":RULESET")
    book = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"), discover())
    campaign = book.new("Sherwood", "played")
    campaign.do("scene", {"title": "The mill"})
    campaign.session.project()
    assert "left-alone" in book.registry.keys
    assert "game_played" in sys.modules
    assert "game_left_alone" not in sys.modules
    assert "game_left_broken" not in sys.modules
    assert "left-alone" in book.registry.rulesets
    assert "game_left_alone" in sys.modules


def test_a_campaign_whose_ruleset_is_broken_opens_and_says_why_it_cannot_be_played(
    install: Install, tmp_path: Path
) -> None:
    fine = GOOD + "RULESET = made('fragile')\n"
    install("rollbook-fragile", "fragile_at_first", fine, fragile=":RULESET")
    store, seeds = MemoryEventStore(), SeedKeeper(tmp_path / "seeds")
    book_of(store, SQLiteReadModel(), seeds, discover()).new("Sherwood", "fragile")
    fault = RulesetBroken("The ruleset 'fragile' fails on import.", key="fragile")
    campaign = book_of(store, SQLiteReadModel(), seeds, RulesetRegistry({}, {}, {"fragile": fault})).campaign(
        "sherwood"
    )
    assert campaign.state.name == "Sherwood"
    with pytest.raises(RulesetBroken) as refusal:
        campaign.do("scene", {"title": "The mill"})
    assert refusal.value.key == "fragile"


def test_a_missing_ruleset_is_named_with_what_brought_it(install: Install, tmp_path: Path) -> None:
    install("rollbook-gone", "soon_gone", GOOD + "RULESET = made('gone')\n", gone=":RULESET")
    store, seeds = MemoryEventStore(), SeedKeeper(tmp_path / "seeds")
    book_of(store, SQLiteReadModel(), seeds, discover()).new("Sherwood", "gone")
    campaign = book_of(store, SQLiteReadModel(), seeds, RulesetRegistry({})).campaign("sherwood")
    with pytest.raises(RulesetMissing) as missing:
        campaign.do("scene", {"title": "The mill"})
    assert (missing.value.key, missing.value.version, missing.value.package) == ("gone", "1", "rollbook-gone")


def test_a_game_that_was_edited_after_it_was_loaded_has_no_fingerprint(install: Install, tmp_path: Path) -> None:
    code = GOOD + "RULESET = made('edited')\n"
    install("rollbook-edited", "edited_one", code, edited=".rules:RULESET")
    (tmp_path / "edited_one" / "rules.py").write_text(code, encoding="utf-8")
    registry = discover()
    assert registry.ruleset("edited").title
    time.sleep(0.05)
    (tmp_path / "edited_one" / "__init__.py").write_text(code + "# better\n", encoding="utf-8")
    campaign = book_of(MemoryEventStore(), SQLiteReadModel(), SeedKeeper(tmp_path / "seeds"), registry).new(
        "Sherwood", "edited"
    )
    assert registry.fingerprints["edited"] == campaign.history.fingerprint == ""
    assert registry.fingerprints["storytoken"], "only what was edited is not known"
