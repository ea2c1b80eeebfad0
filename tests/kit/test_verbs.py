"""Verbs that several games share come out of one factory each, with what differs filled in by the game."""

from __future__ import annotations

from types import ModuleType

import attrs
import pytest

from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import Character
from rollbook.kit import conditions, open_choices, sides, turn_order, verbs
from rollbook.plugin import Action, Ruleset, Sheet, events, flag, number, words
from rollbook.testing.scenarios import Scenario, like, offers, rule, scenario
from tests.support.bare_table import joined_events

PUBLISHED = {"holmes": "Sherlock Holmes"}


def learn(table: Table, who: Character, choice: str, picked: str) -> None:
    taught = open_choices.data_of(who, choice)["taught"]
    table.record(events.TraitGained(character=who.id, trait=picked, kind=str(taught)))


def in_capitals(table: Table, who: Character, choice: str, typed: str) -> str:
    return open_choices.check_option(table, who, choice, typed.upper())


def fall(table: Table, name: str) -> None:
    conditions.begin(table, name, conditions.PRONE, detail="flat on the face")


def enter(table: Table, row: str, newcomer: verbs.Newcomer, *, hat: str) -> None:
    table.record(
        events.CharacterJoined(character=newcomer.id or "holmes", name=newcomer.name or row, seat=newcomer.seat),
        events.GearGained(character=newcomer.id or "holmes", item=hat),
    )


def greet(table: Table, who: Character, *, loud: bool) -> None:
    table.record(events.NoteWritten(text="HELLO" if loud else "hello", about=who.id))


class Begin(Action, verb="begin"):
    def resolve(self, table: Table) -> None:
        turn_order.begin_encounter(table, ("robin",))
        turn_order.set_order(table, [(table.character("robin"), (1,))])
        open_choices.offer(table, "robin", "lesson-1", ("chess", "tea"), kind="lesson", data={"taught": "hobby"})
        open_choices.offer(table, "robin", "letter", (events.Option(key="A", label="the first"), "B"), reason="why")


Choose = verbs.choose_verb({"lesson": learn}, help="Choose.", reads={"letter": in_capitals})
SetCondition = verbs.condition_verb(
    help="Rule.", follows=("dead",), begins={"prone": fall}, ends={"stuck": lambda table, _: table.refuse("No.")}
)
BringIn = verbs.bring_in_verb(
    PUBLISHED, enter, help="Bring in.", fields={"hat": words("which hat", default="deerstalker")}
)
JoinEncounter = verbs.join_encounter_verb(greet, help="Join.", fields={"loud": flag("loudly")})
EndEncounter = verbs.end_encounter_verb(
    lambda table, order: conditions.end_for_all(table, order, conditions.ARRIVING),
    help="End.",
    afterwards=lambda table, *, bell: table.record(events.NoteWritten(text=bell)) if bell else None,
    fields={"bell": words("what rings", default="")},
)
ACTIONS = (Begin, Choose, SetCondition, BringIn, JoinEncounter, EndEncounter)
GAME = Ruleset(
    key="game",
    title="Game",
    version="1",
    summary="Manners.",
    actions=ACTIONS,
    sheet=lambda who, _: Sheet(character=who.id, name=who.name),
)


def game() -> Scenario:
    return scenario(GAME).given(joined_events("robin", "marian"), Begin())


@pytest.mark.parametrize("verb", ACTIONS[1:])
def test_a_verb_has_the_help_that_the_game_gave_it(verb: type[Action]) -> None:
    assert str(verb.__doc__).endswith(".")
    assert verb.gm_only is (verb.verb != "choose")


def test_further_parameters_come_after_the_common_ones() -> None:
    assert [each.name for each in parameters(BringIn)] == ["who", "name", "id", "seat", "kind", "hat"]
    assert [each.name for each in parameters(EndEncounter)] == ["bell"]


def test_an_option_is_a_key_or_has_a_label_and_a_choice_knows_its_kind() -> None:
    scenario(GAME).given(joined_events("robin")).when(Begin()).then(
        offers("lesson-1", ("chess", "tea")),
        like(
            events.ChoiceOffered,
            choice="letter",
            options=(events.Option(key="A", label="the first"), events.Option(key="B")),
        ),
    )
    robin = game().character("robin")
    assert [open_choices.kind_of(robin, choice) for choice in ("lesson-1", "letter", "none")] == [
        "lesson",
        "letter",
        "none",
    ]
    assert open_choices.data_of(robin, "none") == {}


def test_a_choice_has_the_effect_of_its_kind_and_what_was_stored_with_it() -> None:
    game().when(Choose(who="robin", choice="lesson-1", picked="tea")).then(
        events.ChoiceMade(character="robin", choice="lesson-1", picked="tea"),
        events.TraitGained(character="robin", trait="tea", kind="hobby"),
    )
    game().when(Choose(who="robin", choice="lesson-1", picked="tee")).refused("There is no option of lesson-1 called")
    game().when(Choose(who="robin", choice="lesson-2", picked="tea")).refused("no open choice called 'lesson-2'")


