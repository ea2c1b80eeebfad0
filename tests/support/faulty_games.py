"""Rulesets with one fault each, and the conformance test that must find it."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import attrs

from rollbook.plugin import (
    Action,
    CampaignState,
    Character,
    Crossing,
    DiceStep,
    Passport,
    PlannedMove,
    Ruleset,
    Sheet,
    Square,
    SquareMap,
    Squares,
    Table,
    Term,
    Value,
    character,
    events,
    number,
    setting,
    words,
)
from tests.support.denying_verbs import DENIALS
from tests.support.poke_game import hit_points_sheet, poke_game

MEMORY: list[str] = []
"""Memory between actions, which a rule must not have."""


def by_chance(self: Any, table: Table) -> None:
    amount = random.randint(1, 1000)
    table.record(events.DamageTaken(character=table.character(self.who).id, amount=amount, dealt=amount))


POKING = DiceStep(tests={"the d20": "poke"}, effects={"the damage": "damage"})


def damage_first(self: Any, table: Table) -> None:
    dealt = table.roll("1d6", roller=table.character(self.who).id, purpose="damage").total
    if table.roll("1d20", roller=self.who, purpose="poke").total > 10:
        table.record(events.DamageTaken(character=self.who, amount=dealt, dealt=dealt))


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
    object.__setattr__(getattr(who, "_of"), "lost", who.lost + 1)  # noqa: B009 - it is nobody's business
    table.record(events.NoteWritten(text="poked", about=who.id))


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
    """Read past the values that the table hands out, which notes no reads."""
    table.character(self.who)
    everybody = [getattr(each, "_of") for each in table.campaign.characters.values()]  # noqa: B009 - it is nobody's business
    total = sum(each.lost + each.experience + len(each.gear) + len(each.conditions) for each in everybody)
    table.record(events.CheckResolved(character=self.who, check="", total=total, target=0, success=True))


@attrs.frozen(kw_only=True)
class Tickled(events.Event):
    """An event that no history can hold."""

    character: str


def tells_news(self: Any, table: Table) -> None:
    table.record(Tickled(character=table.character(self.who).id))


class Untold(Action, verb="untold"):
    """Do something with a parameter that nobody knows."""

    how: str = "so"

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class Mistyped(Action, verb="mistyped"):
    """Do something with a number that is called a word."""

    many: str = number("how many")

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class OutOfRange(Action, verb="out-of-range"):
    """Do something that its own default does not allow."""

    many: int = number("how many", default=0, minimum=1)

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class Nobodys(Action, verb="nobodys"):
    """Do something in which nobody acts."""

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class BothWays(Action, verb="both-ways", by_any_seat=True):
    """Do something that is any seat's, and needs somebody who acts."""

    who: str = character("who acts", actor=True)

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class Shout(Action, verb="shout"):
    """Say something as softly as one likes, or otherwise."""

    who: str = character("who shouts", actor=True)
    how: str = words("how")

    def resolve(self, table: Table) -> None:
        table.record(events.NoteWritten(text="a whisper" if self.how == "softly" else "a shout", about=self.who))


class Never(Action, verb="never"):
    """Do what can never be done."""

    why: str = words("why", default="")

    def resolve(self, table: Table) -> None:
        table.refuse("There is nothing to be done.")


class Never2(Never, verb="never-2"):
    pass


@attrs.frozen(kw_only=True)
class Silent:
    """A switch that says nothing."""

    loud: bool = setting(default=True, text="")


@attrs.frozen(kw_only=True)
class Torn:
    """A default that is no choice."""

    half: str = setting("sideways", "which way halves are rounded", choices=("up", "down"))


def fails(who: Character, campaign: CampaignState) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("left", "Left", 60 // (who.lost <= 5)),))


def does_not_add_up(who: Character, campaign: CampaignState) -> Sheet:
    return Sheet(
        character=who.id, name=who.name, values=(Value("lost", "Lost", who.lost, terms=(Term(0, "nothing"),)),)
    )


def twice(who: Character, campaign: CampaignState) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("lost", "Lost", 0), Value("lost", "Lost more", 0)))


def depends_on_others(who: Character, campaign: CampaignState) -> Sheet:
    return Sheet(character=who.id, name=who.name, values=(Value("band", "The band", len(campaign.characters)),))


