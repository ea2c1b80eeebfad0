"""A Round has time for one thing; initiative is rolled again in each; the whole fight is one Turn."""

from __future__ import annotations

from rollbook.domain.actions.time_and_experience import PassTime
from rollbook.plugin import events
from rollbook.rulesets.russell.character.creation import Join
from rollbook.rulesets.russell.delve.meeting import Surprise
from rollbook.rulesets.russell.fight.attack import Attack
from rollbook.rulesets.russell.fight.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from rollbook.rulesets.russell.fight.manoeuvres import Brace, Defend
from rollbook.testing.scenarios import like, rule, with_dice

ROLLED, ORDER, TURN = events.DiceRolled, events.TurnOrderSet, events.TurnBegan
FIGHT = BeginEncounter(participants=("aldo", "brenna", "ogre"))


@rule("R3.75")
def test_everybody_rolls_a_d6_and_wisdom_and_the_highest_acts_first(dungeon) -> None:
    dungeon().when(FIGHT).rolling(4, 5, 2).then(
        ORDER(order=("brenna", "aldo", "ogre"), scores=(6, 4, 3)), TURN(character="brenna")
    )


@rule("R3.75")
def test_initiative_is_rolled_again_every_round(dungeon) -> None:
    fight = dungeon().given(with_dice(FIGHT, 4, 5, 2), EndTurn(), EndTurn())
    fight.when(EndTurn()).rolling(6, 1, 2).then(
        events.RoundEnded(), events.RoundBegan(), ORDER(order=("aldo", "ogre", "brenna"), scores=(6, 3, 2))
    )


@rule("R3.75", "Q3.23", "QG.6")
def test_a_tie_goes_to_the_higher_modifier_and_then_to_a_d6(dungeon) -> None:
    dungeon().when(FIGHT).rolling(5, 4, 1).then(like(ORDER, order=("brenna", "aldo", "ogre"), scores=(5, 5, 2)))
    tied = BeginEncounter(participants=("aldo", "cora"))
    dungeon().when(tied).rolling(4, 4, 2, 5).then(
        like(ROLLED, roller="cora", purpose="initiative, tied"), like(ORDER, order=("cora", "aldo"), scores=(4, 4))
    )


@rule("R3.75", "R3.96")
def test_monsters_of_a_group_roll_once_and_act_together(dungeon) -> None:
    rats = [Join(name=f"Rat {n}", kind="monster", profile="HD 1 I 2", hp=2, group="rats") for n in (1, 2, 3)]
    fight = BeginEncounter(participants=("rat-1", "cora", "rat-2", "rat-3"))
    played = dungeon().given(rats).when(fight).rolling(3, 4)
    played.then(ORDER(order=("rat-1", "rat-2", "rat-3", "cora"), scores=(5, 5, 5, 4)))


@rule("R3.74")
def test_a_round_has_time_for_one_thing_and_nothing_out_of_turn(dungeon) -> None:
    fight = dungeon().given(with_dice(FIGHT, 4, 5, 2))
    fight.when(Defend(who="aldo")).refused("It is Brenna's turn")
    acted = fight.given(Defend(who="brenna"))
    acted.when(Attack(attacker="brenna", target="ogre", weapon="bow")).refused("a Round has time for one thing")
    fight.when(Defend(who="cora")).refused("does not take part", "join-encounter cora")


@rule("R3.74", "QG.13")
def test_all_rounds_of_a_fight_make_one_turn_of_ten_minutes(dungeon) -> None:
    fight = dungeon().given(with_dice(FIGHT, 4, 5, 2), EndTurn(), EndTurn(), with_dice(EndTurn(), 1, 2, 3))
    assert fight.before.clock == 0
    fight.when(EndEncounter()).then(events.EncounterEnded(), events.TimePassed(seconds=600))
    longer = dungeon(turn_minutes=15).given(with_dice(FIGHT, 4, 5, 2))
    longer.when(EndEncounter()).then(events.TimePassed(seconds=900))


@rule("QG.13")
def test_rounds_have_no_length_of_their_own_unless_the_table_gives_them_one(dungeon) -> None:
    dungeon().when(PassTime(amount=3, unit="rounds")).refused("how long a round is")
    dungeon(round_seconds=10).when(PassTime(amount=3, unit="rounds")).then(events.TimePassed(seconds=30))


