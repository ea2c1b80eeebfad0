"""Experience reaches levels; levels bring hit dice and picks."""

from __future__ import annotations

import pytest

from rollbook.domain.actions.characters import Adjust
from rollbook.domain.actions.time_and_experience import AwardExperience
from rollbook.plugin import Character, events
from rollbook.rulesets.storytoken.body.harm import Harm
from rollbook.rulesets.storytoken.character.creation import Join
from rollbook.rulesets.storytoken.character.experience import LEVELS, level_for, next_threshold, row
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.character.levels import Choose, picks_up_to
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.testing.scenarios import like, rule

PRINTED = [
    (1, 0, 1, 0),
    (2, 2_000, 2, 0),
    (3, 4_000, 3, 0),
    (4, 8_000, 4, 0),
    (5, 16_000, 5, 0),
    (6, 32_000, 6, 0),
    (7, 64_000, 7, 0),
    (8, 120_000, 8, 0),
    (9, 240_000, 9, 0),
    (10, 360_000, 9, 0),
    (11, 480_000, 9, 1),
    (12, 600_000, 9, 2),
    (13, 720_000, 9, 3),
    (14, 840_000, 9, 4),
    (15, 960_000, 9, 5),
    (16, 1_080_000, 9, 6),
    (17, 1_200_000, 9, 7),
    (18, 1_320_000, 9, 8),
    (19, 1_440_000, 9, 9),
    (20, 1_560_000, 9, 10),
    (21, 1_680_000, 9, 11),
    (22, 1_800_000, 9, 12),
    (23, 1_920_000, 9, 13),
    (24, 2_040_000, 9, 14),
    (25, 2_160_000, 9, 15),
]


@rule(*(f"R0.{number}" for number in range(113, 138)), "R0.138", "R0.139")
def test_every_row_of_the_table_is_as_printed() -> None:
    assert [(each.level, each.experience, each.dice, each.printed_bonus) for each in LEVELS] == PRINTED
    assert [each.rule for each in LEVELS] == [f"R0.{112 + level}" for level in range(1, 26)]
    settings = Settings()
    for level, experience, _, _ in PRINTED:
        assert level_for(experience, settings) == level
        assert level_for(experience - 1, settings) == max(level - 1, 1)


@rule("R0.140")
def test_every_fourth_level_has_a_pick() -> None:
    assert picks_up_to(25) == [4, 8, 12, 16, 20, 24]


@rule("Q0.48")
def test_levels_end_at_25_or_go_on() -> None:
    assert level_for(9_999_999, Settings()) == 25
    assert next_threshold(25, Settings()) is None
    endless = Settings(extrapolate_levels=True)
    assert [level_for(points, endless) for points in (2_160_000, 2_279_999, 2_280_000, 2_400_000)] == [25, 25, 26, 27]
    assert next_threshold(25, endless) == 2_280_000 == row(26).experience


def novice(level: int = 1, con: int = 10, role: str = "noble") -> Join:
    scores = ("10", "10", str(con), "10", "10", "10")
    return Join(
        name="Hero",
        id="hero",
        heritage="elf",
        roles=(role, "medical"),
        scores=scores,
        level=level,
        hit_dice=("4",) * min(level, 9),
    )


def award(amount: int) -> AwardExperience:
    return AwardExperience(who=("hero",), amount=amount)


@rule("R0.112", "R0.138", "R0.139", "QG.7")
def test_a_threshold_brings_a_level_and_one_new_die(nobody) -> None:
    game = nobody().given(novice())
    game.when(award(1_999)).never(events.LevelGained)
    played = game.when(award(2_000)).rolling(5)
    played.then(
        events.ExperienceAwarded(character="hero", amount=2_000),
        like(events.DiceRolled, expression="1d6", purpose="hit die"),
        like(events.StatChanged, stat="hit_dice", amount=5),
        events.LevelGained(character="hero", levels=1),
    )
    assert played.sheet("hero").amount("max_hp") == 9


@rule("Q0.49", "R0.140")
def test_several_thresholds_bring_each_level_in_order_and_picks_stay_open(nobody) -> None:
    played = nobody().given(novice()).when(award(16_000)).rolling(1, 2, 3, 4)
    assert len(played.events(events.LevelGained)) == 4
    assert [event.choice for event in played.events(events.ChoiceOffered)] == ["pick-4"]
    played.go_on().when(award(1)).then(events.ExperienceAwarded)


