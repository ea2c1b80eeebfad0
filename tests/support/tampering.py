"""Eighteen ways to tamper with a campaign, and the verdict that each must get."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rollbook.application.encoding.codec import CODEC
from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.audit.answers import Answer, Verdict
from rollbook.domain.audit.dice_audit import audit_dice
from rollbook.domain.audit.witnesses import Witness
from rollbook.domain.dice.evaluation import evaluate
from rollbook.domain.dice.record import RollCount
from rollbook.domain.dice.stream import Stream, fork_key
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRevealed, DiceRolled, EntropyAdded, Event, ParameterValue, SessionClosed
from rollbook.domain.rulebook import Rulebook
from tests.support.audits import audit_rules, chain_of
from tests.support.campaigns import new, ticking_clock
from tests.support.memory_store import MemoryEventStore
from tests.support.tampering_host import (
    LAST_PURPOSE,
    UNDONE_PURPOSE,
    HostScript,
    ReceiptPair,
    TamperingHost,
    action_with_purpose,
    changed_entries,
    entries_without,
    honest_log,
    log_of_script,
    noted_receipts,
    rechained_log,
    table_key,
)
from tests.support.toy import TOY
from tests.support.toy_table import session_seeds

VERIFIED, UNPROVEN, FAILED = Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.FAILED


# What is answered.


def audit_answers(log: EntryLog) -> tuple[Answer, ...]:
    entries = list(log.entries())
    rules = audit_rules(entries, Rulebook({TOY.key: TOY}))
    return chain_of(log), audit_dice(entries), rules


def answer_from_file(log: EntryLog) -> Verdict:
    """The three answers in one: the worst of them."""
    verdicts = [answer.verdict for answer in audit_answers(log)]
    return max(verdicts, key=[VERIFIED, UNPROVEN, FAILED].index)


def answer_with_receipts(log: EntryLog, noted: Iterable[ReceiptPair] | None = None) -> Verdict:
    """The verdict for a player who noted some entries and their hashes."""
    pairs = noted_receipts() if noted is None else noted
    seen = [Witness(campaign="", since=entry, entry=entry, hash=known, at=0) for entry, known in pairs]
    caught = any(chain_of(log, [one]).verdict is FAILED for one in seen)
    return FAILED if caught else answer_from_file(log)


# The tamperings.


def with_other_faces(purpose: str, faces: Callable[[DiceRolled], Iterable[int]]) -> list[RecordedEntry]:
    """The honest entries with other dice in a loose roll, added up as the dice say."""

    def change(event: Event) -> Event:
        if not isinstance(event, DiceRolled) or event.purpose != purpose:
            return event
        other = iter(faces(event))
        rolled = evaluate(event.expression, lambda _: next(other))
        return attrs.evolve(event, dice=rolled.dice, total=rolled.total)

    return changed_entries(change)


def raised_faces(roll: DiceRolled) -> list[int]:
    return [die.face % die.sides + 1 for die in roll.dice]


def faces_from_key(key: bytes, nonce: bytes = b"") -> Callable[[DiceRolled], Iterable[int]]:
    def faces(roll: DiceRolled) -> list[int]:
        place = roll.sources[0].place
        assert place is not None
        bytes_of_roll = Stream(key).roll(place.seat, place.number, nonce)
        return [bytes_of_roll.draw(die.sides) for die in roll.dice]

    return faces


def value_changed_chain_left() -> EntryLog:
    log = EntryLog(MemoryEventStore(), "sherwood", ticking_clock())
    wanted = next(event for entry in honest_log().entries() for event in entry.events if _is_roll_for(event, "test 3"))
    other = next(
        event for e in with_other_faces("test 3", raised_faces) for event in e.events if _is_roll_for(event, "test 3")
    )
    line, changed_line = CODEC.encode(wanted), CODEC.encode(other)
    told = [entry._replace(data=entry.data.replace(line, changed_line)) for entry in honest_log().stored()]
    log.store.append("sherwood", 0, new(told))
    return log


def _is_roll_for(event: Event, purpose: str) -> bool:
    return isinstance(event, DiceRolled) and event.purpose == purpose


def revealing_seed(seed: bytes) -> EntryLog:
    def change(event: Event) -> Event:
        if isinstance(event, DiceRevealed) and event.session == 2 and not event.screen:
            return attrs.evolve(event, seed=seed.hex())
        return event

    def envelope(entry: RecordedEntry) -> RecordedEntry:
        is_it = entry.intent.params.get("seed") == session_seeds(2)[0].hex()
        return _with_params(entry, seed=seed.hex()) if is_it else entry

    return rechained_log(changed_entries(change, envelope))


def _with_params(entry: RecordedEntry, **params: ParameterValue) -> RecordedEntry:
    return entry._replace(intent=attrs.evolve(entry.intent, params={**entry.intent.params, **params}))


def seed_of_an_earlier_session() -> EntryLog:
    return log_of_script(HostScript(seeds=lambda number: session_seeds(1)))


def entropy_replaced() -> EntryLog:
    def change(event: Event) -> Event:
        if isinstance(event, EntropyAdded) and event.number == 1:
            return attrs.evolve(event, text="Mira: 1 1 1 1 1")
        return event

    def envelope(entry: RecordedEntry) -> RecordedEntry:
        is_it = entry.intent.verb == "entropy" and entry.seat == "mira"
        return _with_params(entry, text="Mira: 1 1 1 1 1") if is_it else entry

    return rechained_log(changed_entries(change, envelope))


def entropy_added_late() -> EntryLog:
    return log_of_script(HostScript(in_between=lambda host: host.do("entropy", seat="mira", text="a late thought")))


def fresh_dice_without_a_grant() -> EntryLog:
    return log_of_script(HostScript(before_asking_again=lambda host: setattr(host, "forgets", True)))


def roll_after_the_reveal() -> EntryLog:
    def on(host: TamperingHost) -> None:
        host.rolls_on = True
        host.do("roll", seat="mira", expression="1d20", purpose="just one more")

    return log_of_script(HostScript(after_the_close=on))


def fork_roll_as_canon() -> EntryLog:
    def ahead(host: TamperingHost) -> None:
        host.fork = 1
        host.do("roll", seat="mira", expression="1d20", purpose="what if")
        host.fork = 0

    return log_of_script(HostScript(in_between=ahead))


def last_roll_cut_off() -> EntryLog:
    entries = entries_without(action_with_purpose(LAST_PURPOSE))

    def lowered(counted: Iterable[RollCount]) -> tuple[RollCount, ...]:
        return tuple(count._replace(rolls=count.rolls - (count.seat == 1)) for count in counted)

    def change(event: Event) -> Event:
        if isinstance(event, SessionClosed) and event.session == 2:
            return attrs.evolve(event, counts=lowered(event.counts))
        return event

    def envelope(entry: RecordedEntry) -> RecordedEntry:
        if entry.intent.verb == "close-session" and entry.seat and entry.action > 20:
            counted = entry.intent.params["counts"]
            return _with_params(entry, counts=lowered(RollCount(*row) for row in counted))  # type: ignore[union-attr, misc]
        return entry

    return rechained_log(envelope(entry)._replace(events=tuple(map(change, entry.events))) for entry in entries)


def purposes_swapped() -> EntryLog:
    swap = {"omen 0": "omen 1", "omen 1": "omen 0"}

    def change(event: Event) -> Event:
        if isinstance(event, DiceRolled) and event.purpose in swap:
            other = swap[event.purpose]
            return attrs.evolve(event, purpose=other)
        return event

    def envelope(entry: RecordedEntry) -> RecordedEntry:
        purpose = entry.intent.params.get("purpose")
        return _with_params(entry, purpose=swap[str(purpose)]) if purpose in swap else entry

    return rechained_log(changed_entries(change, envelope))


def forged_with_another_seed() -> EntryLog:
    return log_of_script(HostScript(seeds=lambda number: session_seeds(number) if number == 1 else session_seeds(77)))


def by_another_name() -> EntryLog:
    return log_of_script(HostScript(asked_again_for="the door beside it"))


TAMPERINGS: dict[str, tuple[Callable[[], EntryLog], Verdict, Verdict]] = {
    "a value changed, the chain left": (value_changed_chain_left, FAILED, FAILED),
    "a value changed, the chain rebuilt": (
        lambda: rechained_log(with_other_faces("test 3", raised_faces)),
        FAILED,
        FAILED,
    ),
    "a bad roll deleted": (lambda: rechained_log(entries_without(action_with_purpose("test 5"))), FAILED, FAILED),
    "an undone roll deleted with its undo": (
        lambda: rechained_log(entries_without(action_with_purpose(UNDONE_PURPOSE))),
        FAILED,
        FAILED,
    ),
    "another seed revealed": (lambda: revealing_seed(session_seeds(9)[0]), FAILED, FAILED),
    "the seed of an earlier session": (seed_of_an_earlier_session, FAILED, FAILED),
    "a player's entropy replaced": (entropy_replaced, FAILED, FAILED),
    "entropy added late": (entropy_added_late, FAILED, FAILED),
    "fresh dice for the same request without a grant": (fresh_dice_without_a_grant, FAILED, FAILED),
    "a roll after the reveal": (roll_after_the_reveal, FAILED, FAILED),
    "a timeline's roll left as it is in canon": (fork_roll_as_canon, FAILED, FAILED),
    "a timeline's dice passed off as canon's": (
        lambda: rechained_log(with_other_faces("fate 4", faces_from_key(fork_key(table_key(), 1)))),
        FAILED,
        FAILED,
    ),
    "a nonce on a local seat": (
        lambda: rechained_log(with_other_faces("fate 4", faces_from_key(table_key(), bytes(16)))),
        FAILED,
        FAILED,
    ),
    "the reveal withheld": (lambda: log_of_script(HostScript(reveals=False)), UNPROVEN, UNPROVEN),
    "the last roll of a seat cut off, the counts lowered": (last_roll_cut_off, VERIFIED, FAILED),
    "the purposes of two rolls swapped": (purposes_swapped, VERIFIED, FAILED),
    "the whole session forged with another seed": (forged_with_another_seed, VERIFIED, FAILED),
    "fresh dice by naming another intent": (by_another_name, VERIFIED, VERIFIED),
}
