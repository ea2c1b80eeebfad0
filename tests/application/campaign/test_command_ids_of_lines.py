"""A line with a command id is carried out once, whatever it asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import LineError
from rollbook.domain.base.errors import Refused
from tests.support.campaigns import begin_campaign, file_book
from tests.support.toy_verbs import GainToken


def test_a_line_that_is_a_verb_can_have_a_command_id(campaign: Campaign) -> None:
    first = campaign.say("gain-token robin", seat="mira", command="bot-1")
    assert campaign.say("gain-token robin", seat="mira", command="bot-1").entry == first.entry
    with pytest.raises(Refused, match="given to something else"):
        campaign.say("gain-token marian", seat="mira", command="bot-1")
    for line in ("sheet robin", "log", "fork", "x-card --resume"):
        with pytest.raises(LineError, match="Only what is recorded in one go can have a command id"):
            campaign.say(line, command="bot-2")


@pytest.mark.parametrize(
    "line",
    ["undo --why so", "amend {shot} --adjust 'robin hp=-1' --why so", "reroll ! 19,4", "redact {note} -y --why so"],
)
def test_any_line_that_records_something_can_have_a_command_id(tmp_path: Path, line: str) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    note = campaign.do("note", text="zyxel").action
    shot = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3]).action
    line = line.format(note=note, shot=shot)
    first = campaign.say(line, command="bot-3")
    assert first.entries
    campaign.do("note", text="Meanwhile")
    before = campaign.head
    again = file_book(tmp_path).campaign(campaign.id).say(line, command="bot-3")
    assert (again.entries, again.entry, again.preview) == (first.entries, first.entry, None)
    assert f"#{first.entries[0].action}" in again.text
    assert campaign.say(f" {line}  ", command="bot-3").entries == first.entries
    for other in (f"{line} --why other", f"{line} --seat Ana"):
        with pytest.raises(Refused, match="'bot-3' was given to something else already"):
            campaign.say(other, command="bot-3")
    with pytest.raises(Refused, match="given to something else"):
        campaign.say("gain-token robin", command="bot-3")
    assert campaign.refresh() == before


def test_a_line_with_a_command_id_is_of_the_seat_that_it_names(campaign: Campaign) -> None:
    campaign.play(GainToken(who="robin"), seat="mira")
    first = campaign.say("undo --seat=mira --why so", command="bot-4")
    assert first.entry is not None
    assert (first.entry.seat, first.entry.command) == ("mira", "bot-4")
    assert campaign.say("undo --seat=mira --why so", seat="Ana", command="bot-4").entries == first.entries
    assert campaign.say("undo --why so", command="bot-4").entries != first.entries, "the GM's own id"


def test_a_line_that_was_refused_and_one_that_only_looks_leave_the_id_free(campaign: Campaign) -> None:
    gained = campaign.play(GainToken(who="robin"))
    with pytest.raises(LineError, match="needs its reason"):
        campaign.say("undo", command="bot-5")
    assert campaign.say("undo --preview", command="bot-5").entries == ()
    assert campaign.say("undo --why so", command="bot-5").entries[0].action == gained.action
