"""A second thought that is refused says why, in one sentence, and nothing is recorded."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("before", "why"),
    [
        ("do note later", "A second thought is for a roll of the last action, and #10 (note) has none"),
        ("do close-session", "A second thought is for a roll of the last action, and that is #10 (close-session) now."),
    ],
)
def test_without_a_roll_it_names_the_last_action(table, stored, before: str, why: str) -> None:
    table(before)
    stored_before = stored()
    answer = table("reroll --by robin --dice 3")
    assert (answer.code, answer.err.count("\n")) == (4, 1)
    assert why in answer.err
    assert stored() == stored_before


def test_who_cannot_pay_what_is_not_kept_and_which_roll_is_not_there_is_said(table, stored) -> None:
    table("do attack robin guard longbow --distance 40 --seat Mira ! 2")
    before = stored()
    for words, code, why in (
        ("--by guard", 4, "Guard cannot spend a story token: Guard holds none"),
        ("--by robin --keep silly", 4, "not 'silly'"),
        ("--by robin --roll 7", 4, "There is no roll 7 to roll again"),
        ("--by robin --seat Nobody", 3, "There is no seat called 'Nobody'"),
        ("--by robin --kind luck", 3, "There is no second thought called 'luck'"),
        ("--by robin --dice 99", 4, "99 is not a face of a d20"),
        ("--by robin --dice 3,4,5", 4, "left over"),
    ):
        answer = table(f"reroll {words}")
        assert (answer.code, why in answer.err) == (code, True), answer
    assert stored() == before
