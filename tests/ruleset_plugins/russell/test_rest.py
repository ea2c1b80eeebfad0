"""Rest: nights and meals bring hit points back, a Turn with food and water takes tiredness away."""

from __future__ import annotations

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import CharacterKind, events
from rollbook.rulesets.russell.delve.lanterns import Refill
from rollbook.rulesets.russell.delve.lighting import Place
from rollbook.rulesets.russell.delve.rest import Meal, Rest, Sleep
from rollbook.rulesets.russell.wealth.downtime import TakeDowntime
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.russell import DAY, HOUR, TURN, damage_taken, has_gear, in_condition, party, tired_pips

WEARIED = "wearied"


def restored(name: str, amount: int):
    return like(events.HitPointsRestored, character=name, amount=amount)


def camp(**settings):
    """Ida and Bram are tired; Ida has two rations, each has water."""
    return party(**settings).given(
        has_gear("ida", "ration", 2),
        has_gear("ida", "waterskin"),
        has_gear("bram", "waterskin"),
        has_gear("wat", "waterskin"),
        tired_pips("ida", 2),
    )


@rule("R3.17")
def test_a_night_with_fire_and_blanket_brings_everything_back() -> None:
    slept = party().given(damage_taken("ida", 11), damage_taken("bram", 2)).when(Sleep(who=("party",)))
    slept.then(events.TimePassed(seconds=8 * HOUR), restored("ida", 11), restored("bram", 2)).never(events.DiceRolled)


@rule("R3.18")
def test_a_poor_night_brings_a_die_and_the_level() -> None:
    for poor in (
        Sleep(who=("party",), no_fire=True),
        Sleep(who=("party",), no_blanket=True),
        Sleep(who=("party",), woken=True),
    ):
        game = party().given(damage_taken("bram", 11))
        game.when(poor).rolling(2).then(like(events.DiceRolled, total=5, roller="bram"), restored("bram", 5))


@rule("R3.20")
def test_nobody_heals_past_the_maximum() -> None:
    party().given(damage_taken("bram", 2)).when(Sleep(who=("party",), no_fire=True)).rolling(6).then(
        restored("bram", 2)
    )
    unhurt = party().when(Sleep(who=("party",), no_fire=True)).never(events.DiceRolled, events.HitPointsRestored)
    assert unhurt.character("ida").lost == 0


@rule("R3.19")
def test_a_square_meal_brings_a_die_and_the_level_once_a_day() -> None:
    game = party().given(has_gear("bram", "ration", 3), damage_taken("bram", 11))
    eaten = game.when(Meal(who=("bram",))).rolling(4)
    eaten.then(
        like(events.PowerUsed, character="bram", power="square meal"),
        events.GearLost(character="bram", item="ration"),
        restored("bram", 7),
    )
    eaten.go_on().when(Meal(who=("bram",))).refused("within a day", "The next can be in 1 day")
    next_day = eaten.go_on().given(events.TimePassed(seconds=DAY))
    next_day.when(Meal(who=("bram",))).rolling(1).then(restored("bram", 4))


@rule("R3.19")
def test_a_meal_is_a_ration_for_each_and_friends_share_what_they_have() -> None:
    game = party().given(has_gear("ida", "ration", 2), damage_taken("bram", 5))
    game.when(Meal(who=("ida", "bram"))).rolling(1).then(
        events.GearLost(character="ida", item="ration"),
        events.GearLost(character="ida", item="ration"),
        restored("bram", 4),
    )
    game.when(Meal(who=("party",))).refused("Wat has no ration left", "give wat ration")


@rule("R3.21", "Q3.15")
def test_the_wounded_recover_a_die_whatever_the_occasion() -> None:
    wounded = party().given(
        in_condition("bram", "wounded", detail="Gut"), damage_taken("bram", 11), has_gear("bram", "ration")
    )
    for action in (Sleep(who=("party",)), Sleep(who=("party",), no_fire=True), Meal(who=("bram",))):
        wounded.when(action).rolling(3).then(like(events.DiceRolled, expression="1d6"), restored("bram", 3))


