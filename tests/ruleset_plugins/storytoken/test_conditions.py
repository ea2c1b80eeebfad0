"""What each of the listed conditions does, for how long, and how it ends."""

from __future__ import annotations

import pytest

from domain.actions import Lend, PassTime, TakeSeat
from ruleset_plugins import events
from ruleset_plugins.storytoken.body.afflictions import Afflict, Escape, PutOut, Relieve
from ruleset_plugins.storytoken.body.conditions import AFFLICTIONS, CONDITIONS, LISTED
from ruleset_plugins.storytoken.body.harm import Harm, Hazard, Heal
from ruleset_plugins.storytoken.character.creation import Join
from ruleset_plugins.storytoken.character.role_powers import Inspire
from ruleset_plugins.storytoken.fight.attack import Attack
from ruleset_plugins.storytoken.fight.encounter import BeginEncounter, EndTurn
from ruleset_plugins.storytoken.fight.movement import Move
from ruleset_plugins.storytoken.story.social import Influence
from ruleset_plugins.storytoken.story.spending import SpendToken
from ruleset_plugins.storytoken.tasks.checks import Check
from ruleset_plugins.storytoken.tasks.saves import Save
from ruleset_plugins.testing.scenarios import like, rule, with_dice

ROLLED, HURT, BEGAN, ENDED = events.DiceRolled, events.DamageTaken, events.ConditionBegan, events.ConditionEnded
MINUTE, HOUR, DAY = 60, 3_600, 86_400


def afflict(who: str, condition: str, **more) -> Afflict:
    return Afflict(who=who, condition=condition, **more)


def wait(amount: int, unit: str, rest: bool = False) -> PassTime:
    return PassTime(amount=amount, unit=unit, rest=rest)


def fight(game, *dice: int, participants=("marian", "guard")):
    """Marian's turn, before a guard's, unless other dice are given."""
    return game.given(with_dice(BeginEncounter(participants=participants), *(dice or (15, 3))))


def health(game, who: str) -> str:
    return dict(game.sheet(who).words)["Status"]


def dice_of(played) -> tuple[int, ...]:
    """How many d20s each roll took."""
    return tuple(len(roll.dice) for roll in played.events(ROLLED))


@rule(*(f"R0.{number}" for number in range(63, 88)))
def test_all_25_conditions_are_there_in_order_each_with_its_rule() -> None:
    assert [state.rule for state in LISTED] == [f"R0.{number}" for number in range(63, 88)]
    assert set(AFFLICTIONS) == {state.key for state in LISTED} | {"sunlit"}
    assert all(state.words and not state.words.endswith(".") for state in CONDITIONS.values())


# How long they last.


@rule("Q0.29")
def test_a_condition_lasts_as_long_as_is_said_or_until_it_is_relieved(sherwood) -> None:
    blessed = sherwood().given(afflict("robin", "blessed", lasts=10, unit="minutes", source="the friar"))
    assert dict(blessed.sheet("robin").words)["Conditions"] == "blessed (until day 1, 00:10)"
    blessed.when(wait(9, "minutes")).never(ENDED)
    blessed.when(wait(10, "minutes")).then(ENDED(character="robin", condition="blessed"))
    for_good = sherwood().given(afflict("robin", "blessed"))
    for_good.when(wait(300, "days")).never(like(ENDED, character="robin"))
    for_good.when(Relieve(who="robin", condition="blessed", reason="he lied")).then(
        like(events.NoteWritten, about="robin"), ENDED(character="robin", condition="blessed"), only=True
    )


@rule("Q0.29", "R0.24")
def test_rounds_of_a_condition_are_as_long_as_the_tables_rounds(sherwood) -> None:
    three = afflict("robin", "blinded", lasts=3, unit="rounds")
    sherwood().when(three).then(like(BEGAN, condition="blinded", until=30))
    sherwood(round_seconds=6).when(three).then(like(BEGAN, until=18))


