"""A correction that needs a die says whose it is and what for, and how it is typed or drawn."""

from __future__ import annotations

import sys

import pytest

from tests.support.terminal import Terminal

NEED = "Robin Hood’s attack on Guard (#10) now needs a d6 (damage) that was never rolled."


@pytest.fixture
def missed(table):
    """A shot at the guard that missed, so that its damage was never rolled."""
    assert table("do attack robin guard longbow --distance 40 --seat Mira ! 2").code == 0
    return table


def test_without_a_terminal_the_options_are_named(missed) -> None:
    answer = missed("amend 6 ac=5 --why x --preview")
    assert answer.code == 4
    assert answer.err == f"{NEED} Type its face with --dice, or have it drawn from the open session with --draw.\n"


def test_override_names_its_own_option(missed) -> None:
    missed("do join Tower --kind npc --hp 90 --ac 19")
    missed("do close-session")
    missed("do open-session Second")
    shot = {"success": 1, "action": 0}
    while shot["success"] > 0:
        assert missed("do attack robin tower longbow --distance 40 --seat Mira").code == 0
        shot = missed("log -n 1 --json").data
    action = shot["action"]
    answer = missed(f"override {action} --dice 19 --why x --preview")
    assert "Robin Hood’s attack on Tower" in answer.err
    assert "Type its face with --typed, or have it drawn" in answer.err
    assert missed(f"override {action} --dice 19 --typed 4 --why x --preview").code == 0


def test_the_die_of_somebody_without_a_sheet_is_the_seats(table) -> None:
    table("do roll 1d6 ! 3")
    answer = table("amend 10 expression=2d6 --why x --preview")
    assert "Ana’s roll (#10) now needs a d6 (roll) that was never rolled." in answer.err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_enter_draws_it_and_that_is_said(missed) -> None:
    terminal = Terminal.running("amend", "6", "ac=5", "--why", "no mail")
    terminal.until("now needs a d6 (damage) that was never rolled.")
    terminal.answer("Type its face, or press Enter to draw it; a drawn die stays on record:", "")
    terminal.answer("Apply? [y/N]", "y")
    assert terminal.ended() == 0
    assert missed("log -n 1 --json").data["verb"] == "draw-for"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_a_wrong_face_is_asked_for_again(missed) -> None:
    terminal = Terminal.running("amend", "6", "ac=5", "--why", "no mail")
    terminal.answer("press Enter to draw it", "9")
    terminal.until("9 is not a face of a d6")
    terminal.answer("press Enter to draw it", "many")
    terminal.until("This is not the face of a die")
    terminal.answer("press Enter to draw it", "3")
    terminal.until("Guard −7 HP")
    terminal.answer("Apply? [y/N]", "y")
    assert terminal.ended() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize("drawn", [False, True])
def test_at_a_terminal_the_next_die_is_asked_for_alone(missed, *, drawn: bool) -> None:
    """Advantage that was forgotten takes a second d20, and what it hits damage."""
    terminal = Terminal.running("amend", "10", "advantage=from above", "--why", "forgotten")
    terminal.until("needs a d20 (to hit) that was never rolled.")
    terminal.answer("press Enter to draw it", "19")
    terminal.until("needs a d6 (damage) that was never rolled.")
    terminal.answer("press Enter to draw it", "many")
    terminal.until("This is not the face of a die")
    terminal.answer("press Enter to draw it", "" if drawn else "4")
    terminal.until("advantage: – → from above")
    terminal.answer("Apply? [y/N]", "y")
    assert terminal.ended() == 0
    assert "2d20kh1[(2) 19]" in missed("log 10").out
    assert drawn or "1d6[4]" in missed("log 10").out


def test_without_a_terminal_the_faces_before_it_are_named(missed) -> None:
    answer = missed("amend 10 'advantage=from above' --why x --preview --dice 19")
    assert "now needs a d6 (damage) that was never rolled. Type its face after 19 with --dice" in answer.err
    assert missed("amend 10 'advantage=from above' --why x --preview --dice 19,4").code == 0
    assert missed("amend 10 'advantage=from above' --why x --yes --dice 19 --draw").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_when_no_session_is_open_it_has_to_be_typed(missed) -> None:
    missed("do close-session")
    terminal = Terminal.running("amend", "6", "ac=5", "--why", "no mail")
    terminal.answer("Type its face; none can be drawn, because no session is open:", "3")
    terminal.answer("Apply? [y/N]", "y")
    assert terminal.ended() == 0