@rule("Q3.54")
def test_after_a_fight_in_a_dangerous_place_the_exploration_die_is_rolled_if_the_table_plays_so(dungeon) -> None:
    end = EndEncounter(dangerous=True)
    die = like(ROLLED, purpose="Exploration Die")
    dungeon().given(with_dice(FIGHT, 4, 5, 2)).when(end).rolling(2).then(events.TimePassed(seconds=600), die)
    dungeon(exploration_roll_after_combat=False).given(with_dice(FIGHT, 4, 5, 2)).when(end).never(die)
    dungeon().given(with_dice(FIGHT, 4, 5, 2)).when(EndEncounter()).never(die)


@rule("R3.72")
def test_the_surprised_lose_the_first_round(dungeon) -> None:
    ambush = BeginEncounter(participants=("aldo", "ogre"), surprised=("ogre",))
    fight = dungeon().given(with_dice(ambush, 3))
    second = fight.when(EndTurn()).rolling(2, 6)
    second.then(events.ConditionEnded(character="ogre", condition="surprised"), like(ORDER, order=("ogre", "aldo")))
    dungeon().when(BeginEncounter(participants=("aldo",), surprised=("ogre",))).refused("not among the participants")
    dungeon().when(BeginEncounter(participants=("ogre",), surprised=("ogre",))).refused("Nobody in this encounter")


def test_who_arrives_later_acts_from_the_next_round_on(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("aldo", "ogre")), 6, 1))
    joined = fight.given(JoinEncounter(who="brenna"), EndTurn())
    joined.when(EndTurn()).rolling(2, 5, 1).then(like(ORDER, order=("brenna", "ogre", "aldo")))


def test_what_only_lasts_in_a_fight_ends_with_it(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("aldo", "ogre"), range="far"), 6, 1))
    over = fight.given(Defend(who="aldo"), EndEncounter())
    assert not over.character("aldo").conditions
    assert over.before.pools["range"] == 0
    assert over.before.encounter is None


@rule("Q3.31", "R3.86")
def test_what_is_counted_in_rounds_does_not_outlast_them_outside_a_fight_either(dungeon) -> None:
    press = Attack(attacker="cora", target="ogre", weapon="melee", press=True)
    ready = dungeon().given(with_dice(press, 2, 3), Defend(who="aldo"), Brace(who="brenna"))
    assert ready.character("cora").has("pressing")
    later = ready.given(PassTime(amount=2, unit="days"))
    assert not any(later.character(name).conditions for name in ("aldo", "brenna", "cora", "ogre"))
    fumbled = dungeon().given(with_dice(Attack(attacker="cora", target="ogre", weapon="melee"), 1))
    assert fumbled.character("ogre").has("owed a free attack on cora")
    assert not fumbled.given(PassTime(amount=1, unit="hours")).character("ogre").conditions


@rule("R3.72")
def test_nobody_stays_surprised_for_a_month(dungeon) -> None:
    met = dungeon().given(with_dice(Surprise(foes=("ogre",), light="dark"), 1, 6))
    assert met.character("ogre").has("surprised")
    month = met.given(PassTime(amount=30, unit="days"))
    month.when(BeginEncounter(participants=("aldo", "ogre"))).rolling(6, 1).then(like(ROLLED, roller="ogre"))


@rule("R3.72")
def test_who_was_surprised_and_left_out_of_the_fight_is_no_more_surprised_after_it(dungeon) -> None:
    met = dungeon().given(with_dice(Surprise(foes=("ogre",), light="dark"), 6, 1))
    fight = met.given(with_dice(BeginEncounter(participants=("aldo", "ogre")), 5))
    assert fight.character("cora").has("surprised")
    assert not fight.given(EndEncounter()).character("cora").has("surprised")


@rule("R3.86")
def test_a_brace_lasts_until_the_next_turn_of_ones_own(dungeon) -> None:
    fight = dungeon().given(with_dice(BeginEncounter(participants=("aldo", "ogre")), 6, 1))
    braced = fight.given(Brace(who="aldo"), EndTurn())
    assert braced.character("aldo").has("braced")
    again = braced.when(EndTurn()).rolling(6, 1)
    again.then(events.TurnBegan(character="aldo"), events.ConditionEnded(character="aldo", condition="braced"))