@rule("Q0.29", "R0.63")
def test_anyone_who_has_had_a_turn_counts_the_rounds_of_a_condition_from_the_next(sherwood) -> None:
    game = fight(sherwood()).given(EndTurn())
    game.when(afflict("guard", "blinded", lasts=1)).then(like(BEGAN, character="guard", until=10))
    game.when(afflict("holmes", "blinded", lasts=1)).then(like(BEGAN, character="holmes", until=10))
    aflame = game.when(afflict("marian", "aflame", lasts=1)).then(like(BEGAN, character="marian", until=20))
    burning = aflame.go_on().when(EndTurn()).rolling(15, 3)
    burning.then(events.TurnBegan(character="marian"), like(HURT, character="marian", amount=5)).never(ENDED)
    over = burning.go_on().given(EndTurn()).when(EndTurn()).rolling(15, 3)
    over.then(ENDED(character="marian", condition="aflame")).never(HURT)


def test_a_condition_begins_again_with_another_end(sherwood) -> None:
    game = sherwood().given(afflict("robin", "cursed", lasts=1, unit="days"), afflict("robin", "cursed"))
    assert game.character("robin").conditions["cursed"].until == 0


def test_only_what_somebody_is_in_can_be_relieved(sherwood) -> None:
    game = sherwood().given(afflict("robin", "cursed"))
    game.when(Relieve(who="robin", condition="blinded")).refused("Robin Hood is not blinded, but cursed")
    sherwood().given(Harm(who="marian", amount="8")).when(Relieve(who="marian", condition="unconscious")).refused(
        "heal"
    )


# What they do to rolls.


@rule("R0.64", "Q0.33")
def test_the_afraid_attack_and_save_worse_while_they_see_what_they_fear(sherwood) -> None:
    game = sherwood().given(afflict("marian", "afraid", source="the count"))
    blow = Attack(attacker="marian", target="guard", weapon="light")
    assert dice_of(game.when(blow).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Save(who="marian", ability="wis")).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Check(who="marian", ability="wis")).rolling(3)) == (1,)
    unseen = Attack(attacker="marian", target="guard", weapon="light", spared=("afraid",))
    assert dice_of(game.when(unseen).rolling(3)) == (1,)
    assert "get away" in CONDITIONS["afraid"].words


@rule("R0.65", "R0.70")
@pytest.mark.parametrize(("condition", "kept"), [("blessed", 15), ("cursed", 4)])
def test_every_task_roll_of_the_blessed_is_easier_and_of_the_cursed_harder(sherwood, condition: str, kept: int) -> None:
    game = sherwood().given(afflict("marian", condition))
    for task in (
        Check(who="marian", ability="wis"),
        Save(who="marian", ability="con"),
        Hazard(who="marian", ability="dex", level=1),
        Influence(who="marian", target="guard"),
    ):
        dice = (15, 4)
        game.when(task).rolling(*dice).then(like(ROLLED, natural=kept))
    strike = Attack(attacker="marian", target="deputy", weapon="light")
    game.when(strike).rolling(15, 4).then(like(ROLLED, natural=kept))
    begin = BeginEncounter(participants=("marian", "guard"))
    game.when(begin).rolling(15, 4, 1).then(like(ROLLED, roller="marian", natural=kept, purpose="initiative"))


@rule("R0.65", "R0.70", "QG.4")
def test_a_blessing_and_a_curse_cancel_out(sherwood) -> None:
    game = sherwood().given(afflict("marian", "blessed"), afflict("marian", "cursed"))
    game.when(Check(who="marian", ability="wis")).rolling(9).then(
        like(ROLLED, expression="1d20[blessed, against, cursed]", natural=9)
    )


@rule("R0.67")
def test_the_blinded_strike_worse_and_do_worse_by_sight(sherwood) -> None:
    game = sherwood().given(afflict("marian", "blinded"))
    assert dice_of(game.when(Attack(attacker="marian", target="guard", weapon="light")).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Check(who="marian", ability="wis", sight=True)).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Check(who="marian", ability="wis")).rolling(3)) == (1,)
    assert dice_of(game.when(Save(who="marian", ability="wis")).rolling(3)) == (1,)


