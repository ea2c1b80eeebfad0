"""Hit points of mind and soul: a number and Wisdom, lost and given back beside those of the body."""

from __future__ import annotations

from rollbook.plugin import events
from rollbook.rulesets.russell.fight.hit_points import Harm, Heal
from rollbook.testing.scenarios import like, rule
from tests.support.russell import joined_with_stats, party

SANE = joined_with_stats("odo", wis=16, mental_hp=6)


@rule("R3.7")
def test_mental_hit_points_are_a_number_and_wisdom() -> None:
    sheet = party().given(SANE).sheet("odo")
    assert str(sheet.value("mental_hp")) == "8 of 8"
    assert [term.amount for term in sheet.value("mental_hp").terms] == [6, 2]
    assert "spiritual_hp" not in {value.key for value in sheet.values}


@rule("R3.7")
def test_horror_takes_them_and_leaves_the_body_alone() -> None:
    shaken = party().given(SANE).when(Harm(who="odo", amount="5", of="mental"))
    shaken.then(events.PoolGained(holder="odo", pool="lost:mental", amount=5, reason="harm")).never(events.DamageTaken)
    assert str(shaken.sheet("odo").value("mental_hp")) == "3 of 8"
    gone = shaken.go_on().when(Harm(who="odo", amount="9", of="mental"))
    gone.then(like(events.PoolGained, amount=3), like(events.NoteWritten))
    back = gone.go_on().when(Heal(who="odo", amount="20", of="mental"))
    assert str(back.sheet("odo").value("mental_hp")) == "8 of 8"
    back.go_on().when(Heal(who="odo", amount="1", of="mental")).refused("has lost no mental hit points")


@rule("R3.7")
def test_nobody_has_such_hit_points_before_the_gm_gives_some() -> None:
    party().when(Harm(who="ida", amount="5", of="spiritual")).refused("no spiritual hit points", "adjust ida")