@rule("R3.17", "R3.43")
def test_passing_time_in_rest_is_sleeping_well() -> None:
    game = party().given(damage_taken("ida", 7), tired_pips("ida", 2))
    game.when(PassTime(amount=8, unit="hours", rest=True)).then(
        like(events.PoolSpent, pool="tired", amount=2), restored("ida", 7)
    )
    game.when(PassTime(amount=7, unit="hours", rest=True)).never(events.HitPointsRestored, events.PoolSpent)
    game.when(PassTime(amount=8, unit="hours")).never(events.HitPointsRestored, events.PoolSpent)


@rule("R3.17")
def test_a_rest_in_several_stretches_is_one_rest_if_nothing_comes_between() -> None:
    half = PassTime(amount=4, unit="hours", rest=True)
    game = party().given(damage_taken("ida", 7), half)
    game.when(half).then(restored("ida", 7))
    game.given(PassTime(amount=1, unit="hours")).when(half).never(events.HitPointsRestored)
    night = PassTime(amount=8, unit="hours", rest=True)
    slept = party().given(damage_taken("ida", 7), in_condition("ida", "wounded"), with_dice(night, 3))
    slept.when(night).never(events.HitPointsRestored)


@rule("R3.21")
def test_the_wounded_rest_night_after_night() -> None:
    game = party().given(damage_taken("ida", 7), in_condition("ida", "wounded"))
    game.when(PassTime(amount=2, unit="days", rest=True)).rolling(3, 2).then(restored("ida", 3), restored("ida", 2))
    game.when(PassTime(amount=900_000, unit="days", rest=True)).rolling(6, 6).then(
        restored("ida", 6), restored("ida", 1)
    )


@rule("R3.22")
def test_a_week_of_downtime_and_care_closes_a_wound_and_mere_nights_do_not() -> None:
    closed = events.ConditionEnded(character="bram", condition="wounded")
    game = party().given(in_condition("bram", "wounded", detail="Gut"))
    game.when(PassTime(amount=8, unit="days", rest=True)).never(closed)
    game.when(TakeDowntime(who=("bram",))).then(events.TimePassed(seconds=7 * DAY, activity="rest"), closed)
    game.when(TakeDowntime(who=("bram",), uncared=("bram",))).never(closed)


def test_things_and_the_dead_do_not_sleep() -> None:
    chest = events.CharacterJoined(character="chest", name="Chest", kind=CharacterKind.THING)
    game = party().given(chest, damage_taken("chest", 1), damage_taken("ida", 1), in_condition("ida", "dead"))
    game.when(PassTime(amount=900_000, unit="days", rest=True)).then(events.TimePassed, only=True)


@rule("R3.40", "R3.42", "Q3.33")
def test_a_shared_ration_and_water_erase_a_pip_each() -> None:
    rested = camp().given(tired_pips("bram", 1)).when(Rest(who=("party",))).rolling(6, 6, 6)
    rested.then(
        events.GearLost(character="ida", item="ration"),
        like(events.DiceRolled, roller="ida", purpose="usage", expression="1d6[waterskin]"),
        like(events.PoolSpent, holder="ida", pool="tired", amount=1),
        like(events.PoolSpent, holder="bram", pool="tired", amount=1),
        events.TimePassed(seconds=TURN),
    )
    assert len(rested.events(events.GearLost)) == 1


@rule("R3.40", "Q3.33")
def test_sharing_does_not_help_the_wearied() -> None:
    game = camp().given(tired_pips("bram", 3), in_condition("bram", WEARIED))
    game.when(Rest(who=("party",))).rolling(6, 6, 6).never(like(events.PoolSpent, holder="bram"), events.ConditionEnded)
    game.when(Rest(who=("bram", "wat"))).refused("not Wearied", "--alone")


@rule("R3.41", "Q3.33")
def test_a_whole_ration_alone_takes_all_pips_and_weariness() -> None:
    game = camp().given(tired_pips("bram", 3), in_condition("bram", WEARIED), has_gear("bram", "ration"))
    rested = game.when(Rest(who=("bram",), alone=True)).rolling(5)
    rested.then(
        events.GearLost(character="bram", item="ration"),
        like(events.PoolSpent, holder="bram", pool="tired", amount=3),
        events.ConditionEnded(character="bram", condition=WEARIED),
        events.TimePassed(seconds=TURN),
    )
    game.when(Rest(who=("wat",), alone=True)).refused("Wat has no ration left", "a whole one is eaten alone")


