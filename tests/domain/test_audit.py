"""Three answers that do not borrow from one another: an untouched history verifies, and what was tampered with is named.

Whoever can compute can chain a false history anew; then the dice do not match their commitments, or the rules do not give
what is recorded. What cannot be proven yet is UNPROVEN, never VERIFIED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import attrs
import pytest

from adapters.campaign import Campaign
from domain.audit import Answer, Verdict, audit_dice, audit_rules
from domain.corrections import CorrectionOptions
from domain.dice.record import Die
from domain.dice.stream import SCREEN, TABLE
from domain.entries import EntryKind, RecordedEntry
from domain.events import (
    CampaignStarted,
    CheckResolved,
    DamageTaken,
    DiceRevealed,
    DiceRolled,
    EntropyAdded,
    Event,
    SessionClosed,
    SessionOpened,
)
from domain.rulebook import Rulebook
from domain.ruleset import Ruleset
from tests.support.campaigns import begin_campaign, memory_book, play_campaign_steps, rewritten_history
from tests.support.random_steps import RandomSteps
from tests.support.toy import TOY
from tests.support.toy_table import ToyTable, play_random_steps, session_params, session_seeds

VERIFIED, UNPROVEN, FAILED = Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.FAILED


def rules(entries: Iterable[RecordedEntry], ruleset: Ruleset | None = TOY) -> Answer:
    return audit_rules(entries, Rulebook({ruleset.key: ruleset} if ruleset else {}))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A closed session in which dice fell, for the table and behind the screen, and things were corrected."""
    campaign = begin_campaign(memory_book(tmp_path_factory.mktemp("audit")))
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    campaign.do("adjust", {"who": "robin", "what": "skill", "by": 20, "reason": "a good day"})
    campaign.do("roll", {"expression": "9d20"})
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    attack = campaign.head.actions
    campaign.do("hide", {"who": "robin"})
    campaign.do("bet", {"who": "marian", "dice": 2}, dice=(3, 5))
    campaign.corrections.undo(attack, reason="oops", options=CorrectionOptions(orphans="undo")).apply()
    campaign.do("attack", {"attacker": "robin", "target": "guard"}, seat="mira")
    campaign.corrections.amend(
        attack + 1, {"who": "marian"}, reason="she hid", options=CorrectionOptions(draw=True)
    ).apply()
    campaign.do("close-session")
    return campaign


def verdicts(answers: Iterable[Answer]) -> list[Verdict]:
    return [answer.verdict for answer in answers]


# What is untouched.


@pytest.mark.parametrize("seed", range(10))
def test_an_untouched_history_verifies_whatever_was_played(seed: int, tmp_path: Path) -> None:
    campaign = begin_campaign(memory_book(tmp_path))
    play_campaign_steps(campaign, RandomSteps(seed), 40, corrections=0.3)
    assert verdicts(campaign.audit()) in ([VERIFIED, UNPROVEN, VERIFIED], [VERIFIED, VERIFIED, VERIFIED])
    campaign.do("close-session")
    if any(getattr(event, "secret", False) for entry in campaign.load_history().entries for event in entry.events):
        assert verdicts(campaign.audit())[1] is UNPROVEN
        campaign.do("reveal-screen", {"session": 1})
    campaign.do("open-session")
    campaign.do("roll", {"expression": "2d6"})
    campaign.do("close-session")
    answers = campaign.audit()
    assert verdicts(answers) == [VERIFIED, VERIFIED, VERIFIED], answers


@pytest.mark.parametrize("seed", range(6))
def test_what_stands_beside_the_rules_is_counted_and_not_held_against_anyone(seed: int) -> None:
    table = ToyTable()
    play_random_steps(table, RandomSteps(seed), 50, corrections=0.5)
    answer = rules(table.history.entries)
    assert answer.verdict is VERIFIED, answer.findings


def test_an_open_session_is_unproven_and_so_is_what_was_rolled_behind_the_screen(played: Campaign) -> None:
    entries = played.load_history().entries
    open_still = entries[:-1]
    answer = audit_dice(open_still)
    assert (answer.verdict, answer.checked) == (UNPROVEN, 0)
    assert "not revealed yet" in answer.findings[0].text
    closed = audit_dice(entries)
    assert closed.verdict is UNPROVEN
    assert {finding.text for finding in closed.findings} == {"a secret roll whose seed is not revealed yet"}
    assert "2 real dice were typed in; nobody can prove those" in closed.remarks


