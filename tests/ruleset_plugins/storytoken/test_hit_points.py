"""Hit points up to level 25, unconsciousness, and death, which is final."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import Adjust
from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Heal
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.experience import flat_hit_points
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import rule
from tests.support.storytoken import harm

BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


def hero(level: int, con: int = 14, dice: tuple[str, ...] = ()) -> Join:
    scores = ("10", "10", str(con), "10", "10", "10")
    faces = dice or ("4",) * min(level, 9)
    return Join(name="Hero", id="hero", kind="npc", scores=scores, level=level, hit_dice=faces)


def most(game) -> int:
    return game.sheet("hero").amount("max_hp")


@rule("R0.50")
def test_through_level_9_hit_dice_and_constitution_make_the_maximum(nobody) -> None:
    assert most(nobody().given(hero(1, dice=("3",)))) == 4
    assert most(nobody().given(hero(9))) == 9 * 4 + 9


@rule("R0.51", "Q0.15")
@pytest.mark.parametrize(("level", "text", "table"), [(9, 0, 0), (10, 2, 0), (11, 4, 1), (12, 6, 2), (25, 32, 15)])
def test_past_level_9_the_text_gives_2_a_level_and_the_table_less(nobody, level: int, text: int, table: int) -> None:
    assert flat_hit_points(level, Settings()) == text
    assert flat_hit_points(level, Settings(hp_flat_above_9="table")) == table
    assert most(nobody().given(hero(level))) == 36 + level + text
    assert most(nobody(hp_flat_above_9="table").given(hero(level))) == 36 + level + table


@rule("Q0.15")
def test_constitution_counts_for_every_level_or_for_nine(nobody) -> None:
    assert most(nobody().given(hero(12))) == 36 + 12 + 6
    assert most(nobody(hp_con_cap_level="9").given(hero(12))) == 36 + 9 + 6


@rule("Q0.17")
def test_the_maximum_is_at_least_1(nobody) -> None:
    weakling = hero(2, con=1, dice=("1", "1"))
    sheet = nobody().given(weakling).sheet("hero")
    value = sheet.value("max_hp")
    assert value is not None
    assert value.amount == 1 == sum(term.amount for term in value.terms)
    assert most(nobody(min_max_hp=5).given(weakling)) == 5


@rule("R0.52", "R0.53", "R0.54", "R0.57", "Q0.21")
@pytest.mark.parametrize(
    ("lost", "status"),
    [
        (0, "Full Health"),
        (1, "Injured"),
        (8, "Injured"),
        (9, "Unconscious"),
        (10, "Unconscious"),
        (17, "Unconscious"),
        (18, "Dead"),
        (19, "Dead"),
    ],
)
def test_the_names_of_health(sherwood, lost: int, status: str) -> None:
    game = sherwood()
    if lost:
        game = game.when(harm("guard", lost))
    assert dict(game.sheet("guard").words)["Status"] == status
    assert game.character("guard").has("unconscious") == (status == "Unconscious")
    assert game.character("guard").has("dead") == (status == "Dead")


@rule("R0.53", "R0.54")
def test_falling_and_dying_are_events(sherwood) -> None:
    sherwood().when(harm("guard", 9)).then(events.DamageTaken, BEGAN(character="guard", condition="unconscious"))
    down = sherwood().given(harm("guard", 9))
    down.when(harm("guard", 9)).then(
        ENDED(character="guard", condition="unconscious"), BEGAN(character="guard", condition="dead")
    )


@rule("R0.52", "R0.53")
def test_the_unconscious_do_not_act_until_they_come_round(sherwood) -> None:
    down = sherwood().given(harm("marian", 8))
    down.when(Check(who="marian", ability="str")).refused("Marian is unconscious and cannot act", "story token")
    up = down.given(Heal(who="marian", amount="1"))
    up.when(Check(who="marian", ability="str")).rolling(10).then(events.CheckResolved)


@rule("QG.9")
def test_death_is_final_but_for_a_ruling(sherwood) -> None:
    dead = sherwood().given(harm("guard", 30))
    dead.when(Heal(who="guard", amount="5")).refused("Guard is dead")
    dead.when(Attack(attacker="robin", target="guard", weapon="longbow")).refused("Guard is dead")
    dead.when(Check(who="guard", ability="str")).refused("Guard is dead")
    ruled = dead.when(Adjust(who="guard", what="hp", by=25, reason="it was only a scratch"))
    ruled.then(ENDED(character="guard", condition="dead"))
    assert dict(ruled.sheet("guard").words)["Status"] == "Injured"


@rule("R0.56", "Q0.82")
def test_things_stop_and_break_on_the_same_track(sherwood) -> None:
    game = sherwood()
    for lost, status in ((0, "Working"), (3, "Damaged"), (10, "Out of order"), (20, "Beyond repair")):
        hurt = game.given(events.DamageTaken(character="door", amount=lost, dealt=lost)) if lost else game
        assert dict(hurt.sheet("door").words)["Status"] == status
        game = sherwood()
    mended = Heal(who="door", amount="4", means="planks")
    assert sherwood().given(harm("door", 4)).when(mended).character("door").lost == 0


@rule("Q0.83")
def test_a_maximum_that_rises_lifts_the_current_value(nobody) -> None:
    game = nobody().given(hero(4), harm("hero", 5))
    raised = game.when(Adjust(who="hero", what="con", by=2, reason="a blessing"))
    assert (
        str(game.before and game.ruleset.sheet(game.before.characters["hero"], game.before).value("hp")) == "15 of 20"
    )
    assert str(raised.sheet("hero").value("hp")) == "19 of 24"


@rule("Q0.83")
@pytest.mark.parametrize(("lost", "shown"), [(0, "16 of 16"), (3, "16 of 16"), (10, "10 of 16")])
def test_a_maximum_that_falls_clamps_the_current_value(nobody, lost: int, shown: str) -> None:
    game = nobody().given(hero(4))
    if lost:
        game.given(harm("hero", lost))
    fallen = game.when(Adjust(who="hero", what="con", by=-2, reason="a fever"))
    assert str(fallen.sheet("hero").value("hp")) == shown


@rule("Q0.21")
def test_a_death_line_that_rises_to_meet_somebody_kills_at_once(nobody) -> None:
    game = nobody().given(hero(4, con=20), events.DamageTaken(character="hero", amount=50, dealt=50))
    assert dict(game.sheet("hero").words)["Status"] == "Unconscious"
    fallen = game.when(Adjust(who="hero", what="hit_dice", by=-10, reason="withered"))
    assert str(fallen.sheet("hero").value("hp")) == "-18 of 22"
    gone = game.when(Adjust(who="hero", what="hp", by=-20, reason="withered"))
    gone.then(BEGAN(character="hero", condition="dead"))


@rule("R0.157", "Q0.55")
def test_a_vampire_dies_of_sunlight_or_a_holy_weapon_alone(sherwood) -> None:
    battered = sherwood().given(harm("dracula", 200))
    assert battered.character("dracula").has("unconscious")
    assert not battered.character("dracula").has("dead")
    battered.when(harm("dracula", 1, "sunlight")).then(
        BEGAN(character="dracula", condition="slain", detail="sunlight"), BEGAN(character="dracula", condition="dead")
    )
    burned = sherwood().given(harm("dracula", 60, "holy"))
    assert burned.character("dracula").has("slain")
    burned.when(harm("dracula", 1)).then(ENDED(character="dracula", condition="slain"))


@rule("R0.175")
def test_toughness_adds_twice_the_level(nobody) -> None:
    tough = Join(name="Hero", id="hero", kind="npc", level=3, hit_dice=("1", "1", "1"), roles=("toughness",))
    assert most(nobody().given(tough)) == 9