def logs(who: Character, campaign: CampaignState) -> Sheet:
    print(who.name)  # noqa: T201
    return hit_points_sheet(who, campaign)


def more_each_time(self: Any, table: Table) -> None:
    MEMORY.append(self.who)
    table.record(events.DamageTaken(character=table.character(self.who).id, amount=len(MEMORY), dealt=1))


def without_map(_: Table) -> SquareMap:
    return SquareMap(movers=("nobody",))


def all_may_move(table: Table) -> SquareMap:
    return SquareMap(movers=tuple(who.id for who in table.characters()))


def plan_to_elsewhere(_: Table, who: str, way: tuple[Square, ...]) -> PlannedMove:
    return PlannedMove(way=((9, 9, 0),) * bool(way), costs=(1,) * bool(way), onward=((1, 0, 0),), verb="poke")


FAULTS: dict[str, tuple[Ruleset | str, str, str]] = {
    **DENIALS,
    "a verb in which nobody acts": (
        poke_game(more=(Nobodys,)),
        "test_what_a_player_may_take_says_who_acts_or_is_any_seats",
        "Nobody acts in nobodys",
    ),
    "a verb of any seat that needs an actor": (
        poke_game(more=(BothWays,)),
        "test_what_a_player_may_take_says_who_acts_or_is_any_seats",
        "both-ways is taken by any seat",
    ),
    "a stranger on the map": (
        attrs.evolve(poke_game(), squares=Squares(laid_out=without_map, planned=plan_to_elsewhere)),
        "test_a_map_names_those_who_are_there_and_plans_are_moves_of_the_game",
        "nobody.* are named, who are not in play",
    ),
    "a plan to elsewhere": (
        attrs.evolve(poke_game(), squares=Squares(laid_out=all_may_move, planned=plan_to_elsewhere)),
        "test_a_map_names_those_who_are_there_and_plans_are_moves_of_the_game",
        "it ends at",
    ),
    "more each time, redone": (
        poke_game(more_each_time),
        "test_what_is_undone_can_be_redone",
        "the campaign is not what it was",
    ),
    "more each time, amended": (
        poke_game(more_each_time),
        "test_amending_an_action_to_what_it_was_changes_nothing",
        "amended to what it was, comes out differently",
    ),
    "sheet depends on others, previewed": (
        poke_game(sheet=depends_on_others),
        "test_a_preview_shows_what_applying_it_gives",
        "The preview shows",
    ),
    "no order": (
        "tests.support.poke_game:SET_ORDER_GAME",
        "test_play_is_the_same_in_another_process",
        "In another process this comes out differently",
    ),
    "read once": (
        "tests.support.poke_game:CACHING_GAME",
        "test_play_is_the_same_in_another_process",
        "ask for .*open .*poke_game",
    ),
    "damage before the attack": (
        poke_game(damage_first, typed_dice=(POKING,)),
        "test_dice_fall_in_the_order_that_the_verb_says",
        "poke says that its dice are the d20, then the damage; 'poke' is out of that order: damage .*, poke",
    ),
    "chance": (poke_game(by_chance), "test_the_same_dice_give_the_same_events", "comes out differently"),
    "chance is noticed": (poke_game(by_chance), "test_rules_ask_for_nothing_but_the_table", r"random\.randint"),
    "memory": (poke_game(from_memory), "test_the_same_dice_give_the_same_events", "comes out differently"),
    "value error": (
        poke_game(by_value_error),
        "test_an_action_records_events_or_is_refused_with_a_sentence",
        r"(?s)poke .*ends in ValueError: .* cannot be poked",
    ),
    "slip": (
        poke_game(by_a_slip),
        "test_an_action_records_events_or_is_refused_with_a_sentence",
        "ends in KeyError: 'ticklish'",
    ),
    "mutters": (poke_game(mutters), "test_an_action_records_events_or_is_refused_with_a_sentence", "too short .*'no'"),
    "shows its insides": (
        poke_game(shows_its_insides),
        "test_an_action_records_events_or_is_refused_with_a_sentence",
        "for programmers",
    ),
    "behind the back": (
        poke_game(behind_the_back),
        "test_an_action_leaves_the_campaign_as_it_was",
        "behind the table's back",
    ),
    "news": (poke_game(tells_news), "test_an_action_records_events_or_is_refused_with_a_sentence", "Tickled"),
    "half points": (poke_game(half_points), "test_events_are_of_the_vocabulary_and_can_be_kept", "DamageTaken"),
    "without end": (
        poke_game(without_end),
        "test_an_action_records_events_or_is_refused_with_a_sentence",
        "still wants more",
    ),
    "file": (poke_game(reads_a_file), "test_rules_ask_for_nothing_but_the_table", "open .*faulty_games"),
    "clock": (poke_game(reads_a_clock), "test_rules_ask_for_nothing_but_the_table", r"time\.time\(\)"),
    "peeks": (
        poke_game(peeks),
        "test_whatever_was_corrected_every_action_plays_out_as_it_now_stands",
        "read everything through the table",
    ),
    "undocumented": (poke_game(doc=None), "test_every_verb_says_what_it_does", "poke has no docstring"),
    "half a sentence": (poke_game(doc="pokes"), "test_every_verb_says_what_it_does", "pokes"),
    "inherited docstring": (poke_game(more=(Never2,)), "test_every_verb_says_what_it_does", "never-2 has no docstring"),
    "untold": (
        poke_game(more=(Untold,)),
        "test_every_verb_is_a_frozen_value_with_typed_parameters",
        "how is not a parameter",
    ),
    "mistyped": (
        poke_game(more=(Mistyped,)),
        "test_every_verb_is_a_frozen_value_with_typed_parameters",
        "many is annotated",
    ),
    "out of range": (
        poke_game(more=(OutOfRange,)),
        "test_every_verb_is_a_frozen_value_with_typed_parameters",
        "many refuses its own default: many is 0",
    ),
    "capitals": (poke_game(verb="Poke Them"), "test_verbs_are_named_as_people_type_them", "'Poke Them'"),
    "in the way": (
        poke_game(verb="open-session"),
        "test_no_verb_takes_the_place_of_one_that_binds_the_engine",
        "open-session",
    ),
    "silent setting": (
        poke_game(settings=Silent),
        "test_every_house_rule_has_a_default_and_says_what_it_decides",
        "loud does not say",
    ),
    "torn setting": (
        poke_game(settings=Torn),
        "test_every_house_rule_has_a_default_and_says_what_it_decides",
        "sideways",
    ),
    "sheet fails": (poke_game(sheet=fails), "test_every_sheet_can_be_derived_and_adds_up", "ZeroDivisionError"),
    "sheet does not add up": (
        poke_game(sheet=does_not_add_up),
        "test_every_sheet_can_be_derived_and_adds_up",
        "Lost is .* but its terms come to 0",
    ),
    "sheet says it twice": (poke_game(sheet=twice), "test_every_sheet_can_be_derived_and_adds_up", r"\['lost'\]"),
    "sheet depends on others": (
        poke_game(sheet=depends_on_others),
        "test_a_sheet_follows_from_its_character_the_settings_the_clock_and_the_encounter",
        "depends on more than the character",
    ),
    "sheet writes": (poke_game(sheet=logs), "test_rules_ask_for_nothing_but_the_table", r"builtins\.print"),
    "no way in": (
        Ruleset(key="never", title="Never", version="1", summary="Nothing.", actions=(Never,), sheet=hit_points_sheet),
        "test_random_play_gets_somewhere",
        "never",
    ),
}


def growing_game() -> Ruleset:
    """A game that lets characters grow whenever they come in."""

    def arrive(table: Table, name: str, passport: Passport) -> None:
        table.record(events.StatChanged(character=name, stat="max_hp", amount=passport.max_hp))

    def restless(who: Character, campaign: CampaignState) -> Sheet:
        return Sheet(character=who.id, name=who.name, values=(Value("since", "Since", len(who.arrival_baseline)),))

    crossing = Crossing(describe=lambda who, _: Passport(max_hp=8), arrive=arrive, set_modifier=lambda *_: None)
    return attrs.evolve(poke_game(sheet=restless), crossing=crossing)


def sheet_with_label_twice(who: Character, campaign: CampaignState) -> Sheet:
    return attrs.evolve(hit_points_sheet(who, campaign), words=(("Hit points lost", "what wounds have taken"),))