def test_a_game_with_real_dice_alone_is_unproven_and_one_without_dice_is_not() -> None:
    table = ToyTable()
    assert audit_dice(table.history.entries).verdict is VERIFIED
    table.do("bet", who="robin", dice=2, typed=(3, 4))
    table.close()
    answer = audit_dice(table.history.entries)
    assert (answer.verdict, answer.checked) == (UNPROVEN, 0)


# Dice that were tampered with, by somebody who can chain a history anew.


def altered(**fields: object) -> Callable[[Event], Event]:
    """A change of the first class of event that has these fields."""

    def change(event: Event) -> Event:
        return attrs.evolve(event, **fields) if all(hasattr(event, name) for name in fields) else event

    return change


def test_every_face_that_was_changed_is_found_by_the_dice(played: Campaign) -> None:
    rolled = [
        (entry.number, place, roll)
        for entry in played.load_history().entries
        for place, roll in enumerate(entry.events)
        if isinstance(roll, DiceRolled)
        if roll.sources[0].kind == "stream"
        if not roll.secret
    ]
    assert len(rolled) >= 2
    for number, _, roll in rolled:
        for at, die in enumerate(roll.dice):
            better = die._replace(face=die.face % die.sides + 1)
            dice = (*roll.dice[:at], better, *roll.dice[at + 1 :])

            def change(event: Event, roll: DiceRolled = roll, dice: tuple[Die, ...] = dice) -> Event:
                return attrs.evolve(event, dice=dice) if event is roll or event == roll else event

            answer = audit_dice(rewritten_history(played, change))
            assert answer.verdict is FAILED
            assert number in {finding.entry for finding in answer.findings}


def test_a_roll_that_was_left_out_or_counted_twice_is_found(played: Campaign) -> None:
    def without(event: Event) -> Event | None:
        return None if isinstance(event, DiceRolled) and event.purpose == "damage" else event

    assert audit_dice(rewritten_history(played, without)).verdict is FAILED

    def later(event: Event) -> Event:
        if isinstance(event, DiceRolled) and event.purpose == "to hit":
            return attrs.evolve(event, sources=(attrs.evolve(event.sources[0], index=7),))
        return event

    assert audit_dice(rewritten_history(played, later)).verdict is FAILED


def test_dice_of_a_session_that_never_was_are_found(played: Campaign) -> None:
    def elsewhere(event: Event) -> Event:
        if isinstance(event, DiceRolled):
            return attrs.evolve(event, sources=tuple(attrs.evolve(source, session=9) for source in event.sources))
        return event

    answer = audit_dice(rewritten_history(played, elsewhere))
    assert answer.verdict is FAILED
    assert "session 9, which was never opened" in answer.findings[0].text


@pytest.mark.parametrize("seed", [b"\1" * 32, b"\1" * 31, b""], ids=["another", "short", "empty"])
def test_a_wrong_seed_is_found(played: Campaign, seed: bytes) -> None:
    answer = audit_dice(rewritten_history(played, altered(seed=seed.hex(), screen=False)))
    assert answer.verdict is FAILED
    assert "the seed revealed for session 1 is another" in {finding.text for finding in answer.findings}


@pytest.mark.parametrize("text", ["zz", "no seed at all", "ü"])
def test_a_seed_or_commitment_that_is_no_number_is_found_and_stops_nothing(played: Campaign, text: str) -> None:
    assert audit_dice(rewritten_history(played, altered(seed=text))).verdict is FAILED
    for fields in ({"commit_table": text}, {"identity": text, "scheme": "s"}, {"commit_screen": text}):
        assert audit_dice(rewritten_history(played, altered(**fields))).verdict is FAILED


def test_a_session_that_lost_its_commitment_proves_nothing(played: Campaign) -> None:
    answer = audit_dice(rewritten_history(played, altered(commit_table="", commit_screen="")))
    assert (answer.verdict, answer.checked) == (UNPROVEN, 0)


def test_dice_of_a_session_that_never_committed_to_any_are_not_proven() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=2)
    table.close()

    def blank(event: Event) -> Event:
        return attrs.evolve(event, commit_table="", commit_screen="") if isinstance(event, SessionOpened) else event

    entries = [entry._replace(events=tuple(map(blank, entry.events))) for entry in table.history.entries]
    assert audit_dice(table.history.entries).verdict is VERIFIED
    assert audit_dice(entries).verdict is UNPROVEN


