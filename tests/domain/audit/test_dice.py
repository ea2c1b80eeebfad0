"""Somebody who can compute can chain a false history; its dice do not match their commitments."""

from __future__ import annotations

import attrs
import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.dice.record import Die, RollCount
from rollbook.domain.dice.stream import SCREEN, TABLE
from rollbook.domain.events import CampaignStarted, DiceRolled, EntropyAdded, Event, SessionClosed, SessionOpened
from tests.support.audits import FAILED, UNPROVEN, VERIFIED, altered, with_events
from tests.support.campaigns import rewritten_history
from tests.support.toy_table import ToyTable, session_params, session_seeds


def at_another_place(roll: DiceRolled, **fields: int) -> DiceRolled:
    """A roll whose first dice name another place in the stream."""
    place = roll.sources[0].place
    assert place is not None
    return attrs.evolve(roll, sources=(roll.sources[0]._replace(place=place._replace(**fields)),))


def test_every_face_that_was_changed_is_found_by_the_dice(played: Campaign) -> None:
    rolled = [
        (entry.number, place, roll)
        for entry in played.history.entries
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
            return at_another_place(event, number=7)
        return event

    assert audit_dice(rewritten_history(played, later)).verdict is FAILED


def test_dice_of_a_session_that_never_was_are_found(played: Campaign) -> None:
    def elsewhere(event: Event) -> Event:
        if isinstance(event, DiceRolled):
            return attrs.evolve(event, sources=tuple(source._replace(session=9) for source in event.sources))
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

    entries = with_events(table.history.entries, blank)
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
    entries = list(played.history.entries)
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
        counts = (RollCount(screen=False, fork=0, seat=0, rolls=99),)
        return attrs.evolve(event, counts=counts) if isinstance(event, SessionClosed) else event

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

    entries = with_events(table.history.entries, same)
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

    answer = audit_dice(with_events(table.history.entries, moved))
    assert answer.verdict is FAILED
    assert "the dice of session 1 were committed to for another campaign" in {found.text for found in answer.findings}


def test_counts_of_rolls_at_a_place_that_cannot_be_are_found() -> None:
    table = ToyTable()
    table.do("bet", who="robin", dice=1)
    table.close()

    def odd(event: Event) -> Event:
        more = RollCount(screen=False, fork=0, seat=-1, rolls=1)
        return attrs.evolve(event, counts=(*event.counts, more)) if isinstance(event, SessionClosed) else event

    answer = audit_dice(with_events(table.history.entries, odd))
    assert answer.verdict is FAILED
    assert "session 1 was closed over other counts of rolls" in {found.text for found in answer.findings}


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
    for fields in ({"seat": -1}, {"seat": 70_000}, {"number": -1}, {"number": 2**70}):

        def odd(event: Event, fields: dict[str, int] = fields) -> Event:
            if isinstance(event, DiceRolled) and event.purpose == "to hit":
                return at_another_place(event, **fields)
            return event

        entries = with_events(played.history.entries, odd)
        assert audit_dice(entries).verdict is FAILED
