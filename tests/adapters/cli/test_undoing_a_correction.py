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
    assert table("redo 7 --alone --preview --json").effects == {7: "redone"}
    refused = table("undo 7 --correction --why x --yes")
    assert (refused.code, "one of the three" in refused.err) == (2, True)


def test_what_was_undone_together_is_redone_together(table) -> None:
    before = table("sheet guard").out
    table("undo 7 --why 'no bow' --yes")
    refused = table("redo 8 --together --revision 1 --yes")
    assert (refused.code, "three different things" in refused.err) == (2, True)
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


def test_what_an_undo_took_along_comes_back_with_it(table) -> None:
    before = table("sheet guard").out
    for words in ("redo 7", "redo", "redo last"):
        table("undo 7 --why 'no bow' --yes")
        assert table(f"{words} --yes --json").effects == REDONE, words
        assert table("sheet guard").out == before


def test_what_was_undone_last_is_redone_whole(table) -> None:
    table("undo 9 --why 'nobody shouted' --yes")
    table("undo 6-8 --why 'no guard' --yes")
    assert [*table("redo --yes --json").effects] == [6, 7, 8]
    assert [*table("redo last --yes --json").effects] == [9]
    assert "Nothing is undone at the moment" in table("redo last --yes").err


def test_what_is_still_impossible_stays_undone_and_is_named(table) -> None:
    table("undo 7 --why 'no bow' --yes")
    table("undo 6 --why 'no guard' --yes")
    shown = table("redo 7 --preview")
    assert "Stays undone, because it is still impossible" in shown.out
    assert "There is no character called 'guard'" in shown.out
    assert table("redo 7 --yes --json").effects == {7: "redone", 8: "stays_undone"}
    assert table("redo 8 --yes").code == 3


def test_redo_takes_a_filter(table) -> None:
    table("undo 7-9 --why x --yes")
    assert [*table("redo --where who=robin --preview --json").effects] == [7, 8]
    assert "longbow" in table("redo --where verb=attack --preview").err
    assert "No action that is undone fits: verb=award" in table("redo --where verb=award --yes").err
    assert table("redo 8 --where verb=attack --yes").code == 2


def test_after_a_correction_a_bare_undo_says_how_the_correction_itself_is_undone(table) -> None:
    assert "--correction" not in table("undo --preview").out
    table("amend 8 distance=30 --why 'they stood closer' --yes")
    shown = table("undo last --preview").out
    assert (
        "The last action is #9. To undo the change of #8 by Ana (they stood closer) instead: rollbook undo --correction"
        in shown
    )
    assert "The last action is" not in table("undo 9 --preview").out
    assert "What is undone: the change of #8 by Ana (they stood closer)" in table("undo --correction --preview").out
    table("do note later")
    assert "--correction" not in table("undo --preview").out


def test_several_numbers_ranges_and_filters_are_one_correction_with_one_preview(table) -> None:
    for words in ("undo 7 8 9", "undo 7..9", "undo '#7-#9'", "undo --where 'number=7-9'"):
        answer = table(f"{words} --why x --yes --json")
        assert ([*answer.effects], len(answer.lines)) == ([7, 8, 9], 1), words
        assert [*table("undo --correction --why y --yes --json").effects] == [7, 8, 9]


def test_the_correction_is_meant_by_the_word_alone_too(table) -> None:
    table("undo 7 --why 'no bow' --yes")
    assert table("undo correction --why 'it was there' --yes --json").effects == REDONE
    for words in ("undo correction 7", "undo 7 correction", "undo correction --where who=robin"):
        refused = table(f"{words} --why x --yes")
        assert (refused.code, "one of the three" in refused.err) == (2, True), words