def test_a_game_may_read_what_is_picked_in_its_own_way() -> None:
    game().when(Choose(who="robin", choice="letter", picked="b")).then(
        events.ChoiceMade(character="robin", choice="letter", picked="B")
    )


@rule("QG.8")
def test_a_condition_begins_and_ends_by_the_rule_it_has_or_else_by_itself() -> None:
    game().when(SetCondition(who="robin", condition="prone")).then(
        like(events.ConditionBegan, condition="prone", detail="flat on the face")
    )
    asleep = SetCondition(who="robin", condition="asleep")
    game().when(asleep).then(events.ConditionBegan(character="robin", condition="asleep"))
    game().given(asleep).when(SetCondition(who="robin", condition="asleep", ends=True)).then(events.ConditionEnded)
    stuck = game().given(SetCondition(who="robin", condition="stuck"))
    stuck.when(SetCondition(who="robin", condition="stuck", ends=True)).refused("No.")
    game().when(SetCondition(who="robin", condition="dead")).refused("follows from the game")


@rule("QG.9")
def test_the_gm_rules_on_the_dead_only_where_a_game_lets_them() -> None:
    dead = events.ConditionBegan(character="robin", condition="dead")
    game().given(dead).when(SetCondition(who="robin", condition="prone")).refused("Robin is dead")
    lenient = attrs.evolve(GAME, actions=(Begin, verbs.condition_verb(help="Rule.", source="ruling", even_dead=True)))
    verb = lenient.actions[1]
    scene = scenario(lenient).given(joined_events("robin"), dead)
    scene.when(verb(who="robin", condition="prone")).then(like(events.ConditionBegan, source="ruling"))


def test_a_published_character_comes_in_under_its_own_name_or_another() -> None:
    game().when(BringIn(who="holmes")).then(
        like(events.CharacterJoined, name="Sherlock Holmes"), like(events.GearGained, item="deerstalker")
    )
    game().when(BringIn(who="holmes", id="sh", name="S. H.", hat="top hat")).then(
        like(events.CharacterJoined, character="sh", name="S. H."), like(events.GearGained, item="top hat")
    )


def test_somebody_joins_a_fight_and_waits_for_the_next_round_unless_the_game_says_otherwise() -> None:
    game().when(JoinEncounter(who="marian", loud=True)).then(
        like(events.ConditionBegan, character="marian", condition="arriving"), like(events.NoteWritten, text="HELLO")
    )
    at_once = verbs.join_encounter_verb(help="Join.", waits=lambda _: False)
    scene = scenario(attrs.evolve(GAME, actions=(Begin, at_once))).given(joined_events("robin", "marian"), Begin())
    scene.when(at_once(who="marian")).then(events.TurnOrderSet).never(events.ConditionBegan)


def test_a_fight_ends_with_what_lasts_for_it_and_then_comes_what_follows() -> None:
    scene = game().given(JoinEncounter(who="marian"))
    scene.when(EndEncounter(bell="the church")).then(
        events.ConditionEnded(character="marian", condition="arriving"),
        events.EncounterEnded(),
        events.NoteWritten(text="the church"),
    )
    scene.given(EndEncounter()).when(EndEncounter()).refused("No encounter is being fought")


def test_a_verb_with_a_roll_is_easier_and_harder_for_what_is_named() -> None:
    class Climb(verbs.RollAction, verb="climb"):
        """Climb."""

        def resolve(self, table: Table) -> None:
            table.record(events.NoteWritten(text=self.ease.reasons))

    assert [each.name for each in parameters(Climb)] == ["advantage", "disadvantage"]
    climb = Climb(advantage=("a rope",), disadvantage=("rain", "the dark"))
    scene = scenario(attrs.evolve(GAME, actions=(Climb,)))
    scene.when(climb).then(events.NoteWritten(text="a rope, against, rain, the dark"))


def test_a_game_adds_what_its_characters_are_made_of_to_who_comes_in() -> None:
    class Join(verbs.JoinAction):
        """Join."""

        age: int = number("how old", default=30)

        def resolve(self, table: Table) -> None:
            who = self.enter(table)
            table.record(events.StatChanged(character=who, stat="age", amount=self.age + 9 * self.is_player_character))

    assert [each.name for each in parameters(Join)] == [*(each.name for each in parameters(verbs.JoinAction)), "age"]
    scene = scenario(attrs.evolve(GAME, actions=(Join,)))
    scene.when(Join(name="Mary Ann")).then(
        like(events.CharacterJoined, character="mary-ann", name="Mary Ann"), like(events.StatChanged, amount=39)
    )
    scene.when(Join(name="Bo", id="b", kind="npc")).then(
        like(events.CharacterJoined, character="b"), like(events.StatChanged, amount=30)
    )


def test_the_verbs_of_a_module_are_those_that_it_defines_in_its_order() -> None:
    module = ModuleType("fights")
    base = type("Blow", (Action,), {})
    first = verbs.harm_verb(lambda *_, **__: None)
    module.__dict__.update(Base=base, Harm=first, again=first, number=7, Side=sides.Side)
    assert verbs.defined_in(module, sides) == (first, sides.Side)