@rule("R3.40", "R3.41", "R3.42")
def test_there_is_no_rest_without_water() -> None:
    dry = party().given(has_gear("ida", "ration"), tired_pips("ida", 1))
    dry.when(Rest(who=("ida",))).refused("Resting takes water", "fill NAME waterskin")
    dry.when(Rest(who=("ida",), alone=True)).refused("Resting takes water")
    empty = party().given(
        has_gear("ida", "ration"),
        tired_pips("ida", 1),
        has_gear("ida", "waterskin"),
        events.PoolGained(holder="ida", pool="used up:waterskin", amount=2),
    )
    empty.when(Rest(who=("ida",))).refused("Resting takes water")


@rule("R3.42")
def test_friends_drink_from_one_skin_until_it_is_empty() -> None:
    game = party().given(
        has_gear("ida", "ration"),
        has_gear("ida", "waterskin"),
        tired_pips("ida", 1),
        tired_pips("bram", 1),
        tired_pips("wat", 1),
    )
    rested = game.when(Rest(who=("party",))).rolling(1, 2)
    rested.then(like(events.PoolSpent, holder="ida", pool="tired"), like(events.PoolSpent, holder="bram", pool="tired"))
    rested.never(like(events.PoolSpent, holder="wat"))


@rule("R3.52")
def test_a_turn_of_rest_in_a_dangerous_place_has_its_die() -> None:
    game = camp().given(Place(light="lit", dangerous=True))
    game.when(Rest(who=("ida",))).rolling(6, 1).then(like(events.DiceRolled, purpose="Exploration Die"))
    game.when(Rest(who=("ida",), same_turn=True)).rolling(6).never(events.TimePassed)


def test_a_player_rests_their_own_people_only() -> None:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"))
    game = camp().given(seats, events.ControlPassed(character="ida", seat="Ann"))
    game.when(Rest(who=("ida",)), seat="Ann").rolling(6).then(like(events.PoolSpent, pool="tired"))
    game.when(Rest(who=("party",)), seat="Ann").refused("Bram is not played by Ann")
    game.when(Rest(who=("ida",), same_turn=True), seat="Ann").refused("--same-turn is a ruling")


def test_nobody_sleeps_in_a_fight() -> None:
    party().given(events.EncounterBegan()).when(Sleep(who=("party",))).refused("nobody sleeps")


@rule("R3.52")
def test_nobody_eats_rests_or_pours_oil_in_a_fight() -> None:
    lantern = (
        has_gear("ida", "lantern"),
        has_gear("ida", "oil flask"),
        events.PoolGained(holder="ida", pool="burnt:lantern", amount=1),
    )
    fight = camp().given(lantern, events.EncounterBegan())
    for quiet in (
        Rest(who=("ida",), same_turn=True),
        Meal(who=("ida",)),
        Refill(who="ida", item="lantern", same_turn=True),
    ):
        fight.when(quiet).refused("An encounter is being fought")


@rule("R3.17", "R3.18")
def test_a_short_night_is_a_poor_one() -> None:
    short = party().given(damage_taken("bram", 11)).when(Sleep(who=("bram",), hours=5))
    short.rolling(2).then(events.TimePassed(seconds=5 * HOUR), restored("bram", 5))


@rule("R3.41", "R3.43")
def test_weeks_of_downtime_take_weariness_away() -> None:
    game = party().given(tired_pips("ida", 3), in_condition("ida", WEARIED), in_condition("wat", WEARIED))
    week = game.when(TakeDowntime(who=("party",)))
    assert not week.character("ida").has(WEARIED) and not week.character("wat").has(WEARIED)


@rule("R3.40", "R3.41")
def test_a_whole_ration_is_left_alone_by_those_for_whom_no_water_is_left() -> None:
    game = party().given(
        has_gear("ida", "ration"), has_gear("bram", "ration"), has_gear("ida", "waterskin"), tired_pips("bram", 2)
    )
    last = game.given(events.PoolGained(holder="ida", pool="used up:waterskin", amount=1))
    dry = last.when(Rest(who=("ida", "bram"), alone=True)).rolling(1)
    dry.then(events.GearLost(character="ida", item="ration"), like(events.NoteWritten)).never(
        like(events.GearLost, character="bram"), like(events.PoolSpent, holder="bram")
    )
    assert "Bram has nothing left to drink" in dry.events(events.NoteWritten)[0].text
