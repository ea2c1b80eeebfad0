"""One way in: actions as values, by name or as a line; corrections that are previews first, and whole ones undone by one call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.book import Book
from adapters.campaign import Campaign
from adapters.cli import say as lines
from adapters.corrections import Asked, Preview
from adapters.verb_line import LineError
from domain.corrections import Amend, Change, CorrectionOptions, Effect, Orphans, Undo
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
    version = campaign.log.version
    monkeypatch.setattr(campaign.log, "version", lambda: calls.append("head") or version())
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
    assert comparable(campaign.state) == comparable(campaign.log.scan().state)
    campaign.load_history()
    campaign.play(SpendToken(who="robin"))
    assert comparable(campaign.state) == comparable(campaign.log.scan().state)
    assert campaign.head == campaign.log.scan()


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


# Corrections, second thoughts and redactions with a command id.


def test_a_correction_that_is_previewed_and_applied_again_happens_once(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained, spent = orphaned(campaign)
    made = campaign.corrections.undo(gained, reason="no")
    entries = made.apply(command="form-1")
    assert [entry.action for entry in entries] == [gained, spent]
    assert {(entry.command, entry.command_digest) for entry in entries} == {("form-1", entries[0].command_digest)}
    assert made.apply(command="form-1") == entries
    campaign.do("note", text="Meanwhile")
    before = campaign.head
    other = file_book(tmp_path).campaign(campaign.id)
    options = CorrectionOptions(command="form-1")
    again = other.corrections.undo(gained, reason="no", options=options)
    assert (again.entries, again.changes) == ((), ())
    assert again.apply() == again.apply(command="form-1") == entries
    assert other.refresh() == before
    with pytest.raises(Refused, match="already undone"):
        other.corrections.undo(gained, reason="no", options=CorrectionOptions(command="form-2"))


def test_the_same_correction_from_two_programs_at_once_is_made_once(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained = campaign.play(GainToken(who="robin")).action
    other = file_book(tmp_path).campaign(campaign.id)
    here, there = (one.corrections.undo(gained, reason="no") for one in (campaign, other))
    entries = here.apply(command="form-1")
    assert there.apply(command="form-1") == entries
    assert other.refresh().entry == campaign.refresh().entry == entries[-1].number
    with pytest.raises(StaleHistory):
        there.apply(command="form-2")


def test_every_kind_of_correction_is_made_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    gained, _ = orphaned(campaign)
    shot = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3]).action
    fix = campaign.corrections
    steps: tuple[Callable[[CorrectionOptions], Preview], ...] = (
        lambda options: fix.undo(gained, options=options),
        lambda options: fix.redo_together(gained, options=options),
        lambda options: fix.undo_last(options=options),
        lambda options: fix.undo_last(options=options),
        lambda options: fix.redo(gained, revision=1, options=options),
        lambda options: fix.amend(shot, {"target": "marian"}, options=options),
        lambda options: fix.amend(shot, retype=[18, 2], options=options),
    )
    for number, step in enumerate(steps):
        options = CorrectionOptions(reason="so", command=f"form-{number}")
        entries = step(options).apply()
        assert entries
        before = campaign.head
        assert step(options).apply() == entries
        with pytest.raises(Refused, match=f"'form-{number}' was given to something else already"):
            step(CorrectionOptions(reason="another", command=f"form-{number}"))
        assert campaign.refresh() == before


def test_an_amendment_is_known_by_what_was_asked_and_not_by_what_it_was_made_on(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    shot = campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[19, 3])
    entries = campaign.corrections.amend(shot.action, retype=[18, 2], reason="typed wrong").apply(command="form-1")
    campaign.play(GainToken(who="robin"))
    before = campaign.head
    assert (
        campaign.corrections.amend(shot.action, retype=[18, 2], reason="typed wrong").apply(command="form-1") == entries
    )
    others = (
        campaign.corrections.amend(shot.action, retype=[18, 3], reason="typed wrong"),
        campaign.corrections.amend(shot.action, retype=[18, 2], reason="another"),
        campaign.corrections.amend(shot.action, {"target": "marian"}, reason="typed wrong"),
        campaign.corrections.undo(shot.action, reason="typed wrong"),
        campaign.corrections.amend(
            shot.action, retype=[18, 2], reason="typed wrong", options=CorrectionOptions(stand=True)
        ),
    )
    for other in others:
        with pytest.raises(Refused, match=f"'form-1' was given to something else already: action #{shot.action}"):
            other.apply(command="form-1")
    with pytest.raises(Refused, match="given to something else"):
        campaign.play(GainToken(who="robin"), command="form-1")
    assert campaign.refresh() == before


def test_a_second_thought_happens_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    campaign.do("attack", attacker="robin", target="guard", seat="mira", dice=[3])
    thought = SecondThought(kind="reroll", character="robin")
    entries = campaign.corrections.record_second_thought(thought, seat="mira", dice=[19, 4], command="form-1")
    campaign.do("note", text="Meanwhile")
    before = campaign.head
    again = file_book(tmp_path).campaign(campaign.id).corrections
    assert again.record_second_thought(thought, seat="mira", dice=[19, 4], command="form-1") == entries
    with pytest.raises(Refused, match="given to something else"):
        again.record_second_thought(thought, seat="mira", dice=[19, 5], command="form-1")
    with pytest.raises(Refused, match="given to something else"):
        again.record_second_thought(SecondThought(kind="reroll"), seat="mira", dice=[19, 4], command="form-1")
    assert campaign.refresh() == before


def test_a_redaction_happens_once_under_its_id(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    note, other = (campaign.do("note", text=text).action for text in ("zyxel", "plugh"))
    entry = campaign.redact(note, why="private", command="form-1")
    before = campaign.head
    assert file_book(tmp_path).campaign(campaign.id).redact(note, why="private", command="form-1") == entry
    for action, why in ((note, "another"), (other, "private")):
        with pytest.raises(Refused, match="given to something else"):
            campaign.redact(action, why=why, command="form-1")
    assert campaign.refresh() == before


def test_the_words_of_a_note_cannot_be_told_from_a_correction_once_they_are_removed(tmp_path: Path) -> None:
    campaign = begin_campaign(file_book(tmp_path))
    note = campaign.do("note", text="plugh").action
    gained, _ = orphaned(campaign)
    changes: dict[int, Change] = {note: Amend({"text": "zyxel"}), gained: Undo()}
    entries = campaign.corrections.preview(changes, reason="so").apply(command="form-1")
    assert len(entries) == 3
    twin = campaign.do("note", text="plugh").action
    again = campaign.corrections.preview({twin: Amend({"text": "zyxel"})}, reason="so").apply(command="form-2")
    assert len({entry.command_digest for entry in (*entries, *again)}) == 2
    guess = Asked({"changes": changes}, CorrectionOptions(reason="so")).command(campaign, "form-1")
    assert guess is not None
    assert guess.digest(event for entry in entries for event in entry.events) == entries[0].command_digest
    campaign.redact(note, why="private")
    left = [entry for entry in campaign.load_history().entries if entry.command == "form-1"]
    for remains in (*([entry] for entry in left), left):
        assert guess.digest(event for entry in remains for event in entry.events) != entries[0].command_digest
    kept = campaign.corrections.preview(changes, reason="so", options=CorrectionOptions(command="form-1")).apply()
    assert [entry.number for entry in kept] == [entry.number for entry in entries]


@pytest.mark.parametrize("faulty", ["x" * 81, "a\nb", "a\tb", "\x00", "\u2028", "\ud800"])
def test_an_id_that_cannot_be_one_is_refused(campaign: Campaign, faulty: str) -> None:
    gained = campaign.play(GainToken(who="robin"), command="y" * 80)
    note = campaign.do("note", text="zyxel").action
    before = campaign.head
    tries: tuple[Callable[[], object], ...] = (
        lambda: campaign.play(GainToken(who="robin"), command=faulty),
        lambda: campaign.say("gain-token robin", command=faulty),
        lambda: campaign.say("undo --why so", command=faulty),
        lambda: campaign.corrections.undo(gained.action, reason="no").apply(command=faulty),
        lambda: campaign.corrections.undo(gained.action, options=CorrectionOptions(command=faulty)),
        lambda: campaign.corrections.record_second_thought(SecondThought(kind="reroll"), command=faulty),
        lambda: campaign.redact(note, why="private", command=faulty),
    )
    for attempt in tries:
        with pytest.raises(
            Refused, match="A command id has 1 to 80 characters, and no line break or control character"
        ):
            attempt()
    assert campaign.refresh() == before


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
    assert [entry.kind for entry in entries] == [EntryKind.UNDONE]


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
