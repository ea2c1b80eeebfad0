"""Rallies, noble names and analyses: what roles do for a character's allies."""

from __future__ import annotations

import pytest

from rollbook.plugin import events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.heritage_powers import Manifest
from rollbook.rulesets.storytoken.character.role_powers import Gadget, Inspire, Investigate
from rollbook.rulesets.storytoken.fight.attack import Attack
from rollbook.rulesets.storytoken.fight.encounter import BeginEncounter, EndTurn
from rollbook.rulesets.storytoken.story.social import Influence
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.rulesets.storytoken.tasks.saves import Save
from rollbook.testing.scenarios import like, rule, with_dice
from tests.support.storytoken import expert, wait

ROLLED, HURT, HEALED = events.DiceRolled, events.DamageTaken, events.HitPointsRestored
BEGAN, ENDED = events.ConditionBegan, events.ConditionEnded


RALLY = Inspire(who="robin", how="rally", allies=("marian", "holmes"))


@rule("R0.167", "R0.193", "Q0.70", "Q0.72")
def test_a_rally_adds_half_the_level_to_every_task_for_as_many_hours_as_levels(sherwood) -> None:
    game = sherwood().given(RALLY)
    for deed in (Check(who="marian", ability="wis"), Save(who="marian", ability="con")):
        game.when(deed).rolling(10).then(like(ROLLED, total=14, expression="1d20 + 4[rallied]"))
    blow = Attack(attacker="marian", target="deputy", weapon="light")
    game.when(blow).rolling(10).then(like(ROLLED, total=14))
    begin = BeginEncounter(participants=("marian", "guard"))
    game.when(begin).rolling(10, 1).then(like(ROLLED, roller="marian", total=14))
    assert (game.given().sheet("marian").amount("to_hit"), game.sheet("marian").amount("initiative")) == (4, 4)
    game.when(wait(8, "hours")).then(ENDED(character="marian", condition="rallied"))
    game.when(wait(479, "minutes")).never(ENDED)


@rule("R0.167", "Q0.72")
def test_for_the_wounded_a_rally_lasts_as_many_rounds_as_levels_after_the_first_wound(sherwood) -> None:
    game = sherwood().given(RALLY, Harm(who="holmes", amount="2"))
    assert game.character("holmes").conditions["rallied"].until == 80
    assert game.character("marian").conditions["rallied"].until == 8 * 3_600
    later = game.given(wait(30, "seconds"), Harm(who="holmes", amount="2"))
    assert later.character("holmes").conditions["rallied"].until == 80
    late = sherwood().given(RALLY, wait(8 * 3_600 - 20, "seconds"), Harm(who="holmes", amount="2"))
    assert late.character("holmes").conditions["rallied"].until == 8 * 3_600, "the earlier end counts"


@rule("R0.167", "R0.171")
def test_only_the_latest_rally_counts(sherwood) -> None:
    game = sherwood().given(RALLY, expert("leadership", level=2), wait(1, "hours"))
    game.given(Inspire(who="expert", how="rally", allies=("marian",)))
    game.when(Check(who="marian", ability="wis")).rolling(10).then(like(ROLLED, total=11))
    assert game.character("marian").conditions["rallied"].until == 3 * 3_600


@rule("R0.167", "Q0.70")
def test_there_is_one_rally_in_24_hours_or_on_a_day_of_the_calendar(sherwood) -> None:
    again = Inspire(who="robin", how="rally", allies=("holmes",))

    def rallied(**settings):
        return sherwood(**settings).given(wait(20, "hours"), RALLY, wait(5, "hours"))

    rallied().when(again).refused("has used rally already", "19 hours")
    rallied(per_day="calendar").when(again).then(BEGAN)
    rallied().given(wait(19, "hours")).when(again).then(BEGAN)


@rule("R0.169", "R0.194")
def test_a_noble_name_eases_charisma_for_half_as_many_hours_as_levels(sherwood) -> None:
    game = sherwood().given(Inspire(who="dracula", how="prestige", allies=("marian",)))
    assert len(game.when(Influence(who="marian", target="guard")).rolling(3, 4).events(ROLLED)[0].dice) == 2
    assert len(game.when(Save(who="marian", ability="cha")).rolling(3, 4).events(ROLLED)[0].dice) == 2
    assert len(game.when(Check(who="marian", ability="wis")).rolling(3).events(ROLLED)[0].dice) == 1
    game.when(wait(6, "hours")).then(like(ENDED, condition="honoured"))
    game.when(wait(359, "minutes")).never(like(ENDED, condition="honoured"))


