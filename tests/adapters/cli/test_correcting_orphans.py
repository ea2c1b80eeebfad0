"""What a correction leaves as it is is said in a line, and orphans are decided one by one."""

from __future__ import annotations

import pytest

from rollbook.adapters.presentation.preview_words import number_ranges
from tests.support.terminal import Terminal

ROPES = """\
give robin rope
drop robin rope
give robin rope
drop robin rope
"""
"""Actions #10 to #13. Without #10, #11 is impossible; if #11 stands all the same, #13 is impossible too."""


@pytest.fixture
def ropes(table, home):
    script = home / "ropes.session"
    script.write_text(ROPES, encoding="utf-8")
    assert table(f"play {script}").code == 0
    return table


def test_what_comes_out_the_same_is_named_and_what_reads_nothing_new_is_counted(ropes) -> None:
    answer = ropes("amend 6 hp=19 --why misread --preview")
    assert "Comes out the same: #8 (1); 6 others read nothing that changed." in answer.out
    told = ropes("amend 6 hp=19 --why misread --preview --json").data
    assert (told["same"], told["played_again"], told["untouched"]) == ([8], 1, 6)
    assert "4 later actions read nothing that changed." in ropes("undo 9 --why x --preview").out
    assert "read nothing" not in ropes("undo 13 --why x --preview").out


def test_numbers_in_a_row_are_drawn_together() -> None:
    assert number_ranges([13, 14, 15, 18, 21, 22]) == ["#13–#15", "#18", "#21–#22"]
    assert number_ranges([]) == []


def test_single_orphans_are_kept_or_undone(ropes) -> None:
    assert ropes("undo 10 --why x --preview --json").effects == {10: "undone", 11: "undone"}
    assert ropes("undo 10 --why x --keep 11 --preview --json").effects == {10: "undone", 11: "kept", 13: "undone"}
    mixed = "undo 10 --why x --orphans keep --undo '#13' --preview --json"
    assert ropes(mixed).effects == {10: "undone", 11: "kept", 13: "undone"}
    shown = ropes("undo 10 --why x --keep 11 --yes").out
    assert "kept as a ruling: Robin Hood does not have 1 of 'rope'" in shown
    assert "undone too" in shown


def test_an_action_that_is_no_orphan_cannot_be_decided_on(ropes) -> None:
    refused = ropes("undo 10 --why x --keep 8 --preview")
    assert refused.code == 4
    assert "Action #8 is not made impossible by this correction. These are: #11." in refused.err
    assert "nothing needs a decision" in ropes("undo 9 --why x --undo 8 --preview").err
    assert "Say one of the two" in ropes("undo 10 --why x --undo 11 --keep 11 --preview").err


def test_at_a_terminal_every_orphan_is_asked_about(ropes) -> None:
    terminal = Terminal.running("undo", "10", "--why", "no rope")
    terminal.answer("#11:", "k")
    terminal.answer("#13:", "v")
    terminal.until("kept as a ruling")
    terminal.answer("Apply?", "y")
    terminal.until("Undone.")
    assert terminal.ended() == 0
    assert ropes("redo 13 --yes").code == 4
    assert ropes("undo 11 --why 'no ruling either' --yes").code == 0


def test_at_a_terminal_all_orphans_are_decided_at_once(ropes) -> None:
    terminal = Terminal.running("undo", "10", "--why", "no rope")
    terminal.answer("#11:", "K")
    terminal.until("#13")
    terminal.answer("Apply?", "n")
    terminal.until("Nothing was recorded.")
    assert terminal.ended() == 0
