"""Eighteen ways to cheat on a session of 68 rolls, and what the audits say to each: from the file alone, and with six receipts.

The file alone proves the numbers. That nothing was left out, and what the numbers were for, needs a witness: one who noted an
entry and its hash finds out.
"""

from __future__ import annotations

import pytest

from rollbook.application.history.entry_log import EntryLog
from rollbook.domain.audit.dice_audit import audit_dice, dice_list
from rollbook.domain.dice.ledger import dice_by_place
from rollbook.domain.dice.stream import proof_code
from rollbook.domain.entries import EntryKind
from rollbook.domain.events import DiceRolled, Event
from tests.support.campaigns import new, ticking_clock
from tests.support.memory_store import MemoryEventStore
from tests.support.tampering import (
    FAILED,
    TAMPERINGS,
    UNPROVEN,
    VERIFIED,
    _is_roll_for,
    answer_from_file,
    answer_with_receipts,
    audit_answers,
    by_another_name,
    forged_with_another_seed,
    raised_faces,
    revealing_seed,
    with_other_faces,
)
from tests.support.tampering_host import (
    REPEATED_PURPOSE,
    ROLL_COUNT,
    _verb_of,
    honest_log,
    noted_receipts,
    rechained_log,
)
from tests.support.toy_table import session_seeds


def test_the_session_itself_verifies_and_its_receipts_agree() -> None:
    rolls = [
        drawn
        for entry in honest_log().entries()
        for event in entry.events
        if isinstance(event, DiceRolled)
        for drawn in dice_by_place(event)
        if drawn.session == 2
    ]
    assert len({roll.place for roll in rolls}) == ROLL_COUNT
    assert {roll.place.seat for roll in rolls} == {0, 1}
    assert any(roll.place.screen for roll in rolls)
    assert any(entry.kind is EntryKind.UNDONE for entry in honest_log().entries())
    assert [answer.verdict for answer in audit_answers(honest_log())] == [VERIFIED] * 3
    assert len(set(noted_receipts())) == 6
    assert answer_with_receipts(honest_log()) is VERIFIED


def test_there_are_eighteen_and_each_changes_something() -> None:
    assert len(TAMPERINGS) == 18
    true = list(honest_log().stored())
    for name, (tamper, _, _) in TAMPERINGS.items():
        assert list(tamper().stored()) != true, name


@pytest.mark.parametrize("name", TAMPERINGS)
def test_from_the_file_alone_the_answer_is_exactly_this(name: str) -> None:
    tamper, alone, _ = TAMPERINGS[name]
    log = tamper()
    assert answer_from_file(log) is alone, [answer.findings for answer in audit_answers(log)]


@pytest.mark.parametrize("name", TAMPERINGS)
def test_with_six_receipts_the_answer_is_exactly_this(name: str) -> None:
    tamper, _, noted = TAMPERINGS[name]
    log = tamper()
    if tamper is by_another_name:  # nothing was told otherwise afterwards: mira noted what she saw
        entries = list(log.entries())
        assert answer_with_receipts(log, [(at, entries[at - 1].hash) for at, _ in noted_receipts()]) is noted
    else:
        assert answer_with_receipts(log) is noted


SAID = {
    "a value changed, the chain rebuilt": "shows",
    "a bad roll deleted": "is next",
    "an undone roll deleted with its undo": "is next",
    "another seed revealed": "the seed revealed for session 2 is another",
    "the seed of an earlier session": "come from the seed of session 1",
    "a player's entropy replaced": "shows",
    "entropy added late": "entropy was added after the first die",
    "fresh dice for the same request without a grant": "waits for this very request, and nothing was granted",
    "a roll after the reveal": "comes after the dice of session 2 were revealed",
    "a timeline's roll left as it is in canon": "fell in timeline 1",
    "a timeline's dice passed off as canon's": "shows",
    "a nonce on a local seat": "shows",
    "the reveal withheld": "are not revealed yet",
}


@pytest.mark.parametrize("name", SAID)
def test_the_dice_say_what_is_wrong_although_chain_and_rules_are_content(name: str) -> None:
    chain, dice, rules = audit_answers(TAMPERINGS[name][0]())
    assert (chain.verdict, rules.verdict) == (VERIFIED, VERIFIED)
    assert any(SAID[name] in finding.text for finding in dice.findings)


def test_a_roll_that_was_given_up_for_another_name_is_in_the_list_with_its_value() -> None:
    entries = list(by_another_name().entries())
    fell = next(event for entry in entries for event in entry.events if _is_roll_for(event, REPEATED_PURPOSE))
    assert isinstance(fell, DiceRolled)
    listed = [one.text for one in dice_list(entries) if one.kind == "undone"]
    assert any(f"{fell.dice[0].face} (d20)" in text and REPEATED_PURPOSE in text for text in listed)
    assert len(listed) == 1 + len([one for one in dice_list(honest_log().entries()) if one.kind == "undone"])
    assert "2 rolls were undone and not asked for again" in audit_dice(entries).remarks


def test_a_history_that_breaks_off_before_the_reveal_is_unproven_too() -> None:
    last = max(entry.number for entry in honest_log().entries() if _verb_of(entry) == "close-session")
    log = EntryLog(MemoryEventStore(), "sherwood", ticking_clock())
    log.store.append("sherwood", 0, new(honest_log().stored(until=last - 1)))
    assert (answer_from_file(log), answer_with_receipts(log)) == (UNPROVEN, UNPROVEN)


def test_a_forged_session_has_another_proof_code_to_read_aloud() -> None:
    codes = [
        [proof_code(bytes.fromhex(event.commit_table)) for e in log.entries() for event in e.events if _opens(event)]
        for log in (honest_log(), forged_with_another_seed())
    ]
    assert codes[0][0] == codes[1][0]
    assert codes[0][1] != codes[1][1]


def _opens(event: Event) -> bool:
    return bool(getattr(event, "commit_table", ""))


def test_an_earlier_seed_that_is_shown_in_place_of_the_right_one_is_found() -> None:
    assert answer_from_file(revealing_seed(session_seeds(1)[0])) is FAILED


def test_the_chain_of_a_rebuilt_file_begins_where_the_lie_does() -> None:
    lie = rechained_log(with_other_faces("test 3", raised_faces))
    true, told = list(honest_log().entries()), list(lie.entries())
    first = next(at for at, entry in enumerate(true) if any(_is_roll_for(event, "test 3") for event in entry.events))
    assert [entry.hash for entry in true[:first]] == [entry.hash for entry in told[:first]]
    assert true[first].hash != told[first].hash
    assert told[first].kind is EntryKind.TAKEN
