"""A session is of level 1 only if a player who was there before it had the last word in its dice; tries before it are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.audit.dice_audit import audit_dice, dice_list
from rollbook.domain.audit.dice_session import LATE, SOLO
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.random_steps import ActionStep
from tests.support.toy_table import ToyTable

ONE_LINE = "session 1: level 1, table: players mixed in 1 line before the first roll"


def seat(table: ToyTable, name: str, role: str) -> None:
    """The GM seats somebody."""
    table.take(ActionStep(verb="take-seat", params={"seat": name, "role": role}, seat="Ana"))


def said(table: ToyTable) -> tuple[str, ...]:
    """What the audit remarks after a roll of the GM's and the close."""
    table.roll()
    table.close()
    return audit_dice(table.history.entries).remarks


def test_a_players_line_alone_makes_level_one() -> None:
    table = ToyTable()
    table.do("entropy", seat="mira", text="6 2 5")
    assert ONE_LINE in said(table)


def test_the_gms_line_after_a_players_makes_level_zero() -> None:
    table = ToyTable()
    table.do("entropy", seat="mira", text="6 2 5")
    table.do("entropy", text="Good luck, all! 4346")
    assert f"session 1: {LATE}" in said(table)


def test_a_player_who_was_there_may_always_have_the_last_word() -> None:
    table = ToyTable()
    for whose, text in (("mira", "6 2 5"), ("Ana", "4346"), ("mira", "one more")):
        table.do("entropy", seat=whose, text=text)
    assert "session 1: level 1, table: players mixed in 2 lines before the first roll" in said(table)


def test_the_line_of_a_seat_that_was_taken_since_the_opening_does_not_count() -> None:
    table = ToyTable()
    table.do("entropy", seat="mira", text="6 2 5")
    seat(table, "Puppet", "player")
    table.do("entropy", seat="Puppet", text="chosen")
    assert f"session 1: {LATE}" in said(table)


def test_a_gm_who_sits_down_as_a_player_since_the_opening_is_none() -> None:
    table = ToyTable()
    seat(table, "Ben", "gm")
    table.take(ActionStep(verb="leave-seat", params={"seat": "Ben"}, seat="Ana"))
    seat(table, "Ben", "player")
    table.do("entropy", seat="Ben", text="chosen")
    assert f"session 1: {LATE}" in said(table)


def test_two_gms_and_no_player_are_level_zero() -> None:
    table = ToyTable()
    table.close()
    seat(table, "Ben", "gm")
    table.open()
    table.do("entropy", seat="Ben", text="6 2 5")
    assert f"session 2: {LATE}" in said(table)


def test_nobodys_line_is_level_zero() -> None:
    assert f"session 1: {SOLO}" in said(ToyTable())


def test_sessions_that_had_a_line_and_no_roll_are_listed_with_how_many_stood_before_them() -> None:
    table = ToyTable()
    for _ in range(2):
        table.do("entropy", seat="mira", text="6 2 5")
        table.close()
        table.open()
    table.do("entropy", seat="mira", text="6 2 5")
    remarks = said(table)
    before = "2 sessions with a line and without a roll stood before it"
    assert f"session 3: level 1, table: players mixed in 1 line before the first roll; {before}" in remarks
    assert "2 sessions had a line and were closed without a roll" in remarks
    listed = [one.text for one in dice_list(table.history.entries) if one.kind == "unused"]
    assert listed == [
        "session 1 had a line and was closed without a roll; the first of this kind",
        "session 2 had a line and was closed without a roll; 1 session with a line and without a roll stood before it",
    ]


def test_how_many_lines_of_players_such_a_session_had_is_said_because_each_gave_other_dice() -> None:
    table = ToyTable()
    for text in ("6 2 5", "3 3", "one more"):
        table.do("entropy", seat="mira", text=text)
    table.close()
    table.open()
    table.do("entropy", seat="mira", text="6 2 5")
    before = "1 session with 3 lines and without a roll stood before it"
    assert f"session 2: level 1, table: players mixed in 1 line before the first roll; {before}" in said(table)
    listed = [one.text for one in dice_list(table.history.entries) if one.kind == "unused"]
    assert listed == ["session 1 had 3 lines and was closed without a roll; the first of this kind"]


def test_of_a_session_of_level_zero_too_it_is_said_if_players_mixed_in_several_lines() -> None:
    table = ToyTable()
    for whose, text in (("mira", "6 2 5"), ("mira", "3 3"), ("Ana", "4346")):
        table.do("entropy", seat=whose, text=text)
    assert f"session 1: {LATE}; players mixed in 2 lines" in said(table)


CHOSEN = "1 roll was of a seat that could be chosen for its dice"


@pytest.mark.parametrize("is_before_the_line", [True, False])
@pytest.mark.parametrize("role", ["player", "gm"])
def test_rolls_of_a_seat_that_was_taken_since_the_opening_are_listed(role: str, *, is_before_the_line: bool) -> None:
    table = ToyTable()
    if is_before_the_line:
        seat(table, "Ben", role)
    table.do("entropy", seat="mira", text="6 2 5")
    if not is_before_the_line:
        seat(table, "Ben", role)
    table.do("roll", seat="Ben", expression="1d20")
    assert CHOSEN in said(table)
    [chosen] = [one.text for one in dice_list(table.history.entries) if one.kind == "chosen"]
    assert chosen.endswith("fell for Ben, who sat down since the session was opened")


def two_gms() -> ToyTable:
    """Ana and Ben are both GM when the second session is opened."""
    table = ToyTable()
    table.close()
    seat(table, "Ben", "gm")
    table.open()
    table.do("entropy", seat="mira", text="6 2 5")
    return table


@pytest.mark.parametrize("has_first_rolled", [True, False])
def test_rolls_of_a_second_gm_are_listed_because_gms_can_choose_who_rolls(*, has_first_rolled: bool) -> None:
    table = two_gms()
    if has_first_rolled:
        table.roll()
    table.do("roll", seat="Ben", expression="1d20")
    table.close()
    assert CHOSEN in audit_dice(table.history.entries).remarks


def test_rolls_of_the_first_gm_and_of_the_only_one_are_not_listed() -> None:
    assert CHOSEN not in said(two_gms())
    table = two_gms()
    table.close()
    table.take(ActionStep(verb="leave-seat", params={"seat": "Ana"}, seat="Ana"))
    table.open()
    table.do("entropy", seat="mira", text="4 4")
    table.do("roll", seat="Ben", expression="1d20")
    table.close()
    assert CHOSEN not in audit_dice(table.history.entries).remarks


def test_after_a_players_line_the_gms_is_refused_and_another_players_is_not(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("entropy", text="the GM's, before the players'")
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    with pytest.raises(Refused, match="after that only players do"):
        campaign.do("entropy", text="4346")
    campaign.do("entropy", {"text": "and one more"}, seat="mira")
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    assert "session 1: level 1, table: players mixed in 2 lines before the first roll" in campaign.audit()[1].remarks


def test_the_audit_repeats_the_code_that_the_table_saw(tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    session = campaign.state.session
    assert session is not None
    assert len(session.mix_code) == 30
    campaign.do("roll", {"expression": "1d20"})
    campaign.do("close-session")
    assert f"session 1 is mixed to {session.mix_code}" in campaign.audit()[1].remarks
