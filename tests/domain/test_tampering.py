"""Eighteen ways to cheat on an evening of 68 rolls, and what the audits say to each: from the file alone, and with six receipts.

The file alone proves the numbers. That nothing was left out, and what the numbers were for, needs a witness: whoever noted an
entry and its hash finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import attrs
import pytest

from adapters.codec import CODEC
from adapters.event_store import MemoryEventStore
from adapters.journal import Journal
from domain.audit import Answer, Verdict, audit_dice, audit_rules
from domain.audit.dice_audit import dice_list
from domain.corrections import Proposal
from domain.dice.evaluation import evaluate
from domain.dice.stream import Stream, commit_code, commitment, contribution, fork_key, mix, session_key
from domain.dice_ledger import DiceLedger, counts, dice_by_place, screen_counts
from domain.dice_supply import DiceSupply, NoDice, StreamDice
from domain.event_store import StoredEvent
from domain.events import (
    ActionTaken,
    ActionVoided,
    DiceRevealed,
    DiceRolled,
    EntropyAdded,
    Event,
    Header,
    Resolved,
    Scalar,
    SessionClosed,
)
from domain.history import Entry
from domain.rulebook import Rulebook
from tests.desk import ticking
from tests.evening import Evening, seeds_of
from tests.toy import TOY

VERIFIED, UNPROVEN, FAILED = Verdict.VERIFIED, Verdict.UNPROVEN, Verdict.FAILED
ROLLS = 68
LAST_WORDS = "the last word"
REGRETTED = "a leap that was thought better of"
AGAIN = "the locked door"

Receipt = tuple[int, str]


class Host(Evening):
    """A host who can program. ``seeds`` are those of each session; the rest is what an honest host leaves alone."""

    def __init__(self, seeds: Callable[[int], tuple[bytes, bytes]] = seeds_of) -> None:
        self.seeds = seeds
        self.forgets = False
        self.rolls_on = False
        self.fork = 0
        super().__init__()

    def open(self, **more: Scalar) -> Entry:
        last = self.state.session
        number = last.number + 1 if last else 1
        identity = bytes([number]) * 16
        table, screen = (commitment(cls, identity, seed).hex() for cls, seed in enumerate(self.seeds(number)))
        return self.do("open-session", identity=identity.hex(), commit_table=table, commit_screen=screen, **more)

    def keys(self) -> tuple[bytes, bytes]:
        """The keys of the last session's dice."""
        session = self.state.session
        assert session is not None
        identity = bytes.fromhex(session.identity)
        commits = (bytes.fromhex(session.commit_table), bytes.fromhex(session.commit_screen))
        mixed = mix(commits, [(0, number, contribution(text)) for number, text in session.entropy])
        table, screen = (session_key(cls, identity, seed, mixed) for cls, seed in enumerate(self.seeds(session.number)))
        return table, screen

    def dice(self, seat: str) -> DiceSupply:
        session = self.state.session
        if session is None or not (session.is_open or self.rolls_on):
            return NoDice("No session is open.")
        table, screen = self.keys()
        ledger = self.history.ledger
        if self.forgets:
            ledger = DiceLedger(ledger.session, dict(ledger.used))
        number = self.state.seats[seat].number if seat in self.state.seats else 0
        return StreamDice(key_table=table, key_screen=screen, seat=number, ledger=ledger, fork=self.fork)

    def close(self, *, reveals: bool = True) -> Entry:
        session = self.state.session
        assert session is not None
        used = tuple(f"{counter}={many}" for counter, many in counts(self.history.ledger).items())
        return self.do("close-session", seed=self.seeds(session.number)[0].hex() if reveals else "", counts=used)

    def show_screen(self) -> Entry:
        """What was rolled in secret is everybody's to check."""
        session = self.state.session
        assert session is not None
        facts = (fact for entry in self.history.entries for fact in entry.facts)
        used = tuple(f"{counter}={many}" for counter, many in screen_counts(facts, session.number).items())
        return self.do("reveal-screen", session=session.number, seed=self.seeds(session.number)[1].hex(), counts=used)