@rule("R0.68", "Q0.33")
def test_under_compulsion_every_roll_is_harder_unless_nothing_is_resisted(sherwood) -> None:
    game = sherwood().given(afflict("marian", "compelled", detail="to open the gate"))
    assert dice_of(game.when(Check(who="marian", ability="wis")).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Save(who="marian", ability="wis")).rolling(3, 4)) == (2,)
    obeys = Check(who="marian", ability="str", spared=("compelled",))
    assert dice_of(game.when(obeys).rolling(3)) == (1,)


@rule("R0.75")
def test_one_ability_may_be_impaired(sherwood) -> None:
    game = sherwood().given(afflict("marian", "impaired-ability", ability="cha", lasts=1, unit="days"))
    assert game.character("marian").has("impaired-cha")
    assert dice_of(game.when(Influence(who="marian", target="guard")).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Check(who="marian", ability="wis")).rolling(3)) == (1,)
    game.when(Relieve(who="marian", condition="impaired-cha")).then(ENDED)
    sherwood().when(afflict("marian", "impaired-ability")).refused("--ability goes with impaired-ability")
    sherwood().when(afflict("marian", "cursed", ability="cha")).refused("--ability goes with impaired-ability")


@rule("R0.78", "Q0.32")
def test_the_invisible_strike_more_easily_and_are_struck_less(sherwood) -> None:
    game = sherwood().given(afflict("marian", "invisible"))
    strike = Attack(attacker="marian", target="deputy", weapon="light")
    game.when(strike).rolling(5, 12).then(like(ROLLED, natural=12))
    struck = Attack(attacker="guard", target="marian", weapon="light")
    game.when(struck).rolling(5, 12).then(like(ROLLED, natural=5, expression="2d20kl1[invisible target]"))
    assert dice_of(game.when(Save(who="marian", ability="wis")).rolling(3)) == (1,)


@rule("R0.81")
def test_every_save_of_the_shaken_is_harder(sherwood) -> None:
    game = sherwood().given(afflict("marian", "shaken"))
    assert dice_of(game.when(Save(who="marian", ability="dex")).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Hazard(who="marian", ability="dex", level=1)).rolling(3, 4)) == (2,)
    assert dice_of(game.when(Check(who="marian", ability="dex")).rolling(3)) == (1,)


# What they do to acting and moving.


@rule("R0.84")
def test_the_stunned_take_no_actions_may_move_and_are_easier_to_hit(sherwood) -> None:
    game = fight(sherwood()).given(afflict("marian", "stunned"))
    game.when(Check(who="marian", ability="str")).refused("Marian is stunned and cannot act", "only move")
    game.when(Move(who="marian", feet=20)).then(events.Moved)
    struck = Attack(attacker="guard", target="marian", weapon="light", out_of_turn=True)
    game.when(struck).rolling(5, 14, 2).then(like(ROLLED, natural=14, expression="2d20kh1[stunned target]"))


@rule("R0.80")
def test_the_paralysed_do_nothing_at_all_and_have_no_turns(sherwood) -> None:
    game = fight(sherwood(), 15, 3, 2, participants=("marian", "guard", "deputy")).given(afflict("guard", "paralysed"))
    for deed in (Check(who="guard", ability="str"), Move(who="guard", feet=5), Influence(who="guard", target="marian")):
        game.when(deed).refused("Guard is paralysed and cannot act")
    game.when(EndTurn()).then(events.TurnBegan(character="deputy"))
    assert game.sheet("guard").amount("speed") == 0
    game.when(Save(who="guard", ability="con")).rolling(10).then(events.CheckResolved)


@rule("R0.82")
def test_the_silenced_cannot_talk_anybody_round_or_rally_them(sherwood) -> None:
    game = sherwood().given(afflict("robin", "silenced"))
    game.when(Influence(who="robin", target="marian")).refused("Robin Hood cannot speak")
    game.when(Inspire(who="robin", how="rally", allies=("marian",))).refused("Robin Hood cannot speak")
    game.when(Check(who="robin", ability="str")).rolling(10).then(events.CheckResolved)


