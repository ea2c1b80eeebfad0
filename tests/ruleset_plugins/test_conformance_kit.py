"""The conformance kit finds fault: a game with one thing wrong fails the test that is about it, and one without passes all."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any, ClassVar

import attrs
import pytest

from domain.contract import GROUP
from ruleset_plugins import (
    Action,
    Campaign,
    Character,
    Crossing,
    Passport,
    Ruleset,
    Sheet,
    Table,
    Term,
    Value,
    events,
    number,
    setting,
    words,
)
from ruleset_plugins.conformance.crossed import fault_in_passport
from ruleset_plugins.conformance.outside import reached, watched
from ruleset_plugins.conformance.sentences import fault_in
from ruleset_plugins.testing import RulesetConformance
from tests.pokes import POKES, game, plain

MEMORY: list[str] = []
"""What a rule must not have."""


def tried_out(ruleset: Ruleset | str) -> RulesetConformance:
    class Suite(RulesetConformance):
        evenings = 12
        actions = 12
        shrink = False
        examples = ("join Robin", "join Marian", "bruise robin")

    Suite.ruleset = ruleset
    return Suite()


TESTS = [name for name in dir(RulesetConformance) if name.startswith("test_")]


@pytest.mark.parametrize("test", TESTS)
def test_a_game_without_fault_passes(test: str) -> None:
    getattr(tried_out("tests.pokes:POKES"), test)()


def by_chance(self: Any, table: Table) -> None:
    amount = random.randint(1, 1000)
    table.record(events.DamageTaken(character=table.character(self.who).id, amount=amount, dealt=amount))


def from_memory(self: Any, table: Table) -> None:
    MEMORY.append(self.who)
    table.record(events.NoteWritten(text=str(len(MEMORY)), about=table.character(self.who).id))


def by_value_error(self: Any, table: Table) -> None:
    raise ValueError(f"{self.who} cannot be poked")


def by_a_slip(self: Any, table: Table) -> None:
    table.record(events.NoteWritten(text=table.character(self.who).traits["ticklish"]))


def mutters(self: Any, table: Table) -> None:
    table.refuse("no")


def shows_its_insides(self: Any, table: Table) -> None:
    table.refuse(f"This cannot be done to {table.character(self.who)}.")


def behind_the_back(self: Any, table: Table) -> None:
    who = table.character(self.who)
    table.record(events.StatChanged(character=who.id, stat="pokes", amount=1))
    now = table.character(self.who)
    table.record(events.NoteWritten(text="poked", about=who.id))
    object.__setattr__(who, "lost", who.lost + 1)
    assert now.id == who.id


def half_points(self: Any, table: Table) -> None:
    table.record(events.DamageTaken(character=table.character(self.who).id, amount=0.5, dealt=1))  # type: ignore[arg-type]


def without_end(self: Any, table: Table) -> None:
    while table.roll("1d6", roller=table.character(self.who).id, purpose="poke").total < 7:
        pass


def reads_a_file(self: Any, table: Table) -> None:
    text = Path(__file__).read_text(encoding="utf-8")[:3]
    table.record(events.NoteWritten(text=text, about=table.character(self.who).id))


def reads_a_clock(self: Any, table: Table) -> None:
    table.record(events.NoteWritten(text="late" if time.time() > 0 else "early", about=table.character(self.who).id))


def peeks(self: Any, table: Table) -> None:
    """What is read past the table's questions is noted nowhere."""
    table.character(self.who)
    everybody = table.campaign.characters.values()
    table.record(
        events.CheckResolved(character=self.who, check="", total=sum(w.lost for w in everybody), target=0, success=True)
    )


@attrs.frozen
class Unknown(events.Event):
    """A fact that no history can hold."""


class Careless(Action):
    """Do something in a class that is none."""

    verb: ClassVar[str] = "careless"

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


@attrs.frozen(kw_only=True)
class Untold(Action):
    """Do something with a parameter that nobody knows."""

    verb: ClassVar[str] = "untold"
    how: str = "so"

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


@attrs.frozen(kw_only=True)
class Mistyped(Action):
    """Do something with a number that is called a word."""

    verb: ClassVar[str] = "mistyped"
    many: str = number("how many")

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


@attrs.frozen(kw_only=True)
class OutOfRange(Action):
    """Do something that its own default does not allow."""

    verb: ClassVar[str] = "out-of-range"
    many: int = number("how many", default=0, minimum=1)

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


@attrs.frozen(kw_only=True)
class Never(Action):
    """Do what can never be done."""

    verb: ClassVar[str] = "never"
    why: str = words("why", default="")

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class Never2(Never):
    verb: ClassVar[str] = "never-2"


@attrs.frozen(kw_only=True)
class Silent:
    """A switch that says nothing."""

    loud: bool = setting(default=True, text="")


@attrs.frozen(kw_only=True)
class Torn:
    """A default that is no choice."""

    half: str = setting("sideways", "which way halves are rounded", choices=("up", "down"))


