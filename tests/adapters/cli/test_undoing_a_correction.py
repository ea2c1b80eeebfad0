"""The last correction is undone whole, and what was undone together is redone together."""

from __future__ import annotations

REDONE = {7: "redone", 8: "redone"}
"""The bow that was given, and the shot that is impossible without it."""


def test_the_last_correction_is_undone_whole_and_again(table) -> None:
    before = table("sheet guard").out
    table("undo 7 --why 'no bow' --yes")
    assert table("undo --correction --why 'it was there' --preview --json").effects == REDONE
    assert table("undo --correction --why 'it was there' --yes --json").effects == REDONE
    assert table("sheet guard").out == before
    assert table("undo --correction --why 'it was not' --yes").code == 0
    assert table("redo 7 --preview --json").effects == {7: "redone"}
    refused = table("undo 7 --correction --why x --yes")
    assert (refused.code, "one of the three" in refused.err) == (2, True)


def test_what_was_undone_together_is_redone_together(table) -> None:
    before = table("sheet guard").out
    table("undo 7 --why 'no bow' --yes")
    refused = table("redo 8 --together --revision 1 --yes")
    assert (refused.code, "leave out --revision" in refused.err) == (2, True)
    assert table("redo 8 --together --yes --json").effects == REDONE
    assert table("sheet guard").out == before
    table("undo --correction --why 'it was not' --yes")
    assert table("redo 8 --together --yes --json").effects == REDONE


def test_the_undoing_of_a_correction_says_so(table) -> None:
    table("amend 8 --retype 14,2 --why 'a 2' --yes")
    answer = table("undo --correction --why 'a 4 after all' --yes")
    assert "Correction undone: as it was before it" in answer.out
    assert "The correction is undone." in answer.out
    assert "Redone" not in answer.out


def test_without_a_correction_there_is_none_to_undo(table) -> None:
    answer = table("undo --correction --why x --yes")
    assert (answer.code, "Nothing has been corrected yet" in answer.err) == (3, True)