@rule("R0.74", "Q0.13")
def test_the_immobilised_act_but_do_not_move(sherwood) -> None:
    game = fight(sherwood()).given(afflict("marian", "immobilised", source="a net"))
    value = game.sheet("marian").value("speed")
    assert (value.amount, value.terms[-1].amount, value.terms[-1].rule) == (0, -40, "R0.74")
    game.when(Move(who="marian", feet=5)).refused("speed of 0", "escape marian")
    game.when(Check(who="marian", ability="str")).rolling(10).then(events.CheckResolved)


@rule("R0.74", "Q0.31", "R0.47")
def test_a_hard_strength_save_breaks_free_once_a_turn_and_without_an_action(sherwood) -> None:
    held = fight(sherwood()).given(afflict("marian", "immobilised", source="a net"))
    free = held.when(Escape(who="marian")).rolling(15)
    free.then(like(events.CheckResolved, target=15, success=True, against="a net"), ENDED)
    free.go_on().when(Check(who="marian", ability="str")).rolling(9).then(events.CheckResolved)
    stuck = held.given(with_dice(Escape(who="marian"), 14))
    stuck.when(Escape(who="marian")).rolling(15).refused("has tried to break free this turn")
    sherwood().when(Escape(who="marian")).refused("Marian is not immobilised")
    scared = sherwood().given(afflict("marian", "immobilised"), afflict("marian", "afraid", source="a rat"))
    assert dice_of(scared.when(Escape(who="marian")).rolling(3, 4)) == (2,)
    assert dice_of(scared.when(Escape(who="marian", spared=("afraid",))).rolling(3)) == (1,)


@rule("Q0.31")
def test_magic_is_broken_free_of_at_the_casters_level_and_10(sherwood) -> None:
    held = sherwood().given(afflict("marian", "immobilised", caster="dracula"))
    held.when(Escape(who="marian")).rolling(20).then(like(events.CheckResolved, target=22, success=False)).never(ENDED)
    weak = sherwood().given(afflict("marian", "immobilised", severity=8))
    weak.when(Escape(who="marian", advantage=("a knife",))).rolling(3, 8).then(ENDED)


@rule("R0.76", "Q0.13")
def test_impaired_movement_halves_the_speed_after_what_is_added(nobody) -> None:
    fae = Join(name="Fae", id="fae", kind="npc", heritage="faerie", armour="heavy", hp=5)
    game = nobody().given(fae, afflict("fae", "impaired-movement"))
    assert game.sheet("fae").amount("speed") == 22, "half of 40 + 10 - 5, rounded down"
    both = game.given(afflict("fae", "immobilised"))
    assert both.sheet("fae").amount("speed") == 0


@rule("R0.69", "Q0.30", "Q0.29")
@pytest.mark.parametrize(
    ("face", "does"), [(1, "strikes"), (2, "strikes"), (3, "flees"), (4, "flees"), (5, "freezes"), (6, "freezes")]
)
def test_a_die_says_what_the_confused_do_each_turn(sherwood, face: int, does: str) -> None:
    game = fight(sherwood()).given(afflict("guard", "confused", lasts=5, unit="minutes"))
    turn = game.when(EndTurn()).rolling(face)
    turn.then(events.TurnBegan(character="guard"), like(ROLLED, purpose="confusion", expression="1d6"))
    now = turn.go_on()
    condition = now.character("guard").conditions["confused"]
    assert (condition.data["does"], condition.until) == (does, 300)
    deeds = {
        "strikes": Attack(attacker="guard", target="marian", weapon="light"),
        "flees": Move(who="guard", feet=30),
        "freezes": None,
    }
    tried = {**deeds, "task": Check(who="guard", ability="str")}
    for what, deed in tried.items():
        if deed is None or (does == "strikes" and what == "flees"):
            continue
        scenario = now.when(deed).rolling(*((2,) if what == "strikes" and does == "strikes" else ()))
        if what == does:
            scenario.then(events.TurnSpent)
        else:
            scenario.refused("is confused and")
    waived = Check(who="guard", ability="str", out_of_turn=True)
    now.when(waived).rolling(9).then(events.CheckResolved)


