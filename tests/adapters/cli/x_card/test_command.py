"""The X-card stops a scene at once and asks for nothing."""

from __future__ import annotations

import pytest

from tests.support.x_card import Table


def test_the_card_asks_for_nothing_and_says_that_the_scene_pauses(mill: Table) -> None:
    code, out, err = mill.rollbook("x-card")
    assert (code, err) == (0, "")
    assert "raises the X-card   the scene pauses" in out
    assert "The X-card lies on the table" in out
    assert "The X-card lies on the table" in mill.rollbook("do note later")[1]
    mill.rollbook("x-card --resume")
    assert "X-card" not in mill.rollbook("do note later")[1]


def test_the_help_does_not_offer_a_seat_or_a_reason(mill: Table) -> None:
    _, out, _ = mill.rollbook("x-card --help")
    assert "--seat" not in out
    assert "--why" not in out


@pytest.mark.parametrize(
    "words", ["x-card --why spiders", "x-card spiders", "x-card --secret", "x-card --to 9", "x-card --yes"]
)
def test_a_reason_is_not_taken_not_even_if_it_is_given(mill: Table, words: str) -> None:
    before = mill.files()
    code, _, err = mill.rollbook(words)
    assert code == 2
    assert "spiders" not in err
    assert mill.files()["books/rollbook.db"] == before["books/rollbook.db"]


@pytest.mark.parametrize("seat", ["nobody-of-that-name", "Ana", "ROBIN"])
def test_a_seat_is_not_even_looked_at(mill: Table, seat: str) -> None:
    plain = mill.left_by(lambda: mill.rollbook("x-card"))
    assert plain.differences(mill.left_by(lambda: mill.rollbook(f"x-card --seat {seat}"))) == []


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("resume", "the scene goes on"),
        ("skip", "the scene is passed over"),
        ("adjust", "the scene goes on in another way"),
    ],
)
def test_the_gm_answers_and_the_answer_stands_in_the_log(mill: Table, how: str, words: str) -> None:
    assert mill.rollbook(f"x-card --{how}")[0] == 4
    mill.rollbook("x-card")
    assert mill.rollbook(f"x-card --{how} --seat mira")[0] == 4
    assert f"answers the X-card   {words}\n" in mill.rollbook(f"x-card --{how}")[1]
    assert f"answers the X-card   {words}\n" in mill.rollbook("log -n 1")[1]


def test_the_table_goes_on_in_one_way(mill: Table) -> None:
    mill.rollbook("x-card")
    code, _, err = mill.rollbook("x-card --skip --rewind --yes")
    assert (code, "--skip or --rewind, not both" in err) == (2, True)
    assert mill.rollbook("x-card --skip")[0] == 0
