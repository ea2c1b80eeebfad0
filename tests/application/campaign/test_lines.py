"""A line as it is typed at the prompt does what it says, and raises what the engine raises."""

from __future__ import annotations

import pytest

from rollbook.adapters.line_commands.plain_answer import PlainAnswer
from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import LineError
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.corrections.changes import Effect
from rollbook.domain.entries import EntryKind
from tests.support.campaigns import book_with
from tests.support.toy_verbs import GainToken


def test_a_question_is_answered_and_records_nothing(campaign: Campaign) -> None:
    before = campaign.head
    answer = campaign.say("sheet robin")
    assert "Robin" in answer.text
    assert (answer.entry, answer.entries, answer.preview) == (None, (), None)
    assert "Hit points  12" in campaign.say("why robin hp").text
    assert campaign.refresh() == before


def test_a_correction_is_applied_unless_it_is_only_to_be_seen(campaign: Campaign) -> None:
    gained = campaign.play(GainToken(who="robin"))
    seen = campaign.say(f"undo {gained.action} --preview")
    assert seen.entry is None
    assert seen.preview is not None
    assert seen.preview.of(Effect.UNDONE)
    done = campaign.say(f"undo {gained.action} --why 'not now'")
    assert done.entry is not None
    assert (done.entry.kind, done.entry.reason) == (EntryKind.UNDONE, "not now")
    assert done.preview is not None
    assert done.preview.entries[0].action == gained.action
    with pytest.raises(LineError, match=r"^A correction needs its reason: add --why TEXT\.$"):
        campaign.say("undo")


def test_a_second_thought_is_a_line_too(campaign: Campaign) -> None:
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    said = campaign.say("reroll ! 19,4", seat="mira")
    assert said.entry is not None
    assert said.entry.kind is EntryKind.REVISED
    assert said.entry.seat == "mira"


def test_a_line_raises_what_the_engine_raises(campaign: Campaign) -> None:
    with pytest.raises(NotFound) as missing:
        campaign.say("atack robin guard")
    assert missing.value.near[0] == "attack"
    with pytest.raises(Refused):
        campaign.say("spend-token guard")
    for line in ("attack robin", "", "# nothing", "undo --nonsense", "sheet --help", "log -c other", 'scene "open'):
        with pytest.raises(LineError):
            campaign.say(line)
    with pytest.raises(Refused, match="mira can correct what mira did"):
        campaign.say("undo 3 --why so", seat="mira")


def test_what_a_line_says_is_not_printed(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("gain-token robin", "log", "log --json", "undo --why so", "audit", "receipt"):
        assert campaign.say(line).text
    assert capsys.readouterr() == ("", "")
    assert PlainAnswer(book_with(campaign), campaign, None).is_interactive is False


def test_a_player_adopts_no_other_game_whatever_the_line_asks_to_see(campaign: Campaign) -> None:
    before = campaign.refresh()
    for line in ("adopt toy", "adopt toy --preview", "adopt toy --yes"):
        with pytest.raises(Refused, match="GM"):
            campaign.say(line, seat="mira")
    assert campaign.refresh() == before