def nothing(_: Host) -> None:
    """An honest host does nothing of the sort."""


@attrs.frozen(kw_only=True)
class Script:
    """Where in the evening a host may do otherwise."""

    seeds: Callable[[int], tuple[bytes, bytes]] = seeds_of
    before_asking_again: Callable[[Host], None] = nothing
    asked_again_for: str = AGAIN
    in_between: Callable[[Host], None] = nothing
    reveals: bool = True
    after_the_close: Callable[[Host], None] = nothing


def played(script: Script) -> Host:
    """Two evenings: a short one, and one of 68 rolls by two seats and behind the screen, with undo, redo and entropy."""
    host = Host(script.seeds)
    for expression in ("1d20", "2d6", "1d8"):
        host.do("roll", seat="mira", expression=expression)
    host.close()
    host.show_screen()
    host.open(title="the long one")
    host.do("entropy", seat="mira", text="Mira: 6 2 5 1 4")
    host.do("entropy", text="the guests are hungry")
    host.do("adjust", who="robin", what="skill", by=20, reason="a good day")
    host.do("adjust", who="guard", what="hp", by=500, reason="a very good guard")
    _first_half(host, script)
    script.in_between(host)
    _second_half(host)
    host.close(reveals=script.reveals)
    script.after_the_close(host)
    host.show_screen()
    return host


def _first_half(host: Host, script: Script) -> None:
    for at in range(16):
        host.do(
            "roll", seat=("Ana", "mira")[at % 2], expression=("1d20", "2d20kh1", "3d6")[at % 3], purpose=f"test {at}"
        )
    host.do("roll", seat="mira", expression="1d20", purpose=REGRETTED)
    host.undo(host.history.actions)
    host.do("roll", seat="mira", expression="1d20", purpose=AGAIN)
    host.undo(host.history.actions)
    script.before_asking_again(host)
    host.do("roll", seat="mira", expression="1d20", purpose=script.asked_again_for)
    host.forgets = False
    for _ in range(5):
        host.do("hide", who="robin")


def _second_half(host: Host) -> None:
    for at in range(12):
        host.do("attack", seat="mira", attacker="robin", target="guard")
        host.do("roll", expression="4d6kh3", purpose=f"fate {at}")
    host.undo(host.history.actions - 1)
    host.redo(host.history.actions - 1)
    for at in range(4):
        host.do("bet", seat="mira", who="robin", dice=1 + at % 3)
    for at in range(3):
        host.do("roll", seat="mira", expression="1d100", purpose=f"omen {at}")
    host.do("roll", seat="mira", expression="1d20", purpose=LAST_WORDS)


# Files.


def written(entries: Iterable[Entry]) -> Journal:
    """Entries in a store, chained."""
    journal = Journal(MemoryEventStore(), "sherwood", ticking())
    for entry in entries:
        journal.write(journal.scan(), [Proposal(_bare(entry.header), entry.facts)])
    return journal


def _bare(header: Header) -> Header:
    return attrs.evolve(header, parent="", witness="", salt="", follows="", veiled=())


@cache
def honest() -> Journal:
    """The evening as it was."""
    return written(played(Script()).history.entries)


def filed(script: Script) -> Journal:
    """The file of a host who did otherwise; up to there it is the honest one, byte for byte."""
    return rebuilt(played(script).history.entries)


def rebuilt(entries: Iterable[Entry]) -> Journal:
    """A file that tells these entries, its chain built anew from the first that is not the honest one."""
    true = list(honest().entries())
    told = list(entries)
    same = next(
        (at for at, (one, other) in enumerate(zip(true, told, strict=False)) if not _alike(one, other)), len(told)
    )
    journal = Journal(MemoryEventStore(), "sherwood", ticking())
    kept = [(event.name, event.data) for batch in list(honest().stored())[:same] for event in batch]
    journal.store.append("sherwood", 0, kept)
    for entry in told[same:]:
        journal.write(journal.scan(), [Proposal(_bare(entry.header), entry.facts)])
    return journal


