"""Players correct what is theirs; what touches more is asked of the GM, and nothing says whether it was hidden."""

from __future__ import annotations

import re
import time
from functools import partial
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient

from tests.support.web import GM, JO, MIRA, Clients, StoreFiles, clients_of, copied, until
from tests.support.web_corrections import apply, counts, finished, last_entry, preview, send, words

SWAYS_THE_GUARD, ENDS_HER_TURN = 39, 21
"""What Mira's Robin Hood did: nothing follows from the first, and turns of others from the second."""
JO_ENDS_A_ROUND = 29
DRACULAS_BLOW = 24
HTMX = {"HX-Request": "true"}


def requests_of(client: TestClient) -> str:
    return words(client.get("/c/sherwood/requests"))


def test_a_mistake_of_ones_own_is_corrected_at_once(mira: TestClient, gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(mira, f"undo/{SWAYS_THE_GUARD}")
    assert "1 undone" in words(page)
    assert apply(mira, page, reason="I never said that").status_code == 303
    until(lambda: not counts(sherwood, SWAYS_THE_GUARD))
    assert requests_of(gm) == ""
    assert "I never said that" in mira.get("/c/sherwood").text


def test_what_touches_others_is_asked_of_the_gm(mira: TestClient, gm: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = preview(mira, f"undo/{ENDS_HER_TURN}")
    assert "4 no longer possible" in words(page)
    assert "Undo it, too" not in page.text
    assert apply(mira, page, reason="I had not finished").status_code == 303
    until(lambda: requests_of(gm))
    assert "Mira asks: Undo #21" in requests_of(gm)
    assert "I had not finished" in requests_of(gm)
    assert "The GM is asked: Undo #21" in requests_of(mira)
    assert last_entry(sherwood) == before
    assert counts(sherwood, ENDS_HER_TURN)


def test_the_gm_looks_at_a_request_and_applies_it(mira: TestClient, gm: TestClient, sherwood: StoreFiles) -> None:
    apply(mira, preview(mira, f"undo/{ENDS_HER_TURN}"), reason="I had not finished")
    until(lambda: requests_of(gm))
    shown = finished(gm, gm.get(_address(gm)))
    assert "Undo #21" in shown.text
    assert "I had not finished" in shown.text
    assert apply(gm, shown).status_code == 303
    assert not counts(sherwood, ENDS_HER_TURN)
    assert requests_of(gm) == requests_of(mira) == ""


def _address(gm: TestClient) -> str:
    found = re.search(r'href="(/c/sherwood/request/[^"]+)"', gm.get("/c/sherwood/requests").text)
    assert found
    return found[1]


def test_a_request_is_left_by_the_gm_or_withdrawn_by_its_player(
    mira: TestClient, gm: TestClient, clients: Clients, sherwood: StoreFiles
) -> None:
    apply(mira, preview(mira, f"undo/{ENDS_HER_TURN}"), reason="I had not finished")
    until(lambda: requests_of(gm))
    drop = f"{_address(gm)}/drop"
    clients.as_(JO).post(drop)
    assert requests_of(clients.as_(JO)) == ""
    assert requests_of(gm) != ""
    mira.post(drop)
    assert requests_of(gm) == ""
    assert gm.get(drop.removesuffix("/drop")).status_code == 404
    assert counts(sherwood, ENDS_HER_TURN)


def test_what_others_did_is_not_a_players_to_correct(mira: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    for path in (f"undo/{DRACULAS_BLOW}", f"amend/{DRACULAS_BLOW}"):
        answer = finished(mira, mira.get(f"/c/sherwood/{path}"))
        assert answer.status_code == 422
        assert "Ask the GM" in answer.text
    assert mira.get(f"/c/sherwood/adjust/{DRACULAS_BLOW}").status_code == 403
    assert mira.get("/c/sherwood/request/any").status_code == 403
    forced = {"fix.do": "apply", "fix.reason": "so", "fix.preview": "nothing"}
    sent = finished(mira, mira.post(f"/c/sherwood/undo/{DRACULAS_BLOW}", data=forced))
    assert sent.status_code in (409, 422)
    assert last_entry(sherwood) == before


def test_who_needs_a_die_types_it_or_asks_the_gm(clients: Clients, gm: TestClient, sherwood: StoreFiles) -> None:
    jo, before = clients.as_(JO), last_entry(sherwood)
    asked = preview(jo, f"undo/{JO_ENDS_A_ROUND}")
    assert "that was never rolled" in asked.text
    assert "Draw it" not in asked.text
    assert send(jo, asked, "ask").status_code == 422
    assert send(jo, asked, "draw", **{"fix.reason": "so"}).status_code == 200
    assert send(jo, asked, "ask", **{"fix.reason": "too soon"}).status_code == 303
    until(lambda: requests_of(gm))
    assert "Jo asks: Undo #29" in requests_of(gm)
    assert last_entry(sherwood) == before


def test_a_correction_that_was_sent_twice_is_made_or_asked_once(
    mira: TestClient, gm: TestClient, sherwood: StoreFiles
) -> None:
    page, own = preview(mira, f"undo/{ENDS_HER_TURN}"), preview(mira, f"undo/{SWAYS_THE_GUARD}")
    for _ in range(2):
        apply(mira, page, reason="too soon")
    until(lambda: requests_of(gm))
    assert requests_of(gm).count("Mira asks") == 1
    before = last_entry(sherwood)
    apply(mira, own, reason="never said")
    until(lambda: last_entry(sherwood) == before + 1)
    apply(mira, own, reason="never said")
    assert last_entry(sherwood) == before + 1


def test_requests_wait_while_the_server_is_stopped(sherwood: StoreFiles) -> None:
    with clients_of(sherwood) as clients:
        mira = clients.as_(MIRA)
        apply(mira, preview(mira, f"undo/{ENDS_HER_TURN}"), reason="too soon")
        until(lambda: requests_of(clients.as_(GM)))
    with clients_of(sherwood) as clients:
        assert "Mira asks" in requests_of(clients.as_(GM))


TEMPTS_FATE = 40
"""Robin Hood gets the silver arrow."""
HIDDEN = (
    "join Nightshade --kind npc --hp 9 --secret",
    """drop robin "the silver arrow, in the Sheriff's own saddlebag" --secret""",
    "note it was cut from the saddle --to gm",
)
"""What happens behind the screen, where somebody takes the arrow away again."""


def test_whether_something_hidden_is_touched_changes_no_byte_and_no_time(
    sherwood: StoreFiles, tmp_path_factory: pytest.TempPathFactory
) -> None:
    answers: list[list[bytes]] = []
    took: list[float] = []
    waits: list[str] = []
    for secrets in ((), HIDDEN) * 3:  # what else the computer does takes time too, and not each time
        files = copied(sherwood, Path(tmp_path_factory.mktemp("twin")))
        with clients_of(files) as clients:
            mira, gm = clients.as_(MIRA), clients.as_(GM)
            said = [gm.post("/c/sherwood/say", data={"line": line}, headers=HTMX) for line in secrets]
            assert [answer.status_code for answer in said] == [200] * len(secrets)
            page = finished(mira, mira.get(f"/c/sherwood/undo/{TEMPTS_FATE}", headers=HTMX), HTMX)
            began = time.monotonic()
            sent = apply(mira, page, reason="I never did", headers=HTMX)
            took.append(time.monotonic() - began)
            answers.append([_without_chance(answer) for answer in (page, sent)])
            if secrets:
                until(partial(requests_of, gm))
            waits.append(requests_of(gm))
    assert all(each == answers[0] for each in answers)
    assert "1 undone" in answers[0][0].decode().replace("</b>", "").replace("<b>", "")
    assert waits[0] == ""
    assert "Mira asks" in waits[1]
    assert abs(min(took[::2]) - min(took[1::2])) < 0.25, "what is kept from a player shows in no time either"


def _without_chance(answer: httpx2.Response) -> bytes:
    """An answer without the ids that are drawn by lot."""
    return re.sub(rb'(name="fix\.(?:preview|command)" value=")[^"]+', rb"\1", answer.content)
