"""Six scores, and what each is worth on a roll."""

from __future__ import annotations

import pytest

from rollbook.kit import ability_scores
from rollbook.plugin import ABILITIES, events
from rollbook.rulesets.storytoken.character.abilities import ABILITY_USES, modifier, word
from rollbook.rulesets.storytoken.tasks.checks import Check
from rollbook.testing.scenarios import like, rule

PRINTED = {
    -4: (1,),
    -3: (2, 3),
    -2: (4, 5),
    -1: (6, 7, 8),
    0: (9, 10, 11, 12),
    1: (13, 14, 15),
    2: (16, 17),
    3: (18, 19),
    4: (20, 21),
    5: (22, 23),
    6: (24, 25),
    7: (26, 27),
    8: (28,),
    9: (30, 31),
}


@rule("R0.13", "Q0.3")
@pytest.mark.parametrize(("expected", "scores"), PRINTED.items())
def test_every_printed_score_has_its_modifier(expected: int, scores: tuple[int, ...]) -> None:
    assert [modifier(score) for score in scores] == [expected] * len(scores)


@rule("Q0.1")
def test_the_missing_29_counts_as_28() -> None:
    assert modifier(29) == 8


@rule("Q0.2")
def test_beyond_the_table_scores_go_on_as_before() -> None:
    assert [modifier(score) for score in (-3, 0, 32, 33, 40)] == [-4, -4, 10, 10, 14]
    assert all(modifier(score) == score // 2 - 6 for score in range(16, 32))


@rule("R0.14")
def test_abilities_have_words() -> None:
    assert [word(score) for score in (1, 10, 18, 22, 50)] == [
        "almost none",
        "fair",
        "great",
        "superhuman",
        "superhuman",
    ]


@rule("R0.6", "R0.7", "R0.8", "R0.9", "R0.10", "R0.11", "R0.12")
def test_there_are_six_abilities_and_each_makes_its_own_rolls(sherwood) -> None:
    assert ABILITIES == ("str", "dex", "con", "int", "wis", "cha") == tuple(ability_scores.NAMES) == tuple(ABILITY_USES)
    for ability, total in zip(ABILITIES, (11, 13, 11, 10, 11, 12), strict=True):
        sherwood().when(Check(who="robin", ability=ability)).rolling(10).then(like(events.DiceRolled, total=total))
