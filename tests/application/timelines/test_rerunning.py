"""A campaign played again: by its own rules it comes out the same to the last event, by others as far as it has a meaning."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.timelines.comparing import canon_number, compare
from rollbook.application.timelines.rerun import CROSSED, NOT_PLAYED, PLAYED_WITHOUT, rerun
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import HistoryDamaged, NotFound, Refused
from rollbook.domain.corrections.timeline_choices import choices
from rollbook.domain.dice.ledger import DiceLedger, counts
from rollbook.domain.entries import Entry, EntryKind, Intent, RecordedEntry
from rollbook.domain.events import (
    CharacterJoined,
    DiceRolled,
    Event,
    HitPointsCorrected,
    RulingMade,
    Scalar,
    SessionClosed,
)
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.table import Table
from tests.support.campaigns import begin_campaign, file_book, memory_book, play_campaign_steps, stored_events
from tests.support.comparison import comparable
from tests.support.exports import full_export, verdicts
from tests.support.games import INSTALLED_RULESETS
from tests.support.golden_campaigns import BY_TODAYS_RULES, imported_book
from tests.support.random_steps import RandomSteps
from tests.support.toy import TOY

WORDS_OF_EVERY_GAME = ("split.1",)
"""Campaigns that every game plays whole: once their characters have come over, they need no word of a game's own."""
GOLDEN = pytest.mark.parametrize("golden", BY_TODAYS_RULES, ids=lambda path: path.stem)


def campaign_of(golden: Path, folder: Path) -> tuple[Book, Campaign]:
    book = imported_book(golden, folder)
    return book, book.campaign(book.campaigns()[0])


def fight_of_storytoken(folder: Path) -> tuple[Book, Campaign]:
    """A session with a fight in weapon words of its own game."""
    return campaign_of(next(path for path in BY_TODAYS_RULES if path.stem.startswith("sherwood")), folder)


# By its own rules.


@GOLDEN
def test_every_campaign_comes_out_the_same_by_its_own_rules(golden: Path, tmp_path: Path) -> None:
    book, canon = campaign_of(golden, tmp_path)
    before = stored_events(canon)
    again = rerun(book, canon, canon.state.ruleset)
    assert again.head.actions == again.head.entry == canon.head.actions
    for (action, there), (_, here) in zip(canon.history.outcomes(), again.history.outcomes(), strict=True):
        assert here is not None
        if there is None:
            assert [type(event) for event in here.events] == [RulingMade], action
        else:
            assert here.events == due_events(canon, there), action
    assert comparable(again.state) == comparable(canon.state)
    assert answers_of(again) == due_answers(again)
    assert again.audit()[1].verdict is Verdict.VERIFIED
    report = compare(book, again)
    assert report.same == sum(entry is not None for _, entry in canon.history.outcomes())
    found = (report.differences, report.only_canon, report.only_here, report.statuses, report.tallies, report.changes)
    assert found == ((),) * 6
    assert report.meaningless == ()
    assert stored_events(canon) == before


def due_events(canon: Campaign, entry: RecordedEntry) -> tuple[Event, ...]:
    """The events of an action of canon, but a session closes over the rolls that still count: no others fall in a rerun."""
    rolled = [event for _, each in canon.history.outcomes() if each is not None for event in each.events]

    def due(event: Event) -> Event:
        if not isinstance(event, SessionClosed):
            return event
        ledger = DiceLedger(event.session)
        ledger.rolled(rolled)
        return attrs.evolve(event, counts=counts(ledger))

    return tuple(map(due, entry.events))


