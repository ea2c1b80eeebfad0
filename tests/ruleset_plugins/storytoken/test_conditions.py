"""What each of the listed conditions does, for how long, and how it ends."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.campaign import TakeSeat
from rollbook.domain.actions.characters import Lend
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.afflictions import Escape, Relieve
from rollbook.rulesets.storytoken.body.conditions import AFFLICTIONS, CONDITIONS, LISTED
from rollbook.rulesets.storytoken.body.harm import Harm, Hazard, Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.role_powers import Inspire
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.storytoken.fight.movement import Move
from rollbook.rulesets.storytoken.story.social import Influence
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.storytoken import afflict, dice_of, fight, wait

ROLLED, HURT, BEGAN, ENDED = events.DiceRolled, events.DamageTaken, events.ConditionBegan, events.ConditionEnded
MINUTE, HOUR, DAY = 60, 3_600, 86_400


@rule(*(f"R0.{number}" for number in range(63, 88)))
def test_all_25_conditions_are_there_in_order_each_with_its_rule() -> None:
    assert [state.rule for state in LISTED] == [f"R0.{number}" for number in range(63, 88)]
    assert set(AFFLICTIONS) == {state.key for state in LISTED} | {"sunlit", "grappled", "enthralled", "willing"}
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
    burning = aflame.go_on().when(EndTurn()).rolling(3, 15)
    burning.then(events.TurnBegan(character="marian"), like(HURT, character="marian", amount=5)).never(ENDED)
    over = burning.go_on().given(EndTurn()).when(EndTurn()).rolling(3, 15)
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
    blaster = events.GearGained(character="robin", item="blaster", use=("weapon", "medium-ranged", "tech"))
    scanner = events.GearGained(character="robin", item="scanner", use=("advantage", "search", "tech"))
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
