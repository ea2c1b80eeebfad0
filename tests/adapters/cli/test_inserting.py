"""An act that was forgotten is put into the past at the command line: shown first, then made, undone as one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "correcting.md"
Stored = Callable[[], list[tuple[Any, ...]]]

STRUCK = "insert 9 attack guard robin-hood unarmed ! 15 3"


def numbers(table) -> list[int]:
    """The actions in the order in which the log tells them."""
    return [int(line.split()[0][1:]) for line in table("log").out.splitlines() if line.strip().startswith("#")]


def test_a_preview_shows_the_act_and_stores_nothing(table, stored: Stored) -> None:
    before = stored()
    answer = table(f"{STRUCK} --preview --json")
    (one,) = answer.data["consequences"]
    assert (one["effect"], one["action"], one["inserted_before"]) == ("inserted", 10, 9)
    assert "before #9" in table(f"{STRUCK} --preview").out
    assert stored() == before


def test_it_gets_the_next_number_and_is_told_in_its_place(table) -> None:
    before, sheet = numbers(table), table("sheet robin-hood").out
    answer = table(f"{STRUCK} --why 'he struck back' --yes")
    assert (answer.code, "It is put before #9" in answer.out) == (0, True)
    assert numbers(table) == [*before[:-1], 10, 9]
    assert "before #9" in table("log").out
    assert table("sheet robin-hood").out != sheet
    known_then = table("sheet robin-hood --at 9").out
    assert known_then.splitlines()[1:] == sheet.splitlines()[1:] or "as known" in known_then
    assert table("log --at 9").out.count("strikes") == table("log --at 9 --as-corrected").out.count("strikes") - 1
    assert table("audit --json").code == 0


def test_dice_and_terms_up_to_a_moment_are_those_that_were_played_by_then(table) -> None:
    before = table("stats --json").data["rolls"]
    table(f"{STRUCK} --yes")
    for at, more, counts in (("", 2, True), ("s1", 2, True), ("9", 2, True), ("10", 2, True), ("8", 0, False)):
        moment = f" --at {at} --as-corrected" if at else ""
        assert (at, table(f"stats --json{moment}").data["rolls"]) == (at, before + more)
        terms = table(f"why robin-hood hp --json{moment}").data["terms"]
        assert (10 in [each["action"] for term in terms for each in term["actions"]]) is counts, at


def test_it_is_undone_and_redone_as_one(table) -> None:
    sheet = table("sheet robin-hood").out
    table(f"{STRUCK} --yes")
    with_it = table("sheet robin-hood").out
    assert table("undo --correction --why 'he did not' --yes --json").effects == {10: "undone"}
    assert table("sheet robin-hood").out == sheet
    assert table("redo --yes --json").effects == {10: "redone"}
    assert table("sheet robin-hood").out == with_it
    assert "the insertion of #10" in table("undo 10 --why x --yes").out or table("redo 10 --yes").code == 0


def test_dice_that_are_missing_are_drawn_and_wait_for_the_next_insertion(table) -> None:
    table("do open-session again")
    table("insert 9 check robin-hood dex --draw --preview")
    drawn = [line for line in table("log").out.splitlines() if "draws fresh dice" in line]
    table("insert 8 check robin-hood dex --draw --yes")
    assert [line for line in table("log").out.splitlines() if "draws fresh dice" in line] == drawn


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("insert 1 note early --yes", "begins with #1"),
        ("insert 40 note late --yes", "There is no action #40"),
        ("insert 9 open-session again --yes", "cannot be put into the past"),
        ("insert 9 take-seat Eve --yes", "cannot be put into the past"),
        ("insert 9 note mine --seat Mira --yes", "Only the GM puts an act into the past"),
        ("insert 5 attack guard robin-hood unarmed ! 15 3 --yes", "guard"),
        ("insert last note x --yes", "Say before which action"),
    ],
)
def test_what_could_not_have_been_played_there_is_refused(table, stored: Stored, words: str, why: str) -> None:
    before = stored()
    answer = table(words)
    assert answer.code != 0
    assert why in answer.err
    assert stored() == before


def test_an_act_is_put_before_one_that_was_inserted_and_before_one_that_was_undone(table) -> None:
    table(f"{STRUCK} --yes")
    table("insert 10 note 'he is angry' --yes")
    table("undo 9 --why quiet --yes")
    table("insert 9 note 'a silence' --yes")
    assert numbers(table)[-4:] == [11, 10, 12, 9]
    assert table("audit").out.count("VERIFIED") >= 2


def test_the_page_shows_what_comes_of_it(table) -> None:
    begins = PAGE.read_text(encoding="utf-8").index("$ rollbook insert")
    command, *shown = PAGE.read_text(encoding="utf-8")[begins:].split("```")[0].strip().splitlines()
    assert table(command.removeprefix("$ rollbook ")).out.splitlines()[: len(shown)] == shown
