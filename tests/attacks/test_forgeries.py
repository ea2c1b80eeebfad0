"""No forgery passes an audit that is given a receipt; what cannot follow from what came before is found without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.domain.audit.answers import Verdict
from tests.attacks.forgeries import CLAIMS, FORGERIES, NUMBERS, SHAPES, WORDS
from tests.attacks.forging import CHAIN, DICE, Findings, forged, honest, looked_at, written

FAILED, VERIFIED = Verdict.FAILED, Verdict.VERIFIED

VOCABULARY = "the verifier knows no list of events and of their fields, so that it reads those of a later rollbook too"
DIFFERENCES = {
    "the kind of an entry is of a later version": VOCABULARY,
    "an event is unknown": VOCABULARY,
    "an event is of a later version": VOCABULARY,
    "a time is text": VOCABULARY,
    "an amount is text": VOCABULARY,
    "an event has lost a field": VOCABULARY,
    "an event is a list": VOCABULARY,
}
"""Forgeries of which the audit says FAILED, and the verifier, of chain and dice, VERIFIED: with the reason."""

AT_THE_END = {"words that were removed are there again"}
"""What a reader who wants the sheets does not look for: it changes none, and only what comes later contradicts it."""

IN_THE_CHAIN = {"everybody sees what was the GM's", "the last nine entries are cut off"}
"""The claims that contradict the chain itself: its own tie to the table, and a record of a removal that is cut off with them."""

IN_THE_DICE = {
    "a die shows another face",
    "a roll is of another place in the stream",
    "a roll is shown once more in another entry",
    "a roll has a die that comes from nowhere",
    "a roll comes from more dice than it has",
    "a reveal does not say of which dice",
    "a session has committed to what is no digest",
    "another seed is revealed",
    "another number of rolls is counted",
}
IN_THE_RULES = {
    "a die shows another face",
    "a roll has another total",
    "of a campaign with an odd identity all but the beginning is cut off",
    "a roll is shown once more in another entry",
    "a roll has a die that comes from nowhere",
    "a roll comes from more dice than it has",
    "a reveal does not say of which dice",
    "a session has committed to what is no digest",
    "another seed is revealed",
    "another number of rolls is counted",
    "somebody set out to do something else",
    "a token more was gained",
    "who removed words is another",
}
"""The claims that the rules contradict: the rest is what only a receipt knows."""


def looked_at_forgery(name: str, folder: Path, *, remade: bool = True) -> Findings:
    entries = forged(honest().stored)
    FORGERIES[name](entries)
    stored = written(entries, remade=remade)
    assert stored != list(honest().stored)
    return looked_at(stored, honest(), folder)


def test_the_history_itself_is_verified_by_everybody(tmp_path: Path) -> None:
    found = looked_at(written(forged(honest().stored)), honest(), tmp_path)
    assert found.is_verified
    assert (found.damage, found.refused, found.code) == ("", "", 0)
    assert found.verdicts == {CHAIN: "VERIFIED", DICE: "VERIFIED"}
    assert {answer.covered for answer in found.answers.values()} == {len(honest().stored)}
    assert f"{len(honest().stored)} of {len(honest().stored)} entries" in found.said


@pytest.mark.parametrize("name", FORGERIES)
def test_with_hashes_remade_nothing_passes_an_audit_with_a_receipt(name: str, tmp_path: Path) -> None:
    found = looked_at_forgery(name, tmp_path)
    assert not found.is_verified
    chain, receipts = found.answers[CHAIN], found.answers["receipts"]
    assert (chain.verdict is FAILED) == (name in {*NUMBERS, *SHAPES, *WORDS, *IN_THE_CHAIN})
    assert receipts.verdict is FAILED or (chain.verdict is FAILED and receipts.covered <= receipts.entries)
    _everybody_agrees(name, found)
    if chain.verdict is not FAILED:
        assert (found.answers[DICE].verdict is FAILED) == (name in IN_THE_DICE)
        assert (found.answers["rules"].verdict is FAILED) == (name in IN_THE_RULES)


def _everybody_agrees(name: str, found: Findings) -> None:
    is_broken = found.answers[CHAIN].verdict is FAILED
    assert bool(found.refused) == is_broken
    assert bool(found.damage) == (is_broken and name not in AT_THE_END)
    if name in DIFFERENCES:
        assert (found.of_engine(CHAIN), found.of_verifier(CHAIN)) == ("FAILED", "VERIFIED")
    else:
        assert found.of_engine(CHAIN) == found.of_verifier(CHAIN)
        assert found.of_engine(DICE) == found.of_verifier(DICE)
        assert (found.code == 0) == (found.of_engine(CHAIN) == "VERIFIED" and found.of_engine(DICE) == "VERIFIED")
    for answer in found.answers.values():
        assert answer.verdict is not VERIFIED or answer.covered == answer.entries


@pytest.mark.parametrize("name", [name for name in FORGERIES if not name.endswith("cut off")])
def test_with_the_hashes_that_were_there_everything_shows_in_the_chain(name: str, tmp_path: Path) -> None:
    found = looked_at_forgery(name, tmp_path, remade=False)
    is_put_back = name in AT_THE_END
    assert found.answers[CHAIN].verdict is FAILED
    assert found.of_verifier(CHAIN) == "FAILED"
    assert found.refused
    assert found.damage or is_put_back


def test_every_forgery_is_of_one_sort_and_every_difference_of_one_of_them() -> None:
    assert len(FORGERIES) == sum(map(len, (NUMBERS, SHAPES, WORDS, CLAIMS))) >= 90
    assert {*DIFFERENCES, *AT_THE_END, *IN_THE_CHAIN, *IN_THE_DICE, *IN_THE_RULES} <= set(FORGERIES)


def test_a_history_is_read_up_to_its_damage_and_no_sheet_counts_what_follows(tmp_path: Path) -> None:
    """Attack A: a chained entry with the number of an action that was taken before gains a token."""
    entries = forged(honest().stored)
    FORGERIES["an action is appended once more"](entries)
    found = looked_at(written(entries), honest(), tmp_path)
    chain, dice, rules, receipts = found.answers.values()
    assert chain.findings[0].text == "it takes action #27, but #28 is next"
    assert (chain.covered, chain.entries) == (len(honest().stored), len(honest().stored) + 1)
    assert {answer.verdict for answer in (dice, rules, receipts)} == {Verdict.UNPROVEN}
    for answer in (dice, rules, receipts):
        assert answer.findings[0].text == "only 30 of 31 entries could be looked at"
    assert "What comes before it is shown; nothing can be added." in found.damage