def fails(who: Character, campaign: Campaign) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("left", "Left", 60 // (who.lost <= 5)),))


def does_not_add_up(who: Character, campaign: Campaign) -> Sheet:
    return Sheet(
        character=who.id, name=who.name, values=(Value("lost", "Lost", who.lost, terms=(Term(0, "nothing"),)),)
    )


def twice(who: Character, campaign: Campaign) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("lost", "Lost", 0), Value("lost", "Lost more", 0)))


def depends_on_others(who: Character, campaign: Campaign) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("band", "The band", len(campaign.characters)),))


def logs(who: Character, campaign: Campaign) -> Sheet:
    print(who.name)  # noqa: T201
    return plain(who, campaign)


def more_each_time(self: Any, table: Table) -> None:
    MEMORY.append(self.who)
    table.record(events.DamageTaken(character=table.character(self.who).id, amount=len(MEMORY), dealt=1))


FAULTS: dict[str, tuple[Ruleset | str, str, str]] = {
    "more each time, brought back": (
        game(more_each_time),
        "test_what_is_taken_back_can_be_brought_back",
        "the campaign is not what it was",
    ),
    "more each time, amended": (
        game(more_each_time),
        "test_amending_an_action_to_what_it_was_changes_nothing",
        "amended to what it was, comes out differently",
    ),
    "sheet depends on others, previewed": (
        game(sheet=depends_on_others),
        "test_a_preview_shows_what_applying_it_gives",
        "The preview shows",
    ),
    "no order": (
        "tests.pokes:UNORDERED",
        "test_play_is_the_same_in_another_process",
        "In another process this comes out differently",
    ),
    "read once": ("tests.pokes:LAZY", "test_play_is_the_same_in_another_process", "ask for .*open .*pokes"),
    "chance": (game(by_chance), "test_the_same_dice_give_the_same_facts", "comes out differently"),
    "chance is noticed": (game(by_chance), "test_rules_ask_for_nothing_but_the_table", r"random\.randint"),
    "memory": (game(from_memory), "test_the_same_dice_give_the_same_facts", "comes out differently"),
    "value error": (
        game(by_value_error),
        "test_an_action_records_facts_or_is_refused_with_a_sentence",
        r"(?s)poke .*ends in ValueError: .* cannot be poked",
    ),
    "slip": (
        game(by_a_slip),
        "test_an_action_records_facts_or_is_refused_with_a_sentence",
        "ends in KeyError: 'ticklish'",
    ),
    "mutters": (game(mutters), "test_an_action_records_facts_or_is_refused_with_a_sentence", "too short .*'no'"),
    "shows its insides": (
        game(shows_its_insides),
        "test_an_action_records_facts_or_is_refused_with_a_sentence",
        "for programmers",
    ),
    "behind the back": (
        game(behind_the_back),
        "test_an_action_leaves_the_campaign_as_it_was",
        "behind the table's back",
    ),
    "half points": (game(half_points), "test_facts_are_of_the_vocabulary_and_can_be_kept", "DamageTaken"),
    "without end": (
        game(without_end),
        "test_an_action_records_facts_or_is_refused_with_a_sentence",
        "still wants more",
    ),
    "file": (game(reads_a_file), "test_rules_ask_for_nothing_but_the_table", "open .*test_conformance_kit"),
    "clock": (game(reads_a_clock), "test_rules_ask_for_nothing_but_the_table", r"time\.time\(\)"),
    "peeks": (
        game(peeks),
        "test_whatever_was_corrected_every_action_plays_out_as_it_now_stands",
        "read everything through the table",
    ),
    "undocumented": (game(doc=None), "test_every_verb_says_what_it_does", "poke has no docstring"),
    "half a sentence": (game(doc="pokes"), "test_every_verb_says_what_it_does", "pokes"),
    "inherited docstring": (game(more=(Never2,)), "test_every_verb_says_what_it_does", "never-2 has no docstring"),
    "no attrs": (game(more=(Careless,)), "test_every_verb_is_a_frozen_value_with_typed_parameters", "Careless"),
    "untold": (game(more=(Untold,)), "test_every_verb_is_a_frozen_value_with_typed_parameters", "how is no parameter"),
    "mistyped": (
        game(more=(Mistyped,)),
        "test_every_verb_is_a_frozen_value_with_typed_parameters",
        "many is annotated",
    ),
    "out of range": (
        game(more=(OutOfRange,)),
        "test_every_verb_is_a_frozen_value_with_typed_parameters",
        "many refuses its own default: many is 0",
    ),
    "capitals": (game(verb="Poke Them"), "test_verbs_are_named_as_people_type_them", "'Poke Them'"),
    "in the way": (
        game(verb="open-session"),
        "test_no_verb_takes_the_place_of_one_that_binds_the_engine",
        "open-session",
    ),
    "silent setting": (
        game(settings=Silent),
        "test_every_house_rule_has_a_default_and_says_what_it_decides",
        "loud does not say",
    ),
    "torn setting": (
        game(settings=Torn),
        "test_every_house_rule_has_a_default_and_says_what_it_decides",
        "sideways",
    ),
    "sheet fails": (game(sheet=fails), "test_every_sheet_can_be_derived_and_adds_up", "ZeroDivisionError"),
    "sheet does not add up": (
        game(sheet=does_not_add_up),
        "test_every_sheet_can_be_derived_and_adds_up",
        "Lost is .* but its terms come to 0",
    ),
    "sheet says it twice": (game(sheet=twice), "test_every_sheet_can_be_derived_and_adds_up", r"\['lost'\]"),
    "sheet depends on others": (
        game(sheet=depends_on_others),
        "test_a_sheet_follows_from_its_character_the_settings_the_clock_and_the_encounter",
        "depends on more than the character",
    ),
    "sheet writes": (game(sheet=logs), "test_rules_ask_for_nothing_but_the_table", r"builtins\.print"),
    "no way in": (
        Ruleset(key="never", title="Never", version="1", summary="Nothing.", actions=(Never,), sheet=plain),
        "test_random_play_gets_somewhere",
        "never",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_game_with_a_fault_fails_the_test_that_is_about_it(fault: str) -> None:
    ruleset, test, said = FAULTS[fault]
    suite = tried_out(ruleset)
    type(suite).examples = ("join Robin", "join Marian")
    with pytest.raises(Exception, match=said):
        getattr(suite, test)()


def test_a_failure_tells_the_evening_as_it_would_be_typed_and_shrinks_it() -> None:
    suite = tried_out(game(by_a_slip))
    type(suite).shrink = True
    with pytest.raises(AssertionError) as failure:
        suite.test_an_action_records_facts_or_is_refused_with_a_sentence()
    told = str(failure.value)
    assert "poke " in told
    assert "join " in told
    assert "campaign pokes" in told
    assert len(told.splitlines()) < 12, told


def test_an_example_that_is_refused_is_named() -> None:
    suite = tried_out(game())
    type(suite).examples = ("join Robin", "join Robin")
    with pytest.raises(AssertionError, match=r"'join Robin' is refused: There is already somebody called 'robin'"):
        suite.test_the_opening_moves_can_be_made()


@pytest.mark.parametrize(
    "source",
    [
        "import random",
        "from time import time",
        "import sqlite3.dbapi2",
        "x = datetime.datetime.now()",
        "import adapters.book",
    ],
)
def test_imports_that_no_ruleset_needs_are_found(source: str) -> None:
    assert reached(f"import json\n\n{source}\n") == [
        f"line 3: {source.removeprefix('x = ').replace('import time', 'import …')}"
    ]


def test_what_a_ruleset_may_import_is_let_be() -> None:
    assert (
        reached("import json, math, re\nfrom ruleset_plugins import events\nfrom . import random\nnow = table.now()")
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
    (info / "entry_points.txt").write_text(f"[{GROUP}]\npokes = tests.pokes:POKES\nprods = tests.pokes:POKES\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("installed")
def test_a_ruleset_is_found_by_its_entry_point() -> None:
    suite = tried_out("pokes")
    suite.test_it_is_found_by_its_entry_point()
    assert suite.game is POKES


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
        ({"armour": "plate"}, "'plate' is none of none, light"),
        ({"weapons": {"bow": "bow"}}, "bow (bow)"),
        ({"conditions": ("sleepy",)}, "sleepy"),
        ({"modifiers": {"luck": 1}}, "luck"),
        ({"max_hp": -1}, "below 0"),
    ],
)
def test_what_no_other_game_can_read_in_a_passport_is_found(change: dict[str, Any], said: str) -> None:
    assert said in fault_in_passport(attrs.evolve(GOOD_PASSPORT, **change))
    assert bool(fault_in_passport(attrs.evolve(GOOD_PASSPORT, **change))) == bool(said)


def forgetful() -> Ruleset:
    """A game that lets everybody grow whenever they come in."""

    def arrive(table: Table, name: str, passport: Passport) -> None:
        table.record(events.StatChanged(character=name, stat="max_hp", amount=passport.max_hp))

    def restless(who: Character, campaign: Campaign) -> Sheet:
        return Sheet(character=who.id, name=who.name, values=(Value("since", "Since", len(who.crossed)),))

    crossing = Crossing(describe=lambda who, _: Passport(max_hp=8), arrive=arrive, set_modifier=lambda *_: None)
    return attrs.evolve(game(sheet=restless), crossing=crossing)


def test_a_game_that_nobody_comes_back_to_as_before_is_found() -> None:
    suite = tried_out(forgetful())
    suite.test_everybody_has_a_passport_that_other_games_can_read()
    with pytest.raises(AssertionError, match="after coming back this is different"):
        suite.test_who_goes_to_another_game_and_comes_back_is_as_before()


def says_it_in_numbers_and_words(who: Character, campaign: Campaign) -> Sheet:
    return attrs.evolve(plain(who, campaign), words=(("Hit points lost", "what wounds have taken"),))


def test_a_preview_shows_a_number_that_is_called_like_a_line_of_words() -> None:
    tried_out(game(sheet=says_it_in_numbers_and_words)).test_a_preview_shows_what_applying_it_gives()