@rule("R0.73")
def test_somebody_elses_hand_is_on_whatever_is_hacked(sherwood) -> None:
    seats = (TakeSeat(seat="Vera", role="gm"), TakeSeat(seat="Ann"), Lend(who="robin", to="Ann"))
    game = sherwood().given(*seats)
    task, shot = Check(who="robin", ability="str"), Attack(attacker="robin", target="guard", weapon="longbow")
    wholly = game.given(afflict("robin", "hacked"))
    wholly.when(task, seat="Ann").refused("Robin Hood is hacked, and the GM says")
    wholly.when(Move(who="robin", feet=5), seat="Ann").refused("Robin Hood is hacked")
    wholly.when(task, seat="Vera").rolling(9).then(events.CheckResolved)
    bow = sherwood().given(*seats, afflict("robin", "hacked", detail="longbow"))
    bow.when(shot, seat="Ann").refused("Robin Hood's longbow is hacked")
    bow.when(task, seat="Ann").rolling(9).then(events.CheckResolved)


@rule("R0.79")
def test_overheated_gear_fails_until_it_is_cooled(sherwood) -> None:
    blaster = events.GearGained(character="robin", item="blaster", use="weapon:medium-ranged:tech")
    scanner = events.GearGained(character="robin", item="scanner", use="advantage:search:tech")
    game = sherwood().given(blaster, scanner, afflict("robin", "overheated"))
    shot = Attack(attacker="robin", target="guard", weapon="blaster")
    game.when(shot).refused("Robin Hood's blaster is overheated")
    game.when(Check(who="robin", ability="int", using="scanner")).refused("scanner is overheated")
    game.when(Attack(attacker="robin", target="guard", weapon="longbow")).rolling(1).then(events.CheckResolved)
    game.given(Relieve(who="robin", condition="overheated")).when(shot).rolling(1).then(events.CheckResolved)


# What heals and what does not.


@rule("R0.66")
def test_neither_rest_nor_magic_heals_the_blighted_but_care_and_tokens_do(sherwood) -> None:
    game = sherwood().given(Harm(who="robin", amount="20"), afflict("robin", "blighted"))
    game.when(wait(8, "hours", rest=True)).never(events.HitPointsRestored)
    game.when(Heal(who="robin", amount="3", by="magic")).refused("Robin Hood is blighted", "Care by hand")
    game.when(Heal(who="robin", amount="3")).then(like(events.HitPointsRestored, amount=3))
    cured = game.given(Relieve(who="robin", condition="blighted"))
    cured.when(wait(2, "hours", rest=True)).then(like(events.HitPointsRestored, amount=2))


@rule("R0.66", "Q0.29")
def test_a_blight_that_ends_in_the_night_lets_the_rest_of_it_heal(sherwood) -> None:
    game = sherwood().given(Harm(who="robin", amount="20"), afflict("robin", "blighted", lasts=5, unit="hours"))
    game.when(wait(8, "hours", rest=True)).then(
        ENDED(character="robin", condition="blighted"), like(events.HitPointsRestored, character="robin", amount=3)
    )


@rule("R0.66", "Q0.55")
def test_a_blighted_vampire_does_not_return_and_a_blighted_troll_does_not_regrow(sherwood) -> None:
    troll = Join(name="Troll", id="troll", kind="monster", heritage="troll", hp=30)
    game = sherwood().given(troll, Harm(who="troll", amount="9"), Harm(who="dracula", amount="60"))
    game.given(afflict("troll", "blighted"), afflict("dracula", "blighted"))
    game.when(wait(10, "minutes")).never(events.HitPointsRestored)


@rule("R0.87")
def test_the_warded_feel_no_magic_for_good_or_ill(sherwood) -> None:
    game = sherwood().given(Harm(who="marian", amount="3"), afflict("marian", "warded"))
    game.when(Save(who="marian", ability="wis", caster="dracula")).refused("Marian is warded", "no save is needed")
    game.when(afflict("marian", "afraid", caster="dracula")).refused("Marian is warded: Count Dracula's magic")
    game.when(Heal(who="marian", amount="3", by="magic")).refused("Marian is warded")
    game.when(afflict("marian", "afraid", source="a spider")).then(BEGAN)


