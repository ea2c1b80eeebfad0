"""A player keeps the receipt, checks the history and takes it along: what may be seen, by the rules of the command line."""

from __future__ import annotations

import html
import json
import re
import zipfile
from io import BytesIO

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.exports import exporters
from tests.support.web import SHERWOOD, Clients, StoreFiles
from tests.support.web_answers import worked_out

RECORD = f"/c/{SHERWOOD}/record"
SECRET = "secret-word-of-the-gm"


@pytest.fixture
def receipt(sherwood: StoreFiles) -> str:
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        campaign.say(f"note '{SECRET}' --secret")
        return str(campaign.receipt())


def test_every_seat_has_the_receipt_with_a_button_that_copies_it(
    mira: TestClient, spectator: TestClient, receipt: str
) -> None:
    for client in (mira, spectator):
        page = client.get(RECORD).text
        assert f'<code id="receipt">{receipt}</code>' in page and 'data-copy="receipt"' in page
    assert "Check the history" in mira.get(RECORD).text
    assert "Check the history" not in spectator.get(RECORD).text


def test_a_player_checks_the_history_with_a_receipt(receipt: str, mira: TestClient) -> None:
    page = worked_out(mira, mira.post(f"{RECORD}/audit", data={"receipts": receipt})).text
    assert re.findall(r"VERIFIED|UNPROVEN|FAILED", page).count("VERIFIED") == 4, page
    wrong = mira.post(f"{RECORD}/audit", data={"receipts": "not a receipt"})
    assert wrong.status_code == 422 and "is not a receipt" in html.unescape(wrong.text)


@pytest.mark.parametrize("form", ["jsonl", "markdown", "csv"])
def test_a_player_takes_along_what_they_have_seen(receipt: str, mira: TestClient, form: str) -> None:
    sent = worked_out(mira, mira.post(f"{RECORD}/export", data={"format": form, "reader": "gm"})).content
    with zipfile.ZipFile(BytesIO(sent)) as packed:
        texts = [packed.read(name) for name in packed.namelist()]
    assert any(b"Robin Hood" in text for text in texts)
    assert not any(SECRET.encode() in text for text in texts), "only their own edition, though another was named"


def test_every_format_is_offered_by_what_it_is_for(mira: TestClient) -> None:
    offered = dict(re.findall(r'<option value="([\w-]+)"[^>]*>([^<]+)</option>', mira.get(RECORD).text))
    assert set(offered) == {"jsonl", *exporters()}
    assert all(words not in offered for words in offered.values())


def test_closing_a_session_shows_everybody_the_receipt(
    sherwood: StoreFiles, clients: Clients, mira: TestClient
) -> None:
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        if campaign.state.session is None or not campaign.state.session.is_open:
            campaign.say("open-session")
        assert "data-copy" not in mira.get(f"/c/{SHERWOOD}/welcome").text
        campaign.say("close-session")
        receipt = str(campaign.receipt())
    page = mira.get(f"/c/{SHERWOOD}/welcome").text
    assert receipt in page and 'data-copy="receipt"' in page
    assert json.dumps(SECRET) not in page