def test_another_commitment_is_found(played: Campaign) -> None:
    for fields in ({"commit_table": "ab" * 32}, {"commit_screen": "ab" * 32}):
        assert audit_dice(rewritten_history(played, altered(**fields))).verdict is FAILED


def test_other_entropy_is_found_and_so_is_entropy_after_the_first_die(played: Campaign) -> None:
    def other(event: Event) -> Event:
        return attrs.evolve(event, text="6 2 6") if isinstance(event, EntropyAdded) else event

    assert audit_dice(rewritten_history(played, other)).verdict is FAILED
    late: list[Event] = []
    entries = list(played.load_history().entries)
    mixed = next(entry for entry in entries if any(isinstance(event, EntropyAdded) for event in entry.events))
    late.extend(mixed.events)
    entries[-2] = entries[-2]._replace(events=(*entries[-2].events, *late))
    texts = {finding.text for finding in audit_dice(entries).findings}
    assert "entropy was added after the first die" in texts


def test_entropy_after_the_close_is_found() -> None:
    table = ToyTable()
    table.close()
    last = table.history.entries[-1]
    late = EntropyAdded(session=1, number=1, text="late")
    entries = [*table.history.entries[:-1], last._replace(events=(*last.events, late))]
    texts = {finding.text for finding in audit_dice(entries).findings}
    assert texts == {"entropy was added after the dice of session 1 were revealed"}


def test_other_counts_at_the_close_are_found(played: Campaign) -> None:
    def other(event: Event) -> Event:
        return attrs.evolve(event, counts={"0/0/0": 99}) if isinstance(event, SessionClosed) else event

    answer = audit_dice(rewritten_history(played, other))
    assert answer.verdict is FAILED
    assert "counts of rolls" in answer.findings[0].text


def test_two_sessions_with_one_identity_are_found() -> None:
    table = ToyTable()
    table.close()
    table.open()

    twin = {name: session_params(1)[name] for name in ("identity", "nonce")}

    def same(event: Event) -> Event:
        return attrs.evolve(event, **twin) if isinstance(event, SessionOpened) else event

    entries = [entry._replace(events=tuple(map(same, entry.events))) for entry in table.history.entries]
    assert "two sessions share one identity" in {finding.text for finding in audit_dice(entries).findings}


@pytest.mark.parametrize(
    ("kind", "other"),
    [
        (CampaignStarted, {"identity": "ab" * 16}),
        (CampaignStarted, {"identity": "none"}),
        (SessionOpened, {"identity": "ab" * 16}),
        (SessionOpened, {"nonce": "ab" * 16}),
        (SessionOpened, {"nonce": ""}),
    ],
)
def test_dice_that_were_committed_to_for_another_campaign_are_found(kind: type[Event], other: dict[str, str]) -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    table.close()
    assert audit_dice(table.history.entries).verdict is VERIFIED

    def moved(event: Event) -> Event:
        return attrs.evolve(event, **other) if isinstance(event, kind) else event

    entries = [entry._replace(events=tuple(map(moved, entry.events))) for entry in table.history.entries]
    answer = audit_dice(entries)
    assert answer.verdict is FAILED
    assert "the dice of session 1 were committed to for another campaign" in {found.text for found in answer.findings}


def test_counts_of_rolls_at_a_place_that_cannot_be_are_found() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    table.close()

    def odd(event: Event) -> Event:
        return attrs.evolve(event, counts={**event.counts, "0/0": 1}) if isinstance(event, SessionClosed) else event

    entries = [entry._replace(events=tuple(map(odd, entry.events))) for entry in table.history.entries]
    answer = audit_dice(entries)
    assert answer.verdict is FAILED
    assert "it counts rolls of a place that cannot be" in {found.text for found in answer.findings}


def test_the_screen_is_proven_with_its_own_seed() -> None:
    table = ToyTable()
    table.do("hide", who="robin")
    table.do("bet", who="robin", dice=1)
    table.close()
    assert audit_dice(table.history.entries).verdict is UNPROVEN
    seed, screen = session_seeds(1)
    table.do("reveal-screen", session=1, seed=seed.hex())
    assert audit_dice(table.history.entries).verdict is FAILED
    table.do("reveal-screen", session=1, seed=screen.hex())
    answer = audit_dice(table.history.entries)
    assert (answer.verdict, answer.checked) == (VERIFIED, 3)
    assert (TABLE, SCREEN) == (0, 1)


