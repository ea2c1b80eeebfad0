"""The conformance kit finds fault: a game with one thing wrong fails the test that is about it, and one without passes all."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import attrs
import pytest

from rollbook.domain.base.identifiers import GROUP
from rollbook.domain.rules.vocabulary import Words
from rollbook.plugin import Passport, Ruleset
from rollbook.testing.conformance.crossing_laws import fault_in_passport
from rollbook.testing.conformance.isolation import reached, watched
from rollbook.testing.conformance.random_suite import fault_in
from rollbook.testing.conformance.suite import RulesetConformance
from tests.support.faulty_games import FAULTS, Shout, by_a_slip, growing_game, sheet_with_label_twice
from tests.support.poke_game import POKE_GAME, poke_game


def tried_out(ruleset: Ruleset | str) -> RulesetConformance:
    class Suite(RulesetConformance):
        playthroughs = 30
        actions = 12
        shrink = False
        examples = ("join Robin", "join Marian", "bruise robin")

    Suite.ruleset = ruleset
    return Suite()


TESTS = [name for name in dir(RulesetConformance) if name.startswith("test_")]


@pytest.mark.parametrize("test", TESTS)
def test_a_game_without_fault_passes(test: str) -> None:
    getattr(tried_out("tests.support.poke_game:POKE_GAME"), test)()


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_with_a_fault_fails_the_test_that_is_about_it(fault: str) -> None:
    ruleset, test, said = FAULTS[fault]
    suite = tried_out(ruleset)
    type(suite).examples = ("join Robin", "join Marian")
    with pytest.raises(Exception, match=said):
        getattr(suite, test)()


def test_a_failure_tells_the_playthrough_as_it_would_be_typed_and_shrinks_it() -> None:
    suite = tried_out(poke_game(by_a_slip))
    type(suite).shrink = True
    with pytest.raises(AssertionError) as failure:
        suite.test_an_action_records_events_or_is_refused_with_a_sentence()
    told = str(failure.value)
    assert "poke " in told
    assert "join " in told
    assert "campaign pokes" in told
    assert len(told.splitlines()) < 12, told


def test_an_example_that_is_refused_is_named() -> None:
    suite = tried_out(poke_game())
    type(suite).examples = ("join Robin", "join Robin")
    with pytest.raises(AssertionError, match=r"'join Robin' is refused: There is already a character called 'robin'"):
        suite.test_the_opening_moves_can_be_made()


def test_a_word_that_a_rule_compares_without_saying_whose_word_it_is_is_found() -> None:
    suite = tried_out(poke_game(more=(Shout,)))
    type(suite).examples = ("join Robin", "shout robin softly")
    with pytest.raises(AssertionError, match="With capitals this comes out otherwise: shout robin SOFTLY"):
        suite.test_an_example_in_capitals_comes_out_the_same()


def test_two_words_that_differ_in_capitals_alone_are_found() -> None:
    twice = {"volume": Words(known=("softly", "Softly"))}
    suite = tried_out(attrs.evolve(poke_game(), vocabulary=twice))
    with pytest.raises(AssertionError, match="'Softly' and 'softly' are one word"):
        suite.test_no_two_words_of_a_subject_differ_in_capitals_alone()


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from time import time",
        "import sqlite3.dbapi2",
        "x = datetime.datetime.now()",
        "import rollbook.application.book",
    ],
)
def test_imports_that_no_ruleset_needs_are_found(source: str) -> None:
    assert reached(f"import json\n\n{source}\n") == [
        f"line 3: {source.removeprefix('x = ').replace('import time', 'import …')}"
    ]


def test_what_a_ruleset_may_import_is_let_be() -> None:
    assert (
        reached("import json, math, re\nfrom rollbook.plugin import events\nfrom . import random\nnow = table.now()")
        == []
    )


def test_watching_ends_and_leaves_everything_as_it_was() -> None:
    real = time.time
    with watched() as asked:
        time.time()
        Path(__file__).read_bytes()
    assert time.time is real
    Path(__file__).read_bytes()
    assert asked[0] == "time.time()"
    assert [what for what in asked if what.startswith("open ")] == [f"open {__file__}"]


@pytest.mark.parametrize(
    "text",
    [
        "Robin holds no token. He gains one by tempting fate.",
        "No session is open. Open one first: rollbook do open-session",
        "amount is 0, but it must be at least 1.",
        "'dragon' is neither a number nor dice. Write d20.",
    ],
)
def test_these_are_sentences(text: str) -> None:
    assert fault_in(text, ["amount"]) == ""


@pytest.mark.parametrize(
    "text",
    [
        "",
        "No.",
        "it cannot be",
        "It cannot be",
        "There is no <object object at 0x7f00>.",
        "It failed with KeyError('robin').",
        "Choose one of ('club', 'sword').",
        "Character(id='robin') is not able to.",
    ],
)
def test_these_are_none(text: str) -> None:
    assert fault_in(text)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A distribution with two entry points, of which one is called by another name than the ruleset's key."""
    info = tmp_path / "rollbook_pokes-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: rollbook-pokes\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[{GROUP}]\npokes = tests.support.poke_game:POKE_GAME\nprods = tests.support.poke_game:POKE_GAME\n"
    )
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("installed")
def test_a_ruleset_is_found_by_its_entry_point() -> None:
    suite = tried_out("pokes")
    suite.test_it_is_found_by_its_entry_point()
    assert suite.game is POKE_GAME


@pytest.mark.usefixtures("installed")
def test_an_entry_point_of_another_name_than_the_key_is_a_fault() -> None:
    with pytest.raises(AssertionError, match="its key is 'pokes', but its entry point is called 'prods'"):
        tried_out("prods").test_it_is_found_by_its_entry_point()


def test_a_ruleset_that_is_not_installed_fails_with_a_word_about_it() -> None:
    with pytest.raises(pytest.fail.Exception, match="There is no entry point 'nowhere'"):
        _ = tried_out("nowhere").game


GOOD_PASSPORT = Passport(max_hp=8, dies_at=-8, weapons={"bow": "ranged"}, conditions=("prone",), modifiers={"str": 1})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ""),
        ({"armour": "plate"}, "'plate' is not one of none, light"),
        ({"weapons": {"bow": "bow"}}, "bow (bow)"),
        ({"conditions": ("sleepy",)}, "sleepy"),
        ({"modifiers": {"luck": 1}}, "luck"),
        ({"max_hp": -1}, "below 0"),
    ],
)
def test_what_no_other_game_can_read_in_a_passport_is_found(change: dict[str, Any], said: str) -> None:
    assert said in fault_in_passport(attrs.evolve(GOOD_PASSPORT, **change))
    assert bool(fault_in_passport(attrs.evolve(GOOD_PASSPORT, **change))) == bool(said)


def test_a_game_that_nobody_comes_back_to_as_before_is_found() -> None:
    suite = tried_out(growing_game())
    suite.test_everybody_has_a_passport_that_other_games_can_read()
    with pytest.raises(AssertionError, match="after coming back this is different"):
        suite.test_who_goes_to_another_game_and_comes_back_is_as_before()


def test_a_preview_shows_a_number_that_is_called_like_a_line_of_words() -> None:
    tried_out(poke_game(sheet=sheet_with_label_twice)).test_a_preview_shows_what_applying_it_gives()