@rule("R0.139", "R0.51")
def test_past_level_9_no_die_is_rolled(nobody) -> None:
    played = nobody().given(novice(9)).when(award(240_000)).never(events.DiceRolled)
    assert played.character("hero").level == 11
    assert played.sheet("hero").amount("max_hp") == 36 + 4


@rule("Q0.18")
def test_where_the_table_says_so_all_dice_are_rolled_again(nobody) -> None:
    game = nobody(level_hp="reroll_all").given(novice(3))
    worse = game.when(award(4_000)).rolling(1, 1, 2, 2)
    worse.then(like(events.DiceRolled, expression="4d6"), like(events.StatChanged, stat="hit_dice", amount=-6))
    assert worse.sheet("hero").amount("max_hp") == 6


@rule("Q0.18")
def test_constitution_is_counted_afresh_for_every_level(nobody) -> None:
    game = nobody().given(novice(4))
    raised = game.when(Adjust(who="hero", what="con", by=3, reason="training"))
    assert raised.sheet("hero").amount("max_hp") == 16 + 4


@rule("Q0.83")
def test_a_level_lifts_current_hit_points_too(nobody) -> None:
    game = nobody().given(novice(3), Harm(who="hero", amount="5"))
    assert str(game.when(award(4_000)).rolling(6).sheet("hero").value("hp")) == "13 of 18"
    down = nobody().given(novice(3), Harm(who="hero", amount="14"))
    assert str(down.sheet("hero").value("hp")) == "-2 of 12"
    down.when(award(4_000)).rolling(3).then(events.ConditionEnded(character="hero", condition="unconscious"))


@rule("QG.7")
def test_experience_never_lowers_a_level_and_monsters_rise_none(nobody) -> None:
    game = nobody().given(novice(5), events.ExperienceAwarded(character="hero", amount=-16_000))
    game.when(award(1)).never(events.LevelGained)
    beast = nobody().given(Join(name="Hero", id="hero", kind="monster", hp=5))
    beast.when(award(100_000)).never(events.LevelGained)


@rule("R0.140")
@pytest.mark.parametrize(
    ("picked", "event"),
    [
        ("con+2", events.StatChanged(character="hero", stat="con", amount=2, reason="pick-4")),
        ("toughness", events.TraitGained(character="hero", trait="toughness", kind="role")),
    ],
)
def test_a_pick_is_a_score_or_a_role(nobody, picked: str, event: events.Event) -> None:
    game = nobody().given(novice(4))
    played = game.when(Choose(who="hero", choice="pick-4", picked=picked))
    played.then(events.ChoiceMade(character="hero", choice="pick-4", picked=picked), event)
    played.go_on().when(Choose(who="hero", choice="pick-4", picked=picked)).refused("no open choice called 'pick-4'")


@rule("R0.140", "Q0.50")
def test_a_role_one_has_is_no_option(nobody) -> None:
    game = nobody().given(novice(8))
    game.when(Choose(who="hero", choice="pick-4", picked="noble")).refused(
        "There is no option of pick-4 called 'noble'"
    )
    game.given(Choose(who="hero", choice="pick-4", picked="fighting"))
    game.when(Choose(who="hero", choice="pick-8", picked="fighting")).refused("already has the role fighting")


def most_roles(who: Character) -> int:
    """Two, one more for humans, and one for each pick."""
    return 2 + heritage_of(who).extra_roles + len(picks_up_to(who.level))


@rule("R0.195", "R0.178")
def test_how_many_roles_a_sheet_may_have(nobody, sherwood) -> None:
    assert most_roles(nobody().given(novice(3)).character("hero")) == 2
    cast = sherwood()
    allowed = {who: most_roles(cast.character(who)) for who in ("holmes", "robin", "dracula")}
    held = {who: len(cast.character(who).traits_of("role")) for who in allowed}
    assert allowed == {"holmes": 5, "robin": 5, "dracula": 5}
    assert held == {"holmes": 4, "robin": 3, "dracula": 4}


@rule("R0.140", "R0.6", "QG.8")
def test_a_score_that_the_sheet_does_not_say_changes_from_the_average(nobody) -> None:
    hero = Join(name="Hero", id="hero", kind="npc", level=4, hit_dice=("4", "4", "4", "4"))
    game = nobody().given(hero)
    assert game.when(Choose(who="hero", choice="pick-4", picked="str+2")).sheet("hero").amount("str") == 12
    assert game.when(Adjust(who="hero", what="con", by=-3, reason="a fever")).sheet("hero").amount("con") == 7