def _alike(one: Entry, other: Entry) -> bool:
    bare = (attrs.evolve(_bare(entry.header), at=0, place=0) for entry in (one, other))
    return one.facts == other.facts and next(bare) == next(bare)


def changed(change: Callable[[Event], Event]) -> list[Entry]:
    """The honest entries with other events."""
    return [
        attrs.evolve(entry, header=change(entry.header), facts=tuple(map(change, entry.facts)))
        for entry in honest().entries()
    ]


def without(*actions: int) -> list[Entry]:
    """The honest entries without some actions and all that was done to them, numbered as if they had never been."""
    left = [entry for entry in honest().entries() if entry.header.action not in actions]
    numbers = {entry.number: at for at, entry in enumerate(left, 1)}
    return [
        Entry(
            at,
            attrs.evolve(
                entry.header,
                action=entry.header.action - sum(action < entry.header.action for action in actions),
                because=numbers.get(entry.header.because, 0),
                place=max(0, entry.header.place - sum(action < entry.header.action for action in actions)),
            ),
            entry.facts,
        )
        for at, entry in enumerate(left, 1)
    ]


def receipts() -> tuple[Receipt, ...]:
    """Six entries of the long evening that mira noted, the last one after the last die."""
    entries = list(honest().entries())
    last = action_for(LAST_WORDS)
    until = next(entry.number for entry in entries if entry.header.action == last)
    opened = next(entry.number for entry in entries if _verb(entry) == "open-session" and entry.number > 10)
    noted = [opened + (until - opened) * part // 5 for part in range(6)]
    return tuple((number, entries[number - 1].header.witness) for number in noted)


def _verb(entry: Entry) -> str:
    return entry.header.intent.verb if isinstance(entry.header, Resolved) else ""


def action_for(purpose: str) -> int:
    """The last action whose dice fell for this."""
    return max(
        entry.header.action
        for entry in honest().entries()
        for fact in entry.facts
        if isinstance(fact, DiceRolled) and fact.purpose == purpose
    )


# What is answered.


def answers(journal: Journal) -> tuple[Answer, ...]:
    entries = list(journal.entries())
    rules = audit_rules(entries, Rulebook({TOY.key: TOY}))
    return journal.audit_chain(), audit_dice(entries), rules


def file_alone(journal: Journal) -> Verdict:
    """The three answers in one: the worst of them."""
    verdicts = [answer.verdict for answer in answers(journal)]
    return max(verdicts, key=[VERIFIED, UNPROVEN, FAILED].index)


def with_receipts(journal: Journal, noted: Iterable[Receipt] | None = None) -> Verdict:
    """The same to somebody who noted some entries and their hashes."""
    caught = any(journal.audit_chain(one).verdict is FAILED for one in (receipts() if noted is None else noted))
    return FAILED if caught else file_alone(journal)


# The tamperings.


def refaced(purpose: str, faces: Callable[[DiceRolled], Iterable[int]]) -> list[Entry]:
    """The honest entries with other dice in a loose roll, added up as the dice say."""

    def change(event: Event) -> Event:
        if not isinstance(event, DiceRolled) or event.purpose != purpose:
            return event
        other = iter(faces(event))
        rolled = evaluate(event.typed, lambda _: next(other))
        return attrs.evolve(event, dice=rolled.dice, total=rolled.total)

    return changed(change)


def better(roll: DiceRolled) -> list[int]:
    return [die.face % die.sides + 1 for die in roll.dice]


def drawn_from(key: bytes, nonce: bytes = b"") -> Callable[[DiceRolled], Iterable[int]]:
    def faces(roll: DiceRolled) -> list[int]:
        bytes_of_roll = Stream(key).roll(roll.sources[0].seat, roll.sources[0].index, nonce)
        return [bytes_of_roll.draw(die.sides) for die in roll.dice]

    return faces


def table_key() -> bytes:
    return played(Script()).keys()[0]


def value_changed_chain_left() -> Journal:
    journal = Journal(MemoryEventStore(), "sherwood", ticking())
    wanted = next(fact for entry in honest().entries() for fact in entry.facts if _is(fact, "test 3"))
    name, data = CODEC.encode(wanted)
    other = CODEC.encode(next(fact for e in refaced("test 3", better) for fact in e.facts if _is(fact, "test 3")))[1]
    told = [(event.name, other if (event.name, event.data) == (name, data) else event.data) for event in _stored()]
    journal.store.append("sherwood", 0, told)
    return journal


def _stored() -> list[StoredEvent]:
    return [event for batch in honest().stored() for event in batch]


def _is(fact: Event, purpose: str) -> bool:
    return isinstance(fact, DiceRolled) and fact.purpose == purpose


def revealing(seed: bytes) -> Journal:
    def change(event: Event) -> Event:
        if isinstance(event, DiceRevealed) and event.session == 2 and not event.screen:
            return attrs.evolve(event, seed=seed.hex())
        if isinstance(event, Resolved) and event.intent.params.get("seed") == seeds_of(2)[0].hex():
            return _with_params(event, seed=seed.hex())
        return event

    return rebuilt(changed(change))


def _with_params(header: Resolved, **params: Scalar) -> Resolved:
    return attrs.evolve(header, intent=attrs.evolve(header.intent, params={**header.intent.params, **params}))


def seed_of_an_earlier_session() -> Journal:
    return filed(Script(seeds=lambda number: seeds_of(1)))


def entropy_replaced() -> Journal:
    def change(event: Event) -> Event:
        if isinstance(event, EntropyAdded) and event.number == 1:
            return attrs.evolve(event, text="Mira: 1 1 1 1 1")
        if isinstance(event, Resolved) and event.intent.verb == "entropy" and event.seat == "mira":
            return _with_params(event, text="Mira: 1 1 1 1 1")
        return event

    return rebuilt(changed(change))


def entropy_added_late() -> Journal:
    return filed(Script(in_between=lambda host: host.do("entropy", seat="mira", text="a late thought")))


def fresh_dice_without_a_grant() -> Journal:
    return filed(Script(before_asking_again=lambda host: setattr(host, "forgets", True)))


def roll_after_the_reveal() -> Journal:
    def on(host: Host) -> None:
        host.rolls_on = True
        host.do("roll", seat="mira", expression="1d20", purpose="just one more")

    return filed(Script(after_the_close=on))


def fork_roll_as_canon() -> Journal:
    def ahead(host: Host) -> None:
        host.fork = 1
        host.do("roll", seat="mira", expression="1d20", purpose="what if")
        host.fork = 0

    return filed(Script(in_between=ahead))


def last_roll_cut_off() -> Journal:
    entries = without(action_for(LAST_WORDS))

    def lowered(counted: dict[str, int]) -> dict[str, int]:
        return {**counted, "0/0/1": counted["0/0/1"] - 1}

    def change(event: Event) -> Event:
        if isinstance(event, SessionClosed) and event.session == 2:
            return attrs.evolve(event, counts=lowered(dict(event.counts)))
        if isinstance(event, Resolved) and event.intent.verb == "close-session" and event.seat and event.action > 20:
            told = dict(pair.split("=") for pair in event.intent.params["counts"])  # type: ignore[union-attr]
            fewer = lowered({at: int(many) for at, many in told.items()})
            return _with_params(event, counts=tuple(f"{at}={many}" for at, many in fewer.items()))
        return event

    return rebuilt(
        attrs.evolve(entry, header=change(entry.header), facts=tuple(map(change, entry.facts))) for entry in entries
    )


def purposes_swapped() -> Journal:
    swap = {"omen 0": "omen 1", "omen 1": "omen 0"}

    def change(event: Event) -> Event:
        if isinstance(event, DiceRolled) and event.purpose in swap:
            other = swap[event.purpose]
            return attrs.evolve(event, purpose=other, intent=event.intent.replace(event.purpose, other))
        if isinstance(event, Resolved) and event.intent.params.get("purpose") in swap:
            return _with_params(event, purpose=swap[str(event.intent.params["purpose"])])
        return event

    return rebuilt(changed(change))


def forged_with_another_seed() -> Journal:
    return filed(Script(seeds=lambda number: seeds_of(number) if number == 1 else seeds_of(77)))


def by_another_name() -> Journal:
    return filed(Script(asked_again_for="the door beside it"))


TAMPERINGS: dict[str, tuple[Callable[[], Journal], Verdict, Verdict]] = {
    "a value changed, the chain left": (value_changed_chain_left, FAILED, FAILED),
    "a value changed, the chain rebuilt": (lambda: rebuilt(refaced("test 3", better)), FAILED, FAILED),
    "a bad roll deleted": (lambda: rebuilt(without(action_for("test 5"))), FAILED, FAILED),
    "an undone roll deleted with its undo": (lambda: rebuilt(without(action_for(REGRETTED))), FAILED, FAILED),
    "another seed revealed": (lambda: revealing(seeds_of(9)[0]), FAILED, FAILED),
    "the seed of an earlier session": (seed_of_an_earlier_session, FAILED, FAILED),
    "a player's entropy replaced": (entropy_replaced, FAILED, FAILED),
    "entropy added late": (entropy_added_late, FAILED, FAILED),
    "fresh dice for the same request without a grant": (fresh_dice_without_a_grant, FAILED, FAILED),
    "a roll after the reveal": (roll_after_the_reveal, FAILED, FAILED),
    "a what-if's roll left as it is in canon": (fork_roll_as_canon, FAILED, FAILED),
    "a what-if's dice passed off as canon's": (
        lambda: rebuilt(refaced("fate 4", drawn_from(fork_key(table_key(), 1)))),
        FAILED,
        FAILED,
    ),
    "a nonce on a local seat": (lambda: rebuilt(refaced("fate 4", drawn_from(table_key(), bytes(16)))), FAILED, FAILED),
    "the reveal withheld": (lambda: filed(Script(reveals=False)), UNPROVEN, UNPROVEN),
    "the last roll of a seat cut off, the counts lowered": (last_roll_cut_off, VERIFIED, FAILED),
    "the purposes of two rolls swapped": (purposes_swapped, VERIFIED, FAILED),
    "the whole session forged with another seed": (forged_with_another_seed, VERIFIED, FAILED),
    "fresh dice by naming another intent": (by_another_name, VERIFIED, VERIFIED),
}


def test_the_evening_itself_verifies_and_its_receipts_agree() -> None:
    rolls = [
        drawn
        for entry in honest().entries()
        for fact in entry.facts
        if isinstance(fact, DiceRolled)
        for drawn in dice_by_place(fact)
        if drawn.source.session == 2
    ]
    assert len({roll.place for roll in rolls}) == ROLLS
    assert {roll.source.seat for roll in rolls} == {0, 1}
    assert any(roll.source.screen for roll in rolls)
    assert any(isinstance(entry.header, ActionVoided) for entry in honest().entries())
    assert [answer.verdict for answer in answers(honest())] == [VERIFIED] * 3
    assert len(set(receipts())) == 6
    assert with_receipts(honest()) is VERIFIED


def test_there_are_eighteen_and_each_changes_something() -> None:
    assert len(TAMPERINGS) == 18
    true = [(event.name, event.data) for event in _stored()]
    for name, (tamper, _, _) in TAMPERINGS.items():
        told = [(event.name, event.data) for batch in tamper().stored() for event in batch]
        assert told != true, name


@pytest.mark.parametrize("name", TAMPERINGS)
def test_from_the_file_alone_the_answer_is_exactly_this(name: str) -> None:
    tamper, alone, _ = TAMPERINGS[name]
    journal = tamper()
    assert file_alone(journal) is alone, [answer.findings for answer in answers(journal)]


@pytest.mark.parametrize("name", TAMPERINGS)
def test_with_six_receipts_the_answer_is_exactly_this(name: str) -> None:
    tamper, _, noted = TAMPERINGS[name]
    journal = tamper()
    if tamper is by_another_name:  # nothing was told otherwise afterwards: mira noted what she saw
        entries = list(journal.entries())
        assert with_receipts(journal, [(at, entries[at - 1].header.witness) for at, _ in receipts()]) is noted
    else:
        assert with_receipts(journal) is noted


SAID = {
    "a value changed, the chain rebuilt": "shows",
    "a bad roll deleted": "is next",
    "an undone roll deleted with its undo": "is next",
    "another seed revealed": "the seed revealed for session 2 is another",
    "the seed of an earlier session": "come from the seed of session 1",
    "a player's entropy replaced": "shows",
    "entropy added late": "entropy was added after the first die",
    "fresh dice for the same request without a grant": "waits for this very request, and nothing was granted",
    "a roll after the reveal": "comes after the dice of session 2 were laid open",
    "a what-if's roll left as it is in canon": "fell in what-if 1",
    "a what-if's dice passed off as canon's": "shows",
    "a nonce on a local seat": "shows",
    "the reveal withheld": "are not revealed yet",
}


@pytest.mark.parametrize("name", SAID)
def test_the_dice_say_what_is_wrong_although_chain_and_rules_are_content(name: str) -> None:
    chain, dice, rules = answers(TAMPERINGS[name][0]())
    assert (chain.verdict, rules.verdict) == (VERIFIED, VERIFIED)
    assert any(SAID[name] in finding.text for finding in dice.findings)


def test_a_roll_that_was_given_up_for_another_name_is_in_the_list_with_its_value() -> None:
    entries = list(by_another_name().entries())
    fell = next(fact for entry in entries for fact in entry.facts if _is(fact, AGAIN))
    assert isinstance(fell, DiceRolled)
    listed = [one.text for one in dice_list(entries) if one.kind == "taken back"]
    assert any(f"{fell.dice[0].face} (d20)" in text and AGAIN in text for text in listed)
    assert len(listed) == 1 + len([one for one in dice_list(honest().entries()) if one.kind == "taken back"])
    assert "2 rolls were taken back and not asked for again" in audit_dice(entries).remarks


def test_a_history_that_breaks_off_before_the_reveal_is_unproven_too() -> None:
    batches = list(honest().stored())
    last = max(entry.number for entry in honest().entries() if _verb(entry) == "close-session")
    journal = Journal(MemoryEventStore(), "sherwood", ticking())
    journal.store.append("sherwood", 0, [(event.name, event.data) for batch in batches[: last - 1] for event in batch])
    assert (file_alone(journal), with_receipts(journal)) == (UNPROVEN, UNPROVEN)


def test_a_forged_session_has_another_commit_code_to_read_aloud() -> None:
    codes = [
        [commit_code(bytes.fromhex(fact.commit_table)) for e in journal.entries() for fact in e.facts if _opens(fact)]
        for journal in (honest(), forged_with_another_seed())
    ]
    assert codes[0][0] == codes[1][0]
    assert codes[0][1] != codes[1][1]


def _opens(fact: Event) -> bool:
    return bool(getattr(fact, "commit_table", ""))


def test_an_earlier_seed_that_is_shown_in_place_of_the_right_one_is_found() -> None:
    assert file_alone(revealing(seeds_of(1)[0])) is FAILED


def test_the_chain_of_a_rebuilt_file_begins_where_the_lie_does() -> None:
    lie = rebuilt(refaced("test 3", better))
    true, told = list(honest().entries()), list(lie.entries())
    first = next(at for at, entry in enumerate(true) if any(_is(fact, "test 3") for fact in entry.facts))
    assert [entry.header.witness for entry in true[:first]] == [entry.header.witness for entry in told[:first]]
    assert true[first].header.witness != told[first].header.witness
    assert isinstance(told[first].header, ActionTaken)