def test_dice_that_no_stream_can_give_are_found_and_stop_nothing(played: Campaign) -> None:
    for fields in ({"seat": -1}, {"seat": 70_000}, {"index": -1}, {"index": 2**70}):

        def odd(event: Event, fields: dict[str, int] = fields) -> Event:
            if isinstance(event, DiceRolled) and event.purpose == "to hit":
                return attrs.evolve(event, sources=(attrs.evolve(event.sources[0], **fields),))
            return event

        entries = [entry._replace(events=tuple(map(odd, entry.events))) for entry in played.load_history().entries]
        assert audit_dice(entries).verdict is FAILED


# Rules.


def test_recorded_facts_that_were_altered_are_found_by_the_rules(played: Campaign) -> None:
    def worse(event: Event) -> Event:
        return attrs.evolve(event, amount=event.amount + 1) if isinstance(event, DamageTaken) else event

    answer = rules(rewritten_history(played, worse))
    assert answer.verdict is FAILED
    hits = {
        entry.number for entry in played.load_history().entries if any(isinstance(f, DamageTaken) for f in entry.events)
    }
    assert hits <= {finding.entry for finding in answer.findings}


def test_a_success_that_was_none_a_fact_too_many_and_one_too_few_are_found(played: Campaign) -> None:
    def turned(event: Event) -> Event:
        return attrs.evolve(event, success=not event.success) if isinstance(event, CheckResolved) else event

    def missing(event: Event) -> Event | None:
        return None if isinstance(event, CheckResolved) else event

    assert rules(rewritten_history(played, turned)).verdict is FAILED
    assert rules(rewritten_history(played, missing)).verdict is FAILED


def test_another_intent_is_found(played: Campaign) -> None:
    def other(entry: RecordedEntry) -> RecordedEntry:
        if entry.intent.verb == "attack":
            return entry._replace(intent=attrs.evolve(entry.intent, params={**entry.intent.params, "target": "marian"}))
        return entry

    assert rules(rewritten_history(played, lambda event: event, other)).verdict is FAILED


def test_an_action_that_the_rules_refuse_is_found() -> None:
    table = ToyTable()
    table.do("spend-token", who="robin")
    entries = [entry for entry in table.history.entries if not isinstance(entry.events[0], SessionOpened)]
    renumbered = [entry._replace(number=at, action=at) for at, entry in enumerate(entries, 1)]
    answer = rules(renumbered)
    assert answer.verdict is FAILED
    assert "but the rules say: Robin cannot spend a token" in answer.findings[0].text


@pytest.mark.parametrize("ruleset", [attrs.evolve(TOY, version="2"), None])
def test_rules_that_are_not_installed_in_that_version_prove_nothing(played: Campaign, ruleset: Ruleset | None) -> None:
    answer = rules(played.load_history().entries, ruleset)
    assert (answer.verdict, answer.checked) == (UNPROVEN, sum(e.is_outcome for e in played.load_history().entries))
    said = "version 2 is installed" if ruleset else "it is not installed"
    assert all(said in finding.text for finding in answer.findings)


def test_what_a_seat_may_not_do_is_found_also_in_a_revision() -> None:
    table = ToyTable()
    table.do("roll", seat="mira", expression="1d20")
    action = table.history.actions
    table.amend(action, expression="1d20 + 1")
    assert rules(table.history.entries).verdict is VERIFIED
    first, last = table.history.entries[-2:]
    assert first.kind is EntryKind.TAKEN
    assert last.kind is EntryKind.REVISED
    forged = first._replace(seat="watcher")
    answer = rules([*table.history.entries[:-2], forged, last])
    assert "a spectator takes no actions" in answer.findings[0].text


def test_a_reveal_alone_does_not_close_a_session() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    revealed = DiceRevealed(session=1, seed=session_seeds(1)[0].hex())
    last = table.history.entries[-1]
    entries = [*table.history.entries[:-1], last._replace(events=(*last.events, revealed))]
    assert audit_dice(entries).verdict is VERIFIED
