"""Rewinding undoes the scene by the ordinary means."""

from __future__ import annotations

import json

import pytest

from tests.support.x_card import Table, log


def test_rewinding_undoes_the_whole_scene_and_nothing_before_it(mill: Table) -> None:
    mill.rollbook("x-card --seat mira")
    mill.rollbook("do note hush")
    code, out, _ = mill.rollbook("x-card --rewind --yes")
    assert (code, "undone" in out, "10 of 18 → 18 of 18" in out) == (0, True, True)
    lines = log(mill)
    assert [action for action, line in lines.items() if line["status"] == "undone"] == [10, 11, 12, 14]
    assert {lines[action]["why"] for action in (10, 11, 12, 14)} == {"rewound after the X-card"}
    assert lines[15]["result"] == "the scene is undone and played again"
    assert mill.rollbook("audit")[0] == 0


def test_rewinding_goes_back_as_far_as_an_action_that_stands(mill: Table) -> None:
    mill.rollbook("x-card")
    assert mill.rollbook("x-card --rewind --to '#10' --yes")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [11, 12]


def test_rewinding_is_shown_first_and_asked(mill: Table) -> None:
    mill.rollbook("x-card")
    before = mill.files()["books/rollbook.db"]
    assert mill.rollbook("x-card --rewind")[0] == 2
    assert "still lies on the table" in mill.rollbook("x-card --rewind --preview")[1]
    told = json.loads(mill.rollbook("x-card --rewind --preview --json")[1])
    assert (told["applied"], [one["action"] for one in told["consequences"]]) == (False, [10, 11, 12])
    assert mill.files()["books/rollbook.db"] == before


def test_rewinding_is_answered_as_json_in_two_lines(mill: Table) -> None:
    mill.rollbook("x-card")
    told, answer = (json.loads(line) for line in mill.rollbook("x-card --rewind --yes --json")[1].splitlines())
    assert (told["applied"], answer["events"]) == (True, [{"event": "XCardAnswered", "how": "rewind"}])


def test_who_sits_down_and_earlier_answers_are_not_rewound(mill: Table) -> None:
    mill.rollbook("x-card")
    mill.rollbook("x-card --adjust")
    mill.rollbook("do take-seat Lee")
    mill.rollbook("x-card")
    assert mill.rollbook("x-card --rewind --yes")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [10, 11, 12]


@pytest.mark.parametrize(
    ("before", "words", "said"),
    [
        ((), "--rewind --yes", "No X-card lies on the table"),
        (("x-card",), "--rewind --yes --seat mira", "Only the GM"),
        (("x-card",), "--rewind --yes --to 8", "The scene begins with #9"),
        (("x-card",), "--rewind --yes --to last", "Nothing has happened after #13"),
        (("do scene 'The road'", "x-card"), "--rewind --yes", "Nothing has happened after #13"),
        (("do close-session", "do open-session Second", "x-card"), "--rewind --yes", "No scene was framed"),
        (
            ("do close-session", "do open-session Second", "x-card"),
            "--rewind --yes --to 3",
            "The session begins with #14",
        ),
        (("x-card",), "--rewind --yes --to 99", "There is no action #99"),
    ],
)
def test_what_cannot_be_rewound_is_said_and_nothing_is_undone(
    mill: Table, before: tuple[str, ...], words: str, said: str
) -> None:
    for line in before:
        assert mill.rollbook(line)[0] == 0
    stored = mill.files()["books/rollbook.db"]
    code, _, err = mill.rollbook(f"x-card {words}")
    assert (code in (3, 4), said in err) == (True, True), err
    assert mill.files()["books/rollbook.db"] == stored


def test_rewind_is_no_answer_where_nothing_was_undone(mill: Table) -> None:
    mill.rollbook("x-card")
    code, _, err = mill.rollbook("do after-x-card rewind")
    assert (code, "rollbook x-card --rewind does both" in err) == (4, True)


def test_a_script_rewinds_without_asking(mill: Table) -> None:
    script = mill.beside / "again.session"
    script.write_text("x-card\nx-card --rewind --to 11\n", encoding="utf-8")
    assert mill.rollbook(f"play {script}")[0] == 0
    assert [action for action, line in log(mill).items() if line["status"] == "undone"] == [12]
