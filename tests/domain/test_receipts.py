"""A receipt shows whether a history is still the one that it was noted from."""

from __future__ import annotations

from pathlib import Path

import pytest

from rollbook.application.campaign import Campaign
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.audit.receipts import Receipt, check_receipts, read_receipt, receipt_of
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.history.secrecy import PublicHead
from tests.support.campaigns import begin_campaign, memory_book

CODE = "HX5Z6-R1KXN-AQHMC-NBCGD-KPQN6W"
COMMIT = "TSW0X-ZE2VD-GV92K-0SZZD-WXD2TK"
NOBODYS = "00000-00000-00000-00000-000000"
LINE = f"sherwood @47 {CODE} dice {COMMIT}"


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = begin_campaign(memory_book(tmp_path))
    made.do("note", {"text": "the duke did it", "to": "gm"})
    made.do("roll", {"expression": "1d6"})
    made.do("roll", {"expression": "1d20"}, secret=True)
    return made


def receipt(campaign: Campaign) -> Receipt:
    return receipt_of(campaign.id, campaign.head.shown, campaign.state.session)


def verdict(campaign: Campaign, *lines: str) -> Verdict:
    return check_receipts(campaign.id, [read_receipt(line) for line in lines], campaign.history.entries).verdict


def test_a_receipt_is_read_as_it_is_written() -> None:
    kept = Receipt("sherwood", 47, CODE, COMMIT)
    assert str(kept) == LINE
    assert read_receipt(LINE) == read_receipt(f"{LINE}.") == kept
    assert str(Receipt("", 0, CODE)) == CODE
    assert read_receipt(f"  {LINE.replace(' ', '   ')} ") == kept
    assert read_receipt(f"sherwood 47 {CODE}") == Receipt("sherwood", 47, CODE)
    assert read_receipt(CODE) == Receipt("", 0, CODE)
    assert read_receipt(CODE.replace("-", "").lower()).code == CODE.replace("-", "").lower()
    assert read_receipt(CODE.replace("-", " ")) == Receipt("", 0, CODE.replace("-", " "))
    assert read_receipt(f"sherwood @47 {CODE.replace('-', ' ')} DICE {COMMIT.replace('-', '–')}").commit[:6] == "TSW0X–"
    assert read_receipt("ABCDE 12345 FGHJK MNPQR STVWXY").code == "ABCDE 12345 FGHJK MNPQR STVWXY"
    assert read_receipt(f"der-wald-über-dem-fluss~1 @3 {CODE}").campaign == "der-wald-über-dem-fluss~1"


@pytest.mark.parametrize(
    "line", ["", "nottingham", "HX5", "@4", "sherwood 47", f"sherwood @x {CODE}", f"{CODE} dice", "a b c d"]
)
def test_what_is_no_receipt_is_refused_with_an_example(line: str) -> None:
    with pytest.raises(Refused, match="A receipt looks like: sherwood @47"):
        read_receipt(line)


@pytest.mark.parametrize("line", [f"{CODE}0", f"sherwood @47 {CODE} dice {COMMIT}-00"])
def test_a_code_with_too_many_letters_is_refused(line: str) -> None:
    with pytest.raises(Refused, match=r"has 2[78] letters, and a code has 26\."):
        read_receipt(line)


def test_a_part_of_a_code_is_compared_and_is_never_proof(campaign: Campaign) -> None:
    mine = receipt(campaign)
    eight, twelve = (f"{mine.code.replace('-', '')[:letters]}" for letters in (8, 12))
    for line, letters in (
        (f"sherwood @{mine.entry} {eight[:4]}-{eight[4:]}", 8),
        (f"sherwood @{mine.entry} {twelve[:4]} {twelve[4:8]} {twelve[8:]}", 12),
        (f"sherwood @{mine.entry} {mine.code[:-1]} dice {mine.commit}", 25),
        (f"sherwood @{mine.entry} {mine.code} dice {mine.commit[:14]}", 12),
    ):
        answer = check_receipts(campaign.id, [mine, read_receipt(line)], campaign.history.entries)
        assert (answer.verdict, answer.checked) == (Verdict.UNPROVEN, 2)
        wanted = f"too short to be proof, for which 26 letters are wanted: agrees in its {letters} letters"
        assert wanted in answer.findings[0].text
    other = "".join("1" if letter == "0" else "0" for letter in twelve)
    wrong = check_receipts(campaign.id, [read_receipt(f"sherwood @{mine.entry} {other}")], campaign.history.entries)
    assert wrong.verdict is Verdict.FAILED


def test_nothing_has_no_receipt() -> None:
    with pytest.raises(NotFound, match="Nothing has happened yet"):
        receipt_of("sherwood", PublicHead(), None)


def test_a_receipt_counts_what_the_table_saw(campaign: Campaign) -> None:
    kept = receipt(campaign)
    seen = [entry for entry in campaign.history.entries if not entry.visibility]
    assert kept.entry == len(seen) == campaign.head.entry - 2
    campaign.do("note", {"text": "more", "to": "gm"})
    assert receipt(campaign) == kept
    campaign.do("note", {"text": "more"})
    assert receipt(campaign).entry == kept.entry + 1


def test_a_receipt_holds_as_long_as_the_history_goes_on(campaign: Campaign) -> None:
    kept = str(receipt(campaign))
    code = receipt(campaign).code
    campaign.do("roll", {"expression": "1d6"})
    campaign.corrections.undo(campaign.history.actions, reason="so").apply()
    campaign.do("close-session")
    assert (
        verdict(campaign, kept, code, code.replace("-", ""), code.lower(), kept.partition(" dice")[0])
        is Verdict.VERIFIED
    )
    assert check_receipts(campaign.id, [], campaign.history.entries).verdict is Verdict.VERIFIED


def test_another_history_is_found_and_said_in_words(campaign: Campaign, tmp_path: Path) -> None:
    other = begin_campaign(memory_book(tmp_path / "other"), drawn="another")
    mine = receipt(campaign)
    for line, says in (
        (str(receipt(other)), "no entry there has this code"),
        (f"sherwood @99 {mine.code}", "something was cut off"),
        (f"sherwood @{mine.entry - 1} {mine.code}", "no entry there has this code"),
        (f"nottingham @{mine.entry} {mine.code}", "that is a receipt of nottingham"),
        (f"sherwood @{mine.entry} {mine.code} dice {NOBODYS}", "committed to with another code"),
        (NOBODYS, "no entry there has this code"),
    ):
        answer = check_receipts(campaign.id, [mine, read_receipt(line)], campaign.history.entries)
        assert (answer.verdict, answer.checked, len(answer.findings)) == (Verdict.FAILED, 2, 1)
        assert says in answer.findings[0].text


def test_a_receipt_binds_what_was_hidden_too(campaign: Campaign, tmp_path: Path) -> None:
    """Two tables that saw the same and whose GMs did different things have different receipts."""
    from unittest.mock import patch  # noqa: PLC0415

    codes = set()
    for words in ("the duke did it", "the king did it"):
        with patch("secrets.token_hex", lambda size: "ab" * size):
            made = begin_campaign(memory_book(tmp_path / words.replace(" ", "-")))
            made.do("note", {"text": words, "to": "gm"})
            made.do("note", {"text": "same"})
        codes.add(receipt(made).code)
    assert len(codes) == 2