@rule("R0.87", "QG.11")
def test_no_magic_harms_the_warded_whatever_it_comes_from(sherwood) -> None:
    game = sherwood().given(afflict("marian", "warded"))
    game.when(Harm(who="marian", amount="5", tags=("fire", "magic"))).then(like(HURT, amount=0, dealt=5))
    trap = Hazard(who="marian", ability="dex", level=3, tags=("magic",))
    game.when(trap).rolling(1).then(like(HURT, amount=0, dealt=6))
    game.when(Harm(who="marian", amount="5", tags=("fire",))).then(like(HURT, amount=5))
    sword = Attack(attacker="guard", target="marian", weapon="light", tags=("magic",))
    game.when(sword).rolling(15, 4).then(like(HURT, amount=2, dealt=2))


@rule("R0.161", "R0.153", "QG.11")
def test_rage_halves_the_blow_of_a_magic_weapon_and_a_ghost_feels_it(sherwood) -> None:
    ghost = Join(name="Spirit", id="spirit", kind="npc", heritage="spirit", hp=20)
    game = sherwood().given(ghost, BEGAN(character="marian", condition="raging", until=900))
    for target, felt in (("marian", 3), ("spirit", 6)):
        blow = Attack(attacker="guard", target=target, weapon="medium-melee", tags=("magic",))
        game.when(blow).rolling(15, 6).then(like(HURT, amount=felt, dealt=6))
    game.when(Harm(who="marian", amount="6", tags=("magic",))).then(like(HURT, amount=6))


# What hurts, round by round and day by day.


@rule("R0.63", "Q0.29", "Q0.34")
def test_flames_do_5_at_the_start_of_each_turn(sherwood) -> None:
    game = fight(sherwood()).given(afflict("guard", "aflame"))
    turn = game.when(EndTurn())
    turn.then(
        events.TurnBegan(character="guard"), HURT(character="guard", amount=5, dealt=5, tags=("fire",), source="aflame")
    )
    over = turn.go_on().when(EndTurn()).rolling(12, 3)
    over.then(events.RoundEnded, events.TimePassed).never(HURT)


@rule("R0.63", "Q0.29")
def test_anyone_who_burns_without_a_turn_burns_at_the_end_of_the_round(sherwood) -> None:
    game = fight(sherwood(), 15, 3, 2, participants=("marian", "guard", "deputy"))
    game.given(afflict("deputy", "aflame"), afflict("deputy", "paralysed"), afflict("holmes", "aflame"), EndTurn())
    over = game.when(EndTurn()).rolling(12, 3)
    assert [(event.character, event.amount) for event in over.events(HURT)] == [("holmes", 5), ("deputy", 5)]


@rule("R0.63", "Q0.29")
def test_outside_a_fight_flames_burn_every_round_until_they_kill(sherwood) -> None:
    game = sherwood().given(afflict("deputy", "aflame"))
    assert game.when(wait(20, "seconds")).character("deputy").lost == 10
    dead = game.when(wait(1, "hours"))
    assert dead.character("deputy").has("dead")
    assert dead.character("deputy").lost == 40, "20 hit points, dead at -20, and no more after that"


@rule("R0.63", "Q0.29")
def test_flames_that_burn_out_do_so_on_time(sherwood) -> None:
    game = sherwood().given(afflict("robin", "aflame", lasts=3, unit="rounds"))
    burned = game.when(wait(10, "minutes"))
    assert burned.character("robin").lost == 15
    burned.then(ENDED(character="robin", condition="aflame"))


@rule("R0.63", "Q0.34")
def test_flames_are_put_out_by_an_action_ones_own_or_a_friends(sherwood) -> None:
    game = fight(sherwood()).given(afflict("marian", "aflame"), afflict("guard", "aflame"))
    own = game.when(PutOut(who="marian")).then(events.TurnSpent, ENDED(character="marian", condition="aflame"))
    own.go_on().when(PutOut(who="marian", target="guard")).refused("no action left")
    game.when(PutOut(who="marian", target="guard")).then(ENDED(character="guard", condition="aflame"))
    sherwood().when(PutOut(who="marian")).refused("Marian is not aflame")


