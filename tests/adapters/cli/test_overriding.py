"""An override is previewed, has its reason, and shows what it is; fresh dice and agreements are verbs like any other."""

from __future__ import annotations

import re

import pytest


@pytest.fixture
def rolled(table):
    """Mira has rolled a d20 from the stream, as #10."""
    assert table("do roll 1d20 --seat Mira").code == 0
    return table


def face(rolled) -> int:
    dice = [line["dice"] for line in rolled("log --json").lines if line["dice"].startswith("1d20[")]
    found = re.search(r"\[(\d+)\]", dice[-1])
    assert found
    return int(found[1])


def test_an_override_shows_itself_in_the_log_and_keeps_what_fell(rolled) -> None:
    other = face(rolled) % 20 + 1
    assert rolled(f"override 10 --dice {other} --preview --why x").code == 0
    answer = rolled(f"override last --dice {other} --why 'it was cocked' --yes")
    assert (answer.code, "Overridden." in answer.out) == (0, True)
    log = rolled("log").out
    assert f"1d20[{other}] (overridden) = {other}" in log
    assert "it was cocked" in log
    assert rolled("redo 10 --revision 1 --yes").code == 0
    assert face(rolled) != other


def test_an_override_needs_faces_a_reason_and_dice_of_the_stream(rolled) -> None:
    assert rolled("override 10 --why x --yes").code == 2
    assert "--why" in rolled("override 10 --dice 3 --yes").err
    refused = rolled("override 8 --dice 3 --why x --yes")
    assert (refused.code, "no dice of the stream" in refused.err) == (4, True)
    assert "rollbook amend --retype" in refused.err
    assert "not a face of a d20" in rolled("override 10 --dice 21 --why x --yes").err


def test_the_table_can_forbid_it(rolled) -> None:
    assert rolled("do agree overrides forbidden").code == 0
    other = face(rolled) % 20 + 1
    refused = rolled(f"override 10 --dice {other} --why x --yes")
    assert (refused.code, "agreed that no die is overridden" in refused.err) == (4, True)
    assert "agreed: overrides forbidden" in rolled("log").out


def test_fresh_dice_are_granted_with_a_reason(rolled) -> None:
    first = face(rolled)
    rolled("undo 10 --why oops --yes")
    rolled("do roll 1d20 --seat Mira")
    assert face(rolled) == first
    rolled("undo 11 --why oops --yes")
    assert rolled("do grant-dice 10 --seat Mira").code != 0
    answer = rolled("do grant-dice 10 --why 'the wrong one rolled'")
    assert (answer.code, "may be rolled again: the wrong one rolled" in answer.out) == (0, True)
    again = rolled("do grant-dice 10 --why 'once more'")
    assert (again.code, "wait to be met again" in again.err) == (4, True)


def test_how_a_seat_rolls_is_agreed_and_kept(rolled) -> None:
    assert rolled("do agree dice stream --whose Mira").code == 0
    refused = rolled("do roll 1d20 --seat Mira --dice 20")
    assert (refused.code, "Mira rolls from the stream" in refused.err) == (4, True)
    assert rolled("do agree dice physical --whose Mira").code == 0
    refused = rolled("do roll 1d20 --seat Mira")
    assert (refused.code, "Type them with --dice" in refused.err) == (4, True)
    assert rolled("do roll 1d20 --seat Mira --dice 20").code == 0


def test_the_audit_names_the_level_of_proof_and_what_was_overridden(rolled) -> None:
    rolled(f"override 10 --dice {face(rolled) % 20 + 1} --why x --yes")
    rolled("do close-session")
    said = " ".join(rolled("audit").out.split())
    assert "dice VERIFIED" in said
    assert "session 1: level 0, solo: no player mixed anything in" in said
    assert "1 die was overridden by the GM; it proves nothing" in said
