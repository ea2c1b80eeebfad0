"""One way in: actions as values, by name or as a line; corrections that are previews first, and whole ones undone by one call."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.cli import say as lines
from adapters.verb_line import LineError
from domain.corrections import CorrectionOptions, Effect, Orphans
from domain.entries import EntryKind, SecondThought
from domain.errors import NotFound, Refused, StaleHistory
from domain.events import DiceRolled
from ruleset_plugins.storytoken.fight.attack import Attack as AnotherAttack
from tests.support.campaigns import begin_campaign, file_book, memory_book
from tests.support.comparison import comparable
from tests.support.toy import Attack, GainToken, SpendToken


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return memory_book(tmp_path)


@pytest.fixture
def campaign(book: Book) -> Campaign:
    return begin_campaign(book)


def tokens(campaign: Campaign, who: str = "robin") -> int:
    return campaign.state.characters[who].pools.get("tokens", 0)


# Playing.


def test_the_same_action_as_a_value_by_name_and_as_a_line(campaign: Campaign) -> None:
    value = campaign.play(Attack(attacker="robin", target="guard"), seat="mira", dice=[19, 3], reason="now")
    named = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3], reason="now")
    said = campaign.say("attack robin guard --why now ! 19,3", seat="mira").entry
    assert said is not None
    assert value.intent == named.intent == said.intent
    for entry in (value, named, said):
        assert (entry.seat, entry.reason, entry.kind) == ("mira", "now", EntryKind.TAKEN)
        assert [die.face for event in entry.events if isinstance(event, DiceRolled) for die in event.dice] == [19, 3]
    assert [value.action + 1, named.action + 1] == [named.action, said.action]


def test_a_value_is_checked_like_any_other_action(campaign: Campaign) -> None:
    before = campaign.head
    with pytest.raises(Refused, match="attacker is a word, not 5"):
        campaign.play(Attack(attacker=5, target="guard"))  # type: ignore[arg-type]
    with pytest.raises(Refused, match="is not the verb 'attack' of this campaign, which is"):
        campaign.play(AnotherAttack(attacker="robin", target="guard", weapon="longbow"))
    assert campaign.refresh() == before


def test_an_option_is_always_the_option_and_the_mapping_has_every_parameter(campaign: Campaign) -> None:
    entry = campaign.do("adjust", {"who": "robin", "what": "hp", "by": -1, "reason": "fell"}, reason="forgotten")
    assert (entry.reason, entry.intent.params["reason"]) == ("forgotten", "fell")
    with pytest.raises(Refused, match="adjust also needs: reason"):
        campaign.do("adjust", who="robin", what="hp", by=-1, reason="fell")
    with pytest.raises(Refused, match="who is given twice"):
        campaign.do("gain-token", {"who": "robin"}, who="marian")


def test_a_command_reads_the_head_once_and_builds_and_folds_once(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    version = campaign.journal.version
    monkeypatch.setattr(campaign.journal, "version", lambda: calls.append("head") or version())
    monkeypatch.setattr("adapters.head.fold", lambda *_: calls.append("fold"))
    made = Attack.__init__
    monkeypatch.setattr(Attack, "__init__", lambda self, **given: calls.append("build") or made(self, **given))
    campaign.do("attack", attacker="robin", target="guard", dice=[19, 3])
    assert calls == ["head", "build"]
    _ = campaign.state, campaign.head, campaign.damage
    assert calls == ["head", "build"], "properties read nothing"


def test_the_state_after_a_command_is_that_of_the_whole_history(campaign: Campaign) -> None:
    campaign.play(GainToken(who="robin"))
    campaign.do("attack", attacker="robin", target="guard", dice=[19, 3])
    assert comparable(campaign.state) == comparable(campaign.journal.scan().state)
    campaign.load_history()
    campaign.play(SpendToken(who="robin"))
    assert comparable(campaign.state) == comparable(campaign.journal.scan().state)
    assert campaign.head == campaign.journal.scan()


def test_what_others_record_is_there_after_the_next_command_or_refresh(tmp_path: Path) -> None:
    with file_book(tmp_path) as one, file_book(tmp_path) as two:
        mine, theirs = begin_campaign(one), two.campaign("sherwood")
        mine.play(GainToken(who="robin"))
        assert tokens(theirs) == tokens(mine) - 1
        theirs.refresh()
        assert tokens(theirs) == tokens(mine)
        mine.play(GainToken(who="robin"))
        assert two.campaign("sherwood") is theirs
        assert tokens(theirs) == tokens(mine), "opening it again reads it again"


# Lines.


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
    assert seen.preview.of(Effect.VOIDED)
    done = campaign.say(f"undo {gained.action} --why 'not now'")
    assert done.entry is not None
    assert (done.entry.kind, done.entry.reason) == (EntryKind.VOIDED, "not now")
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


def test_a_line_can_have_a_command_id_if_it_is_a_verb(campaign: Campaign) -> None:
    first = campaign.say("gain-token robin", seat="mira", command="bot-1")
    assert campaign.say("gain-token robin", seat="mira", command="bot-1").entry == first.entry
    with pytest.raises(Refused, match="given to something else"):
        campaign.say("gain-token marian", seat="mira", command="bot-1")
    with pytest.raises(LineError, match="Only a verb"):
        campaign.say("undo --why so", command="bot-2")


def test_what_a_line_says_is_not_printed(campaign: Campaign, capsys: pytest.CaptureFixture[str]) -> None:
    for line in ("gain-token robin", "log", "log --json", "undo --why so", "audit", "receipt"):
        assert campaign.say(line).text
    assert capsys.readouterr() == ("", "")
    assert lines.SayContext(campaign).is_interactive is False


# Corrections.


def orphaned(campaign: Campaign) -> tuple[int, int]:
    """A token that is gained, and spent: without the first the second is impossible."""
    state = campaign.state.characters["robin"].pools["tokens"]
    for _ in range(state):
        campaign.play(SpendToken(who="robin"))
    return campaign.play(GainToken(who="robin")).action, campaign.play(SpendToken(who="robin")).action


def test_a_preview_stores_nothing_until_it_is_applied_and_nothing_if_it_is_stale(campaign: Campaign) -> None:
    gained = campaign.play(GainToken(who="robin"))
    before = campaign.head
    made = campaign.corrections.undo(gained.action, reason="no")
    assert campaign.refresh() == before
    campaign.play(GainToken(who="marian"))
    with pytest.raises(StaleHistory):
        made.apply()
    fresh = campaign.corrections.undo(gained.action, reason="no")
    entries = fresh.apply()
    assert [entry.kind for entry in entries] == [EntryKind.VOIDED]


def test_the_last_correction_is_undone_whole_with_its_orphans_and_again(campaign: Campaign) -> None:
    gained, spent = orphaned(campaign)
    before = comparable(campaign.state)
    undone = campaign.corrections.undo(gained, reason="no").apply()
    assert {entry.action for entry in undone} == {gained, spent}
    without = comparable(campaign.state)
    assert without != before
    redone = campaign.corrections.undo_last(reason="yes").apply()
    assert comparable(campaign.state) == before
    assert {entry.action for entry in redone} == {gained, spent}
    assert len({entry.correction for entry in redone}) == 1
    campaign.corrections.undo_last(reason="no after all").apply()
    assert comparable(campaign.state) == without


def test_an_amendment_is_undone_as_the_last_correction(campaign: Campaign) -> None:
    scene = campaign.do("scene", title="the mill").action
    campaign.corrections.amend(scene, {"title": "the bridge"}, reason="it was").apply()
    campaign.corrections.amend(scene, {"title": "the ford"}, reason="it was").apply()
    campaign.corrections.undo_last(reason="it was not").apply()
    assert campaign.state.scene == "the bridge"
    with pytest.raises(NotFound, match="no correction 'nothing'"):
        campaign.corrections.undo_correction("nothing")


def test_an_action_is_redone_with_all_that_was_undone_together_with_it(campaign: Campaign) -> None:
    gained, spent = orphaned(campaign)
    before = comparable(campaign.state)
    campaign.corrections.undo(gained, reason="no").apply()
    campaign.do("scene", title="later")
    campaign.corrections.redo(gained, reason="yes").apply()
    assert tokens(campaign) == 1, "the orphan stays undone"
    campaign.corrections.undo_last(reason="together").apply()
    campaign.corrections.redo_together(spent, reason="both").apply()
    campaign.do("scene", title="")
    history = campaign.load_history()
    assert None not in (history.effective(gained), history.effective(spent))
    assert dict(before)["characters"] == dict(comparable(campaign.state))["characters"]
    with pytest.raises(Refused, match="not undone"):
        campaign.corrections.redo_together(spent)


def test_kept_orphans_are_as_they_were_before_when_the_correction_is_undone(campaign: Campaign) -> None:
    gained, spent = orphaned(campaign)
    before = comparable(campaign.state)
    kept = CorrectionOptions(orphans=Orphans.KEEP)
    campaign.corrections.undo(gained, reason="no", options=kept).apply()
    assert campaign.load_history().latest_outcome(spent).provenance == "ruling"
    campaign.corrections.undo_last(reason="yes").apply()
    assert campaign.load_history().latest_outcome(spent).provenance == "played"
    assert comparable(campaign.state) == before


def test_nothing_is_there_to_undo_before_the_first_correction(campaign: Campaign) -> None:
    with pytest.raises(NotFound, match="Nothing has been corrected yet"):
        campaign.corrections.undo_last()


def test_a_second_thought_says_that_it_is_recorded(campaign: Campaign) -> None:
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    before = campaign.head.entry
    entries = campaign.corrections.record_second_thought(SecondThought(kind="reroll"), seat="mira", dice=[19, 4])
    assert campaign.head.entry == before + len(entries)
