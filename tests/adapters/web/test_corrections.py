"""A correction on its card: its preview, what is decided in it, a reason, and what is recorded then, once."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from starlette.testclient import TestClient

from rollbook.domain.events import DiceRolled
from tests.support.web import GM, Clients, StoreFiles, until
from tests.support.web_corrections import apply, fields, finished, last_entry, preview, revision, send, words

ROBINS_SHOT = 20
DRACULAS_BLOW = 24
GUARD_JOINS = 13
GUARDS_UNDONE_BLOW = 22
ROBIN_SWAYS_THE_GUARD = 39


def test_an_undo_is_previewed_and_applied_with_a_reason(gm: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = preview(gm, f"undo/{DRACULAS_BLOW}")
    assert "Undo #24" in page.text
    assert "Hit points" in page.text
    assert last_entry(sherwood) == before
    done = apply(gm, page, reason="he was too far away")
    assert done.status_code == 303
    assert done.headers["location"] == "/c/sherwood#a24"
    assert last_entry(sherwood) > before
    table = gm.get("/c/sherwood").text
    assert "he was too far away" in table
    assert re.search(r'card-undone[^>]*id="a24"', table)


def test_a_correction_without_a_reason_is_asked_for_one_and_keeps_what_was_chosen(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    before = last_entry(sherwood)
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="15", **{"fix.becomes.39": "keep"})
    answer = apply(gm, page, reason="")
    assert answer.status_code == 422
    assert "a correction keeps its reason" in answer.text
    assert fields(answer)["hp"] == "15"
    assert fields(answer)["fix.becomes.39"] == "keep"
    assert last_entry(sherwood) == before


def test_an_amendment_shows_its_form_filled_and_what_follows(gm: TestClient, sherwood: StoreFiles) -> None:
    form = gm.get(f"/c/sherwood/amend/{GUARD_JOINS}")
    assert fields(form)["hp"] == "40"
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="15")
    assert "hp: 40 15" in words(page)
    assert "3 come out differently" in words(page)
    assert "1 no longer possible" in words(page)
    assert "Undo it, too" in page.text
    assert "Hit points 7 of 40 −18 of 15" in words(page)


def test_an_orphan_is_kept_as_a_ruling(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="15", **{f"fix.becomes.{ROBIN_SWAYS_THE_GUARD}": "keep"})
    assert apply(gm, page, reason="a guard, not a captain").status_code == 303
    kept = revision(sherwood, ROBIN_SWAYS_THE_GUARD)
    assert kept is not None
    assert kept.provenance == "ruling"
    assert kept.reason.startswith("kept as a ruling: ")


def test_a_decision_that_was_not_previewed_is_previewed_first(gm: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="15")
    again = apply(gm, page, reason="a guard", **{f"fix.becomes.{ROBIN_SWAYS_THE_GUARD}": "keep"})
    assert again.status_code == 200
    assert "This is what it comes to as you have it now" in again.text
    assert last_entry(sherwood) == before
    assert apply(gm, again, reason="a guard").status_code == 303


def test_somebody_who_was_faster_makes_the_preview_stale(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"undo/{DRACULAS_BLOW}")
    gm.post("/c/sherwood/say", data={"line": "note somebody was faster"})
    before = last_entry(sherwood)
    stale = apply(gm, page, reason="he was too far away")
    assert stale.status_code == 409
    assert "Somebody was faster" in stale.text
    assert fields(stale)["fix.reason"] == "he was too far away"
    assert last_entry(sherwood) == before
    assert apply(gm, stale, reason="he was too far away").status_code == 303


def test_a_stale_fragment_has_a_status_that_htmx_shows(gm: TestClient) -> None:
    htmx = {"HX-Request": "true"}
    page = finished(gm, gm.get(f"/c/sherwood/undo/{DRACULAS_BLOW}", headers=htmx), htmx)
    gm.post("/c/sherwood/say", data={"line": "note somebody was faster"})
    stale = apply(gm, page, reason="too far", headers=htmx)
    assert stale.status_code == 200
    assert "Somebody was faster" in stale.text
    assert "<html" not in stale.text
    assert apply(gm, stale, reason="too far", headers=htmx).text == ""


def test_a_form_that_was_sent_twice_corrects_once(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"undo/{DRACULAS_BLOW}")
    assert apply(gm, page, reason="too far").status_code == 303
    once = last_entry(sherwood)
    assert apply(gm, page, reason="too far").status_code == 303
    assert last_entry(sherwood) == once


def test_an_adjustment_is_played_with_its_reason(gm: TestClient, sherwood: StoreFiles) -> None:
    said: Mapping[str, str] = {"fix.who": "guard", "fix.what": "hp", "fix.by": "+3", "fix.reason": "a potion"}
    page = preview(gm, f"adjust/{DRACULAS_BLOW}", **said)
    assert "guard hp +3" in page.text
    assert apply(gm, page).status_code == 303
    changed = revision(sherwood, DRACULAS_BLOW)
    assert changed is not None
    assert changed.reason == "a potion"
    assert changed.intent.second_thoughts[-1].params["why"] == "a potion"


@pytest.mark.parametrize(
    ("path", "said", "why"),
    [
        (
            f"adjust/{DRACULAS_BLOW}",
            {"fix.who": "guard", "fix.what": "hp", "fix.by": "a lot", "fix.reason": "a potion"},
            "Say by how much it changes",
        ),
        (
            f"adjust/{DRACULAS_BLOW}",
            {"fix.who": "sheriff", "fix.what": "beard", "fix.by": "+3", "fix.reason": "a razor"},
            "beard",
        ),
        (
            f"amend/{ROBINS_SHOT}",
            {"distance": "far away", "weapon.own": "heavy-melee", "fix.retype": "17,5", "fix.reason": "it was further"},
            "far away",
        ),
        (f"amend/{ROBINS_SHOT}", {"distance": "40", "fix.retype": "99", "fix.reason": "misread"}, "99"),
    ],
)
def test_a_form_that_is_refused_comes_back_as_it_was_filled_in(
    gm: TestClient, path: str, said: Mapping[str, str], why: str
) -> None:
    answer = send(gm, gm.get(f"/c/sherwood/{path}"), "look", **said)
    assert answer.status_code == 422
    assert why in " ".join(re.findall(r'<p class="error" id="fix-e" role="alert">.*?</p>', answer.text))
    kept = fields(answer)
    assert {name: kept.get(name) for name in said} == said
    assert send(gm, answer, "look").text.count('id="fix-e"') == 1, "it can be sent again from there"


def test_a_redo_may_do_without_a_reason(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"redo/{GUARDS_UNDONE_BLOW}")
    assert apply(gm, page).status_code == 303
    assert revision(sherwood, GUARDS_UNDONE_BLOW) is not None


def test_what_cannot_be_corrected_is_a_sentence(gm: TestClient) -> None:
    answer = finished(gm, gm.get("/c/sherwood/undo/6"))
    assert answer.status_code == 422
    assert "cannot be undone" in answer.text
    assert finished(gm, gm.get("/c/sherwood/undo/4000")).status_code == 422
    assert gm.get("/c/sherwood/undo/nothing").status_code == 404


def test_an_amendment_to_what_it_is_is_refused(gm: TestClient) -> None:
    answer = gm.post(f"/c/sherwood/amend/{GUARD_JOINS}", data={"fix.listed": "hp", "hp": "40", "fix.do": "look"})
    assert "nothing to amend" in finished(gm, answer).text


def test_real_dice_are_typed_again_and_a_die_that_fell_before_is_met(gm: TestClient, sherwood: StoreFiles) -> None:
    assert "now 17,5" in gm.get(f"/c/sherwood/amend/{ROBINS_SHOT}").text
    page = preview(gm, f"amend/{ROBINS_SHOT}", **{"fix.retype": "17,12,4"})
    assert "to hit d20: 5 12" in words(page)
    assert "Success: 23 against 17: hit; The Sheriff −15 HP" in words(page)
    assert apply(gm, page, reason="a 12, not a 5").status_code == 303


@pytest.fixture
def missed(gm: TestClient, sherwood: StoreFiles) -> int:
    """An attack with a real die that missed, in an open session; it is the last action."""
    for line in ("open-session Again", "attack robin sheriff unarmed --dice 2"):
        assert gm.post("/c/sherwood/say", data={"line": line}, follow_redirects=False).status_code == 303
    with sherwood.book() as book:
        return book.campaign("sherwood").history.actions


def test_a_die_that_was_never_rolled_is_typed(gm: TestClient, missed: int, sherwood: StoreFiles) -> None:
    asked = preview(gm, f"amend/{missed}", bonus="+20 surprise")
    assert "that was never rolled" in asked.text
    assert "Draw it" in asked.text
    page = send(gm, asked, "look", **{"fix.faces": "3"})
    assert "hit; The Sheriff" in words(page)
    assert apply(gm, page, reason="by surprise").status_code == 303
    found = revision(sherwood, missed)
    assert found is not None
    assert [die.face for event in found.events if isinstance(event, DiceRolled) for die in event.dice] == [2, 3]


def test_the_next_die_is_asked_for_alone(gm: TestClient, missed: int, sherwood: StoreFiles) -> None:
    first = preview(gm, f"amend/{missed}", advantage="from above", bonus="+1 aim")
    assert "needs a d20 (to hit) that was never rolled" in first.text
    next_ = send(gm, first, "look", **{"fix.faces": "19"})
    assert "needs a d" in next_.text
    assert "19 is kept" in next_.text
    page = send(gm, next_, "look", **{"fix.faces": ["19", "2"]})
    assert apply(gm, page, reason="by surprise").status_code == 303
    found = revision(sherwood, missed)
    assert found is not None
    assert [die.face for event in found.events if isinstance(event, DiceRolled) for die in event.dice] == [2, 19, 2]


def test_a_die_that_was_drawn_stays_on_record(gm: TestClient, missed: int, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    asked = preview(gm, f"amend/{missed}", bonus="+20 surprise")
    assert last_entry(sherwood) == before
    drawn = send(gm, asked, "draw")
    assert last_entry(sherwood) == before + 1
    assert "1 changed" in words(drawn)
    again = preview(gm, f"amend/{missed}", bonus="+20 surprise")
    assert "1 changed" in words(again)
    assert last_entry(sherwood) == before + 1
    assert apply(gm, drawn, reason="by surprise").status_code == 303


def test_dice_that_cannot_be_are_a_sentence(gm: TestClient, missed: int) -> None:
    asked = preview(gm, f"amend/{missed}", bonus="+20 surprise")
    wrong = send(gm, asked, "look", **{"fix.faces": "three"})
    assert wrong.status_code == 422
    assert "three" in wrong.text


def test_a_second_thought_is_recorded_at_once(gm: TestClient, mira: TestClient, sherwood: StoreFiles) -> None:
    for line in ("open-session Again", "attack robin sheriff unarmed --dice 2"):
        assert gm.post("/c/sherwood/say", data={"line": line}, follow_redirects=False).status_code == 303
    with sherwood.book() as book:
        last = book.campaign("sherwood").history.actions
    form = mira.get(f"/c/sherwood/think-again/{last}")
    assert "Robin Hood" in form.text
    assert "Sherlock" not in words(form).partition("Who pays")[2]
    before = last_entry(sherwood)
    refused = send(gm, form, "apply", **{"fix.who": "nobody"})
    assert refused.status_code in (404, 422)
    assert last_entry(sherwood) == before
    assert send(mira, form, "apply", **{"fix.faces": "1"}).status_code == 303
    assert last_entry(sherwood) == before + 1
    assert send(mira, form, "apply", **{"fix.faces": "1"}).status_code == 303
    assert last_entry(sherwood) == before + 1


def test_a_second_thought_is_for_the_last_action(gm: TestClient) -> None:
    answer = gm.get(f"/c/sherwood/think-again/{DRACULAS_BLOW}")
    assert answer.status_code == 422
    assert "for the last action only" in answer.text


def test_an_earlier_outcome_counts_again_from_the_page_of_its_card(gm: TestClient, sherwood: StoreFiles) -> None:
    said: Mapping[str, str] = {"fix.who": "guard", "fix.what": "hp", "fix.by": "+3", "fix.reason": "a potion"}
    assert apply(gm, preview(gm, f"adjust/{DRACULAS_BLOW}", **said)).status_code == 303
    tools = re.findall(r'href="/c/sherwood/(redo/24[^"]*)"', gm.get(f"/c/sherwood/card/{DRACULAS_BLOW}").text)
    assert tools == ["redo/24?fix.revision=1"]
    page = preview(gm, tools[0])
    assert "1 redone" in words(page)
    assert apply(gm, page).status_code == 303
    now = revision(sherwood, DRACULAS_BLOW)
    assert now is not None
    assert now.revision == 1
    assert now.intent.second_thoughts == ()


def test_work_that_is_no_preview_is_not_shown_as_one(gm: TestClient, clients: Clients, sherwood: StoreFiles) -> None:
    job = clients.app.services.jobs.start(GM, lambda _: "an audit")
    until(lambda: job.is_finished)
    assert gm.get(f"/c/sherwood/preview/{job.id}").status_code == 404
    before = last_entry(sherwood)
    sent = {"fix.do": "apply", "fix.preview": job.id, "fix.reason": "so"}
    answer = gm.post(f"/c/sherwood/undo/{DRACULAS_BLOW}", data=sent, follow_redirects=False)
    assert finished(gm, answer).status_code == 409
    assert last_entry(sherwood) == before