ANALYSIS = Inspire(who="holmes", how="analysis", allies=("robin", "marian"), about="the deputy's guard")


@rule("R0.171", "R0.192", "Q0.71")
def test_an_analysis_helps_half_as_many_others_as_levels_with_one_task_for_a_day(sherwood) -> None:
    game = sherwood().given(ANALYSIS)
    blow = Attack(attacker="marian", target="deputy", weapon="light", informed=True)
    game.when(blow).rolling(10).then(like(ROLLED, total=14, expression="1d20 + 4[analysis]"))
    for deed in (
        Check(who="marian", ability="wis", informed=True),
        Save(who="marian", ability="wis", informed=True),
        Influence(who="marian", target="deputy", informed=True),
    ):
        game.when(deed).rolling(10).then(like(ROLLED, total=14))
    game.when(Check(who="marian", ability="wis")).rolling(10).then(like(ROLLED, total=10))
    game.when(Check(who="guard", ability="wis", informed=True)).refused("No analysis helps Guard now")
    game.when(wait(24, "hours")).then(like(ENDED, condition="informed"))
    crowd = Inspire(who="holmes", how="analysis", allies=("robin", "marian", "guard", "deputy", "dracula"), about="it")
    sherwood().when(crowd).refused("helps 4 others, and 5 are named")
    sherwood().when(Inspire(who="holmes", how="analysis", allies=("robin",))).refused("Say with --about")


@rule("Q0.77")
@pytest.mark.parametrize(
    ("role", "deed"),
    [
        ("leadership", Inspire(who="expert", how="rally", allies=("marian",))),
        ("noble", Inspire(who="expert", how="prestige", allies=("marian",))),
        ("science", Inspire(who="expert", how="analysis", allies=("marian",), about="it")),
        ("investigation", Investigate(who="expert", about="it", ask="Who?")),
    ],
)
def test_half_of_level_1_is_nothing_unless_the_table_says_1(sherwood, role: str, deed) -> None:
    sherwood().given(expert(role, level=1)).when(deed).refused("half a level is nothing yet", "half_level_min")
    sherwood(half_level_min=1).given(expert(role, level=1)).when(deed).then(events.PowerUsed)


def test_without_a_level_there_is_no_power_at_all(nobody) -> None:
    game = nobody().given(expert("espionage", level=1), events.LevelGained(character="expert", levels=-1))
    said = game.when(Gadget(who="expert", item="pen")).refused("comes to 0 at level 0", "without a level")
    assert "level 2" not in said


@rule("R0.167", "R0.153", "Q0.72")
def test_a_wound_to_a_spirits_body_shortens_its_rally_too(sherwood) -> None:
    ghost = Join(name="Spirit", id="spirit", kind="npc", heritage="spirit", level=3, hp=12)
    rally = Inspire(who="robin", how="rally", allies=("spirit",))
    game = sherwood().given(ghost, Manifest(who="spirit", shape="body"), rally)
    game.given(Harm(who="spirit", amount="2"))
    assert game.character("spirit").conditions["rallied"].until == 80


@rule("R0.167", "Q0.72", "Q0.29")
def test_anyone_who_is_wounded_after_their_turn_counts_the_rounds_of_a_rally_from_the_next(sherwood) -> None:
    game = sherwood().given(RALLY, with_dice(BeginEncounter(participants=("holmes", "guard")), 18, 3))
    during = game.when(Harm(who="holmes", amount="2"))
    assert during.character("holmes").conditions["rallied"].until == 80
    after = game.given(EndTurn()).when(Harm(who="holmes", amount="2"))
    assert after.character("holmes").conditions["rallied"].until == 90


def test_allies_are_others_and_are_named_once(sherwood) -> None:
    sherwood().when(Inspire(who="robin", how="rally", allies=())).refused("Name every ally once")
    sherwood().when(Inspire(who="robin", how="rally", allies=("marian", "marian"))).refused("Name every ally once")
    sherwood().when(Inspire(who="robin", how="rally", allies=("robin",))).refused("leave robin out of the allies")
    sherwood().when(Inspire(who="marian", how="rally", allies=("robin",))).refused(
        "it takes the role Leadership Expert"
    )