@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_played_comes_out_the_same(seed: int, tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    play_campaign_steps(canon, RandomSteps(seed), 60, corrections=0)
    again = rerun(book, canon, "toy")
    there, here = (list(each.history.outcomes()) for each in (canon, again))
    assert [entry.events for _, entry in here if entry] == [entry.events for _, entry in there if entry]
    assert [answer.verdict for answer in again.audit()][::2] == [Verdict.VERIFIED] * 2
    assert comparable(again.state) == comparable(canon.state)


def answers_of(again: Campaign) -> tuple[Verdict, Verdict]:
    """The chain and the rules of a rerun."""
    chain, _, rules = again.audit()
    return chain.verdict, rules.verdict


def due_answers(again: Campaign) -> tuple[Verdict, Verdict]:
    """Both are proven where every action was played here; what was not played changes something, or only says why."""
    ruled = [entry for entry in again.history.entries if entry.provenance == "ruling"]
    changing = [entry for entry in ruled if not all(isinstance(event, RulingMade) for event in entry.events)]
    return (Verdict.UNPROVEN if ruled else Verdict.VERIFIED, Verdict.UNPROVEN if changing else Verdict.VERIFIED)


@pytest.mark.parametrize("seed", range(6))
def test_what_was_corrected_is_played_as_it_was_meant_in_the_end(seed: int, tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    play_campaign_steps(canon, RandomSteps(seed), 50, corrections=0.3)
    again = rerun(book, canon, "toy")
    assert answers_of(again) == due_answers(again)
    for action, entry in again.history.outcomes():
        assert entry is not None
        if entry.provenance == "played":
            assert entry.intent.verb == canon.history.intent_of(action).verb
        else:
            assert canon.history.effective(action) is None or entry.reason
    assert compare(book, again).timeline == again.id


# By another version, or with other house rules.


def toy_with(change: type[Action], version: str = "2") -> Rulebook:
    actions = tuple(change if action.verb == change.verb else action for action in TOY.actions)
    return Rulebook({"toy": attrs.evolve(TOY, version=version, actions=actions)})


def test_a_newer_version_shows_what_it_would_change(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    shot = canon.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira", dice=(19, 3))
    canon.do("note", {"text": "a hit"})
    old = TOY.verb("attack")
    assert old is not None

    class Harder(old):  # type: ignore[misc, valid-type]
        def resolve(self, table: Table) -> None:
            table.refuse("nobody strikes anybody any more")

    newer = toy_with(Harder)
    book.registry.rulesets.update(newer.rulesets)
    again = rerun(book, canon, "toy@2", why="the new edition")
    assert again.state.version == "2"
    left = again.history.entries[shot.action - 1]
    assert left.provenance == "ruling"
    assert left.reason == f"{NOT_PLAYED}nobody strikes anybody any more"
    report = compare(book, again)
    assert [(one.choice.action, one.why) for one in report.meaningless] == [
        (shot.action, f"{NOT_PLAYED}nobody strikes anybody any more")
    ]
    assert report.marker.ruleset_version == "2"
    assert report.undecided == ("Guard",)
    assert (report.asked, report.played) == (canon.head.actions, canon.head.actions - 1)
    assert not any(one.what == "hit points lost" for one in report.tallies)
    with pytest.raises(NotFound, match="Version 1 of toy is not installed; version 2 is"):
        rerun(book, canon, "toy@1")


def test_other_house_rules_are_tried_and_the_rest_stay(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    again = rerun(book, canon, "toy", {"start": "5"})
    assert again.state.settings == {"crits": True, "start": 5}
    assert again.state.characters["robin"].pools["tokens"] == 5
    assert canon.state.characters["robin"].pools["tokens"] == 2
    with pytest.raises(Refused, match="no setting of toy called 'begin'"):
        rerun(book, canon, "toy", {"begin": "5"})
    assert book.timelines("sherwood") == ("sherwood~1",)


# By other rules.


@GOLDEN
@pytest.mark.parametrize("game", INSTALLED_RULESETS)
def test_every_campaign_can_be_played_again_by_every_game(golden: Path, game: str, tmp_path: Path) -> None:
    book, canon = campaign_of(golden, tmp_path)
    again = rerun(book, canon, game)
    assert again.head.actions == canon.head.actions
    assert again.state.ruleset == game
    assert again.state.characters.keys() >= {
        event.character
        for _, entry in canon.history.outcomes()
        if entry is not None and entry.intent.verb in ("join", "bring-in")
        for event in entry.events
        if isinstance(event, CharacterJoined)
    }
    verdicts = [answer.verdict for answer in again.audit()]
    assert Verdict.FAILED not in verdicts, [answer.findings[:3] for answer in again.audit()]
    assert answers_of(again) == due_answers(again)
    report = compare(book, again)
    assert all(one.why.startswith(NOT_PLAYED) for one in report.meaningless)
    assert all(one.why.startswith((CROSSED, PLAYED_WITHOUT)) for one in report.remarks)
    left = {canon_number(one.choice) for one in report.meaningless}
    assert len(left) == len(report.meaningless) == report.asked - report.played
    if game != canon.state.ruleset:
        crossed = {canon_number(one.choice) for one in report.remarks if one.why.startswith(CROSSED)}
        assert crossed and unknown_here(canon, again) <= left | crossed
        assert bool(left) == (golden.stem not in WORDS_OF_EVERY_GAME)
    for who in again.state.characters:
        assert again.sheet(who).character == who


def unknown_here(canon: Campaign, again: Campaign) -> set[int]:
    """The actions of canon whose verbs the rules of a rerun do not have."""
    verbs = again.session.rulebook.verbs(again.state)
    return {
        action for action, entry in canon.history.outcomes() if entry is not None and entry.intent.verb not in verbs
    }


@pytest.mark.parametrize(
    ("game", "weapon"),
    [("luckpoint", "longbow"), ("russell", "longbow"), ("grid", "longbow"), ("powers", ""), ("srd5", "longbow")],
)
def test_a_weapon_goes_over_by_what_it_means(game: str, weapon: str, tmp_path: Path) -> None:
    rulesets = discover().rulesets
    book, canon = fight_of_storytoken(tmp_path)
    again = rerun(book, canon, game)
    named = {
        entry.intent.params.get("weapon", "")
        for entry in again.history.entries
        if entry.intent.verb == "attack" and entry.provenance == "played"
    }
    door = rulesets[game].crossing
    assert door is not None
    assert "medium-ranged" not in named or "medium-ranged" in door.weapon_words
    if game != "powers":
        assert all(not word or word in (weapon, *door.weapon_words) for word in named)
    else:
        assert named == {""}


@pytest.mark.parametrize("game", [game for game in INSTALLED_RULESETS if game != "storytoken"])
def test_in_a_fight_by_another_game_everybody_acts_when_that_game_says_so(game: str, tmp_path: Path) -> None:
    book, canon = fight_of_storytoken(tmp_path)
    again = rerun(book, canon, game)
    reasons = [entry.reason for entry in again.history.entries]
    assert not any("turn, so" in reason or "turn, and" in reason or "No encounter" in reason for reason in reasons)
    assert again.state.encounter is None
    report = compare(book, again)
    moved = [choice for choice in choices(again.history, book.rulebook) if canon_number(choice) != choice.action]
    assert len({canon_number(choice) for choice in choices(again.history, book.rulebook)}) == canon.head.actions
    assert moved or game in ("powers", "grid")
    assert report.played >= 0.75 * report.asked


def test_people_without_a_square_are_placed_face_to_face(tmp_path: Path) -> None:
    book, canon = fight_of_storytoken(tmp_path)
    again = rerun(book, canon, "grid")
    fighters = [again.state.characters[name] for name in ("robin-hood", "sherlock-holmes", "sheriff", "guard")]
    assert len({who.position for who in fighters}) == len(fighters)
    assert {who.position[1] for who in fighters} == {0, 1}


def test_what_could_not_be_played_is_no_difference_in_fate(tmp_path: Path) -> None:
    book, canon = fight_of_storytoken(tmp_path)
    canon.do("harm", {"who": "guard", "amount": "40"})
    again = rerun(book, canon, "grid")
    report = compare(book, again)
    hurt = {one.choice.intent.params.get("target") for one in report.meaningless}
    assert "guard" in hurt
    assert "Guard" in report.undecided
    assert "guard" not in {one.character for one in report.statuses}


def test_anyone_who_crosses_is_who_they_would_be_by_adopt(tmp_path: Path) -> None:
    golden = next(path for path in BY_TODAYS_RULES if path.stem.startswith("sherwood"))
    book, canon = campaign_of(golden, tmp_path)
    again = rerun(book, canon, "powers")
    robin = again.sheet("robin-hood")
    assert (robin.amount("defense"), str(robin.value("hp"))) == (15, "36 of 36")
    fought = [e for e in again.history.entries if e.intent.verb == "attack" and e.provenance == "played"]
    assert len(fought) == 5
    places = {
        source.place for e in fought for event in e.events if isinstance(event, DiceRolled) for source in event.sources
    }
    assert 1 in {place.fork for place in places if place is not None}


def test_changes_of_rules_on_the_way_happen_again_only_if_the_campaign_began_by_these_rules(tmp_path: Path) -> None:
    golden = next(path for path in BY_TODAYS_RULES if path.stem.startswith("sherwood"))
    book, canon = campaign_of(golden, tmp_path)
    canon.do("adopt", {"ruleset": "powers"})
    canon.do("house-rules", {"settings": {"crit_fail_margin": "10"}})
    same = rerun(book, canon, "storytoken")
    assert (same.state.ruleset, same.state.settings) == ("powers", canon.state.settings)
    assert [entry.provenance for entry in same.history.entries[-2:]] == ["played", "played"]
    other = rerun(book, canon, "grid")
    assert other.state.ruleset == "grid"
    adopt, house = other.history.entries[-2:]
    assert adopt.reason == f"{NOT_PLAYED}this timeline plays by grid from beginning to end"
    assert house.reason.startswith(NOT_PLAYED)


def test_what_stands_without_rules_stands_only_by_the_same_game(tmp_path: Path) -> None:
    golden = next(path for path in BY_TODAYS_RULES if path.stem.startswith("sherwood"))
    book, canon = campaign_of(golden, tmp_path)
    head = canon.head
    event = HitPointsCorrected(character="guard", amount=-1, reason="a stone")
    stone = Intent(verb="stone")
    told = Entry(EntryKind.TAKEN, head.actions + 1, (event,), intent=stone, ruleset="storytoken", provenance="imported")
    canon.session.log.write(head, [told])
    same, other = rerun(book, canon, "storytoken"), rerun(book, canon, "powers")
    assert (same.history.entries[-1].provenance, same.history.entries[-1].events) == ("imported", (event,))
    assert other.history.entries[-1].reason.startswith(f"{NOT_PLAYED}it was imported as an event")


# The timeline that comes of it.


def test_what_had_no_meaning_is_never_played_again_and_the_timeline_is_played_on(tmp_path: Path) -> None:
    golden = next(path for path in BY_TODAYS_RULES if path.stem.startswith("sherwood"))
    book, canon = campaign_of(golden, tmp_path)
    again = rerun(book, canon, "powers")
    made = again.corrections.undo(20, reason="what if Robin had waited")
    made.apply()
    assert answers_of(again) == due_answers(again) == (Verdict.UNPROVEN, Verdict.UNPROVEN)
    left = [e for e in again.history.entries if e.is_outcome and e.provenance == "ruling"]
    assert len(left) == len({e.action for e in left}) == 15
    again.do("note", {"text": "and on it goes"})
    report = compare(book, again)
    assert [choice.intent.verb for choice in report.only_here] == ["note"]
    assert 20 in [choice.action for choice in report.only_canon]


def test_a_rerun_of_a_fork_goes_on_counting_and_one_of_nothing_is_refused(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    first = rerun(book, canon, "toy")
    second = rerun(book, first, "toy")
    assert (second.id, second.session.timeline.marker.parent) == ("sherwood~2", "sherwood~1")
    assert comparable(second.state) == comparable(canon.state)
    params: dict[str, Scalar] = {"text": "secret", "to": "gm"}
    canon.do("note", params)
    assert rerun(book, canon, "toy").history.entries[-1].visibility == "gm"
    canon.session.history.damage = HistoryDamaged("broken")
    with pytest.raises(HistoryDamaged, match="broken"):
        rerun(book, canon, "toy")


def test_secrets_stay_secrets_and_what_was_revealed_is_revealed_here(tmp_path: Path) -> None:
    book = memory_book(tmp_path)
    canon = begin_campaign(book)
    canon.do("join", {"name": "Spy", "id": "spy"}, secret=True)
    first = canon.do("note", {"text": "the duke did it", "to": "gm"})
    canon.do("note", {"text": "a private matter"})
    canon.redact(canon.head.actions, why="private")
    canon.corrections.undo(5, reason="so that entries and actions have other numbers").apply()
    late = canon.do("note", {"text": "and his wife", "to": "gm"})
    canon.do("reveal", {"entries": (first.number, late.number)})
    again = rerun(book, canon, "toy")
    assert answers_of(again) == due_answers(again)
    assert again.state.characters["spy"].hidden
    assert [e.visibility for e in again.history.entries] == [
        canon.history.latest_outcome(action).visibility for action in range(1, canon.head.actions + 1)
    ]
    (opened_up,) = again.history.entries[-1].events
    assert opened_up.entries == (first.action, late.action)
    assert "private matter" not in str(again.history.entries)


def test_what_somebody_did_whose_seat_was_undone_is_a_ruling_and_the_timeline_is_whole(tmp_path: Path) -> None:
    with file_book(tmp_path) as book:
        canon = begin_campaign(book)
        tom = canon.do("take-seat", {"seat": "tom"}).action
        canon.do("entropy", {"text": "6 2 5"}, seat="tom")
        canon.do("roll", {"expression": "1d6"}, seat="tom")
        canon.corrections.undo(tom, reason="so").apply()
        again = rerun(book, canon, "toy")
        assert answers_of(again) == due_answers(again) == (Verdict.UNPROVEN, Verdict.UNPROVEN)
        assert again.session.damage == ""
        ruled = [entry for entry in again.history.entries if entry.provenance == "ruling"]
        assert [(entry.seat, entry.reason) for entry in ruled if entry.action != tom] == [
            ("tom", "tom has no seat here")
        ] * 2
        full_export(again, tmp_path / "again.jsonl")
        assert verdicts(tmp_path / "again.jsonl")[0] == "UNPROVEN"
