"""``rollbook adopt``: another game in mid-campaign, shown before it is done, and undone like any action."""

from __future__ import annotations

import sys

import pytest

from tests.support.terminal import Terminal


def test_it_is_only_looked_at_until_somebody_agrees(table, stored) -> None:
    before = stored()
    preview = table("adopt powers --preview")
    assert preview.code == 0
    assert "From storytoken to powers" in preview.out
    assert "Set aside for the way back: " in preview.out
    assert "Robin Hood sets aside: human, fighting" in table("adopt powers --preview --all").out
    assert preview.out.endswith("Nothing was recorded.\n")
    assert table("adopt powers").code == 2
    assert stored() == before


def test_the_report_says_what_changes_and_what_waits(table) -> None:
    data = table("adopt powers --preview --json").data
    assert (data["from"], data["to"], data["applied"]) == ("storytoken", "powers", False)
    robin = data["characters"]["robin"]
    assert {"human", "fighting", "noble", "science"} <= set(robin["set_aside"])
    by_label = {change["label"]: (change["before"], change["after"]) for change in robin["changes"]}
    assert by_label["Dexterity"] == ("18 (+3)", "+3")
    assert "DEX" not in by_label


def test_going_over_and_coming_back_gives_the_same_sheets(table) -> None:
    before = [table(f"sheet {who} --json").data for who in ("robin", "guard")]
    answer = table("adopt powers --why 'a change of scene' --yes")
    assert "The campaign plays by powers from here on. The way back: rollbook adopt storytoken" in answer.out
    assert "Set aside for storytoken: human, fighting" in table("sheet robin").out
    assert table("do attack robin guard --dice 2").code == 0
    assert table("adopt storytoken --yes").code == 0
    assert [table(f"sheet {who} --json").data for who in ("robin", "guard")] == before
    line = next(line for line in table("log --json").lines if line["verb"] == "adopt")
    assert line["result"] == "by powers 2; 2 sheets converted"
    assert line["reason"] == "a change of scene"
    assert table("audit").out.count("VERIFIED") >= 2


def test_it_is_undone_like_any_action(table) -> None:
    before = table("sheet robin --json").data
    table("adopt powers --yes")
    table("do note 'in the new game'")
    answer = table("undo 10 --why 'we liked it better before' --yes")
    assert answer.code == 0
    assert table("sheet robin --json").data == before
    assert table("rulesets").code == 0
    assert next(line for line in table("campaigns --json").lines)["ruleset"] == "storytoken"


def test_an_amended_change_of_rules_has_the_house_rules_of_the_other_game(table) -> None:
    table("adopt powers --set crit_fail_margin=10 --yes")
    assert table("amend 10 ruleset=russell --why 'the other book' --yes").code == 0
    assert table("campaigns --json").lines[0]["ruleset"] == "russell"


def test_what_cannot_be_done_is_said_in_a_sentence(table) -> None:
    assert "already plays by storytoken" in table("adopt storytoken --yes").err
    unknown = table("adopt powrs --yes")
    assert unknown.code == 3
    assert "Did you mean powers?" in unknown.err
    assert table("adopt powers --set odd=1 --yes").code == 4
    table("do begin-encounter robin,guard --dice 9,5")
    assert "End it first: end-encounter" in table("adopt powers --yes").err
    table("do meanwhile 'The roof'")
    assert "End it first: end-encounter" in table("adopt powers --yes").err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_at_a_terminal_it_asks(table) -> None:
    terminal = Terminal.running("adopt", "powers")
    terminal.answer("Go over? [y/N]", "n")
    terminal.until("Nothing was recorded")
    assert terminal.ended() == 0
    terminal = Terminal.running("adopt", "powers")
    terminal.answer("Go over? [y/N]", "y")
    terminal.until("plays by powers from here on")
    assert terminal.ended() == 0
    assert table("campaigns --json").lines[0]["ruleset"] == "powers"