@rule("R0.77", "Q0.21", "Q0.83")
def test_infection_takes_a_point_of_constitution_a_day_and_hit_points_with_it(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", level=4, scores=("10", "10", "13", "10", "10", "10"), hit_dice=("4",) * 4)
    game = nobody().given(ox, afflict("ox", "infected"))
    assert game.sheet("ox").amount("max_hp") == 20
    day = game.when(wait(1, "days"))
    day.then(events.StatChanged(character="ox", stat="con", amount=-1, reason="infected"))
    assert str(day.sheet("ox").value("hp")) == "16 of 16"
    cured = day.go_on().given(Relieve(who="ox", condition="infected"))
    game.when(wait(23, "hours")).never(events.StatChanged)
    assert cured.when(wait(5, "days")).character("ox").stats["con"] == 12


@rule("R0.77", "Q0.2")
def test_infection_kills_when_no_constitution_is_left(nobody) -> None:
    rat = Join(name="Rat", id="rat", kind="npc", scores=("10", "10", "3", "10", "10", "10"), hp=9)
    game = nobody().given(rat, afflict("rat", "infected"))
    assert not game.when(wait(2, "days")).character("rat").has("dead")
    gone = game.when(wait(30, "days")).then(BEGAN(character="rat", condition="dead", source="infected"))
    assert gone.character("rat").stats["con"] == 0


@rule("R0.77", "Q0.21")
def test_a_maximum_that_infection_lowers_may_be_death_at_once(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", level=9, scores=("10", "10", "9", "10", "10", "10"), hit_dice=("1",) * 9)
    game = nobody().given(ox, events.DamageTaken(character="ox", amount=17, dealt=17), afflict("ox", "infected"))
    assert game.sheet("ox").amount("hp") == -8
    fallen = game.when(wait(1, "days"))
    assert (fallen.sheet("ox").amount("max_hp"), fallen.character("ox").has("dead")) == (1, True)


DOOMS = {
    "doomed": ("wis", 12 * DAY, 12 * DAY),
    "starving": ("con", 13 * DAY, 13 * HOUR),
    "suffocating": ("con", 13 * 10, 13 * 10),
    "thirsty": ("con", 39 * HOUR, 13 * HOUR),
}


@rule("R0.72", "R0.83", "R0.85", "R0.86", "Q0.20", "Q0.29")
@pytest.mark.parametrize("condition", DOOMS)
def test_first_the_hit_points_go_and_then_the_life(nobody, condition: str) -> None:
    _, first, second = DOOMS[condition]
    ox = Join(name="Ox", id="ox", kind="npc", scores=("10", "10", "13", "10", "12", "10"), hp=9)
    game = nobody().given(ox, afflict("ox", condition))
    assert game.when(wait(first - 1, "seconds")).sheet("ox").amount("hp") == 9
    down = game.when(wait(first, "seconds"))
    down.then(
        HURT(character="ox", amount=9, dealt=9, tags=(condition,)), BEGAN(character="ox", condition="unconscious")
    )
    assert str(down.sheet("ox").value("hp")) == "0 of 9"
    later = down.go_on()
    later.when(wait(second - 1, "seconds")).never(like(BEGAN, condition="dead"))
    later.when(wait(second, "seconds")).then(BEGAN(character="ox", condition="dead", source=condition))
    at_once = game.when(wait(first + second, "seconds"))
    assert at_once.character("ox").has("dead")
    assert health(at_once, "ox") == "Dead"


@rule("R0.72", "R0.83", "R0.85", "R0.86", "R0.71", "Q0.20")
def test_where_the_table_counts_modifiers_they_are_at_least_1(nobody) -> None:
    ox = Join(name="Ox", id="ox", kind="npc", scores=("10", "10", "14", "9", "12", "10"), hp=9)
    game = nobody(condition_span="modifier").given(ox)
    untils = {
        condition: game.when(afflict("ox", condition, unit="hours" if condition == "deluded" else "rounds"))
        .character("ox")
        .conditions[condition]
        .until
        for condition in (*DOOMS, "deluded")
    }
    assert untils == {"doomed": DAY, "starving": DAY, "suffocating": 10, "thirsty": 3 * HOUR, "deluded": 20 * HOUR}


def test_anyone_who_is_relieved_in_time_lives(sherwood) -> None:
    game = sherwood().given(afflict("marian", "suffocating"), wait(150, "seconds"))
    assert health(game, "marian") == "Unconscious"
    saved = game.given(Relieve(who="marian", condition="suffocating", reason="air"))
    assert not saved.when(wait(1, "hours")).character("marian").has("dead")
    sherwood().when(afflict("marian", "starving", lasts=3)).refused("Starving takes as long as it takes")


@rule("R0.72", "Q0.55")
def test_anyone_who_cannot_die_is_not_killed_by_hunger(sherwood) -> None:
    game = sherwood().given(afflict("dracula", "suffocating"))
    assert not game.when(wait(1, "days")).character("dracula").has("dead")


@rule("R0.86", "R0.55", "Q0.29")
def test_what_thirst_takes_in_a_second_comes_before_what_rest_heals_in_it(sherwood) -> None:
    game = sherwood().given(afflict("robin", "thirsty"))
    slept = game.when(wait(42, "hours", rest=True))
    slept.then(
        HURT(character="robin", amount=36, dealt=36, tags=("thirsty",)),
        events.HitPointsRestored(character="robin", amount=1, tags=("rest",)),
    )
    assert str(slept.sheet("robin").value("hp")) == "1 of 36"
    dead = slept.go_on().when(wait(14, "hours", rest=True)).then(like(BEGAN, character="robin", condition="dead"))
    assert len(dead.events(BEGAN)) == 1


@rule("R0.71", "Q0.20")
@pytest.mark.parametrize(("unit", "seconds"), [("minutes", MINUTE), ("hours", HOUR), ("days", DAY), ("rounds", MINUTE)])
def test_a_delusion_lasts_20_less_intelligence_and_at_least_1(sherwood, unit: str, seconds: int) -> None:
    told = afflict("holmes", "deluded", unit=unit, detail="Watson is the thief")
    sherwood().when(told).then(like(BEGAN, until=2 * seconds, detail="Watson is the thief"))
    genius = events.StatChanged(character="holmes", stat="int", amount=10)
    sherwood().given(genius).when(told).then(like(BEGAN, until=seconds))


@rule("R0.155", "R0.157", "Q0.29")
def test_the_sun_burns_only_those_whom_it_burns(sherwood) -> None:
    game = sherwood().given(afflict("robin", "sunlit"), afflict("dracula", "sunlit", lasts=2, unit="rounds"))
    burned = game.when(wait(1, "minutes")).rolling(4, 6)
    assert [(event.character, event.amount, event.tags) for event in burned.events(HURT)] == [
        ("dracula", 4, ("sunlight",)),
        ("dracula", 6, ("sunlight",)),
    ]


@rule("QG.9")
def test_nothing_befalls_the_dead_any_more(sherwood) -> None:
    game = sherwood().given(afflict("guard", "aflame"), afflict("guard", "infected"), Harm(who="guard", amount="30"))
    game.when(wait(9, "days")).never(like(HURT, character="guard"), events.StatChanged)
    game.when(afflict("guard", "cursed")).refused("Guard is dead")


def test_a_token_still_saves_those_whom_hunger_struck_down(sherwood) -> None:
    game = sherwood().given(
        events.PoolBecame(holder="robin", pool="token", amount=1), afflict("marian", "suffocating"), wait(2, "minutes")
    )
    game.when(SpendToken(who="robin", benefit="revive", whom="marian")).then(like(events.HitPointsRestored, amount=1))


@rule("R0.77")
def test_infection_counts_down_from_the_average_where_no_score_is_known(sherwood) -> None:
    game = sherwood().given(afflict("guard", "infected"))
    assert game.when(wait(2, "days")).sheet("guard").amount("con") == 8
    assert game.when(wait(10, "days")).character("guard").has("dead")
