"""A preview names what was changed in the action itself; what changes nothing is refused; a typed die never goes silently."""

from __future__ import annotations

import pytest


@pytest.fixture
def third(table):
    """The small campaign, with somebody else to shoot at."""
    table("undo 8 7 --why 'Brand was there' --yes")
    table("do join Brand --kind npc --hp 18 --ac 12")
    table("do give robin longbow --use weapon:medium-ranged")
    assert table("do attack robin guard longbow --distance 40 --seat Mira ! 14 4").code == 0
    return table


def amended(table, words: str) -> dict[str, object]:
    return table(f"amend {words} --preview --json").data["consequences"][0]


def test_the_new_target_is_named(third) -> None:
    answer = third("amend 12 target=brand --preview")
    assert "target: guard → brand" in answer.out
    assert amended(third, "12 target=brand")["differences"] == [{"name": "target", "before": "guard", "after": "brand"}]


def test_the_new_number_is_named(table) -> None:
    assert "distance: 40 → 30" in table("amend 8 distance=30 --preview").out
    assert amended(table, "8 distance=30")["differences"] == [{"name": "distance", "before": 40, "after": 30}]


def test_what_was_not_given_before_is_named_too(table) -> None:
    table("do scene 'the mill'")
    assert "title: the mill → the ford" in table("amend 10 'title=the ford' --preview").out
    assert "text: The guard shouts. → He waves." in table("amend 9 'text=He waves.' --preview").out


def test_a_face_that_was_typed_again_is_named(table) -> None:
    answer = table("amend 8 --retype 14,2 --preview")
    assert "d6: 4 → 2" in answer.out or "d8: 4 → 2" in answer.out
    (die,) = amended(table, "8 --retype 14,2")["differences"]
    assert (die["before"], die["after"]) == (4, 2)


def test_a_face_that_was_overridden_is_named(table) -> None:
    fell = table("do attack guard robin unarmed --json")
    assert fell.code == 0, fell.err
    shown = table("override 10 --dice 19 --draw --preview --json")
    face = 19 if shown.code == 0 else 18  # it was a 19 already
    shown = table(f"override 10 --dice {face} --draw --preview --json")
    (die,) = shown.data["consequences"][0]["differences"]
    assert die["after"] == face
    assert f"d20: {die['before']} → {face}" in table(f"override 10 --dice {face} --draw --preview").out


def test_an_adjustment_is_named_when_it_comes_and_when_it_goes(table) -> None:
    assert "guard hp +3" in table("amend 8 --adjust 'guard hp=+3' --why x --yes").out
    gone = table("amend 8 --no-adjust --preview")
    assert "guard hp +3 taken out" in gone.out
    assert amended(table, "8 --no-adjust")["unadjusted"] == [{"who": "guard", "what": "hp", "by": 3, "why": "x"}]


def test_the_undoing_of_an_amendment_names_what_it_was_and_is_again(third) -> None:
    third("amend 12 target=brand --why 'it was Brand' --yes")
    assert "target: brand → guard" in third("undo --correction --preview").out


@pytest.mark.parametrize("words", ["distance=40", "target=guard distance=40", "--retype 14,4", "--no-adjust"])
def test_amending_nothing_is_refused(table, stored, words: str) -> None:
    before = stored()
    for how in ("--yes", "--preview"):
        answer = table(f"amend 8 {words} --why x {how}")
        assert (answer.code, answer.err) == (4, "#8 would stay just what it is, so there is nothing to amend.\n")
    assert stored() == before


def test_an_adjustment_by_nothing_is_refused(table) -> None:
    answer = table("amend 8 --adjust 'guard hp=0' --why x --yes")
    assert (answer.code, "'guard hp=0' changes nothing" in answer.err) == (2, True)


def test_a_typed_die_that_is_not_used_any_more_is_said(table) -> None:
    answer = table("amend 6 ac=19 --preview")
    assert "the 4 that you typed is not used: nothing asks for it now" in answer.out
    effects = {one["action"]: one for one in table("amend 6 ac=19 --preview --json").data["consequences"]}
    assert (effects[6]["unused_faces"], effects[8]["unused_faces"]) == ([], [4])


def test_a_die_that_is_still_used_is_not_said_to_be_dropped(third) -> None:
    assert "not used" not in third("amend 12 target=brand --preview").out


def test_of_what_reads_the_same_afterwards_the_difference_is_named(third) -> None:
    """A check within a fight uses an action of the turn; without the fight it has the same result and uses none."""
    third("do begin-encounter robin,guard ! 15 4")
    assert third("do check robin dex ! 12").code == 0
    answer = third("undo 13 --preview")
    (line,) = [line for line in answer.out.splitlines() if "#14" in line and "check" in line]
    assert line.count("success") + line.count("failure") == 1, answer.out
    assert "as before, but for turn spent (robin): what action → none" in line
