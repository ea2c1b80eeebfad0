"""What the command line can say of a correction is said on the card, too: all of it goes through the same preview."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.testclient import TestClient

from rollbook.domain.events import DiceRolled
from tests.support.web import GM, StoreFiles, clients_of
from tests.support.web_corrections import apply, fields, finished, last_entry, preview, revision, send, words
from tests.support.web_tables import at_the_beginning

GUARD_JOINS = 13
ROBINS_SHOT = 20
GUARDS_UNDONE_BLOW = 22
DRACULAS_BLOW = 24
STREAM_CHECK = 16
ROBIN_SWAYS_THE_GUARD = 39


def counts(sherwood: StoreFiles, action: int) -> bool:
    """Whether an action counts now."""
    with sherwood.book() as book:
        return book.campaign("sherwood").history.effective(action) is not None


def _corrections(page: str) -> list[str]:
    return re.findall(r'href="/c/sherwood/(undo-correction/\d+)"', page)


def test_a_correction_is_undone_on_its_card(gm: TestClient, sherwood: StoreFiles) -> None:
    assert apply(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), reason="too far").status_code == 303
    assert not counts(sherwood, DRACULAS_BLOW)
    latest = _corrections(gm.get("/c/sherwood").text)[-1]
    page = preview(gm, latest)
    assert "Undo the correction @" in page.text
    assert "too far" in words(page)
    assert "1 redone" in words(page)
    done = apply(gm, page, reason="he was near after all")
    assert done.headers["location"] == f"/c/sherwood#e{latest.partition('/')[2]}"
    assert counts(sherwood, DRACULAS_BLOW)


def test_a_correction_is_undone_once(gm: TestClient) -> None:
    apply(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), reason="too far")
    latest = _corrections(gm.get("/c/sherwood").text)[-1]
    apply(gm, preview(gm, latest), reason="he was near after all")
    again = finished(gm, gm.get(f"/c/sherwood/{latest}"))
    assert again.status_code == 422
    assert "as it was before it already" in again.text
    assert finished(gm, gm.get("/c/sherwood/undo-correction/20")).status_code == 422


def test_players_have_the_button_on_their_own_corrections_alone(gm: TestClient, mira: TestClient) -> None:
    own = mira.get("/c/sherwood").text
    cards = re.findall(r'<li class="card card-correction".*?</div></li>', own, re.DOTALL)
    by = {bool(_corrections(card)): re.findall(r'<b><bdi dir="auto">(.*?)</bdi></b>', card)[-1] for card in cards}
    assert by.get(True, "Mira") == "Mira"
    assert by[False] != "Mira"


def test_dice_of_the_stream_are_overridden_for_a_reason_and_what_fell_stays(
    gm: TestClient, sherwood: StoreFiles
) -> None:
    for line in ("open-session Again", "attack robin sheriff unarmed"):
        assert gm.post("/c/sherwood/say", data={"line": line}, follow_redirects=False).status_code == 303
    with sherwood.book() as book:
        history = book.campaign("sherwood").history
        action, outcome = history.actions, history.entries[-1]
    fell = next(event for event in outcome.events if isinstance(event, DiceRolled)).dice[0].face
    face = 20 if fell != 20 else 19  # what fell already would change nothing
    form = gm.get(f"/c/sherwood/override/{action}")
    assert "on a d20" in words(form)
    refused = send(gm, form, "look", **{"fix.over": str(face)})
    assert "needs its reason" in refused.text
    page = send(gm, form, "look", **{"fix.over": str(face), "fix.reason": "the die was cocked"})
    assert page.status_code in (200, 422), page.text
    for _ in range(50):  # a critical hit has dice of its own, and these may bring more
        if "never rolled" in page.text:
            page = send(gm, page, "draw")
    assert apply(gm, page).status_code == 303
    now = revision(sherwood, action)
    assert now is not None
    assert now.reason == "the die was cocked"
    rolled = next(event for event in now.events if isinstance(event, DiceRolled))
    assert (rolled.dice[0].face, rolled.sources[0].kind) == (face, "override")
    assert f"override/{action}" in gm.get(f"/c/sherwood/card/{action}").text


def test_real_dice_are_not_overridden(gm: TestClient, mira: TestClient) -> None:
    refused = gm.get(f"/c/sherwood/override/{ROBINS_SHOT}")
    assert refused.status_code == 422
    assert "came from the stream" in refused.text
    assert mira.get(f"/c/sherwood/override/{ROBINS_SHOT}").status_code == 403


def test_all_that_came_after_stays_as_it_is_recorded(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="15")
    assert "3 come out differently" in words(page)
    page = send(gm, page, "look", **{"fix.later": "stand"})
    assert "differently" not in words(page).partition("Guard")[0]
    assert fields(page)["fix.later"] == "stand"
    assert apply(gm, page, reason="a guard, not a captain").status_code == 303
    changed = revision(sherwood, GUARD_JOINS)
    assert changed is not None
    assert changed.stand


def test_all_that_is_no_longer_possible_stays_as_rulings(gm: TestClient, sherwood: StoreFiles) -> None:
    page = send(gm, preview(gm, f"amend/{GUARD_JOINS}", hp="15"), "look", **{"fix.later": "keep"})
    assert apply(gm, page, reason="a guard, not a captain").status_code == 303
    kept = revision(sherwood, ROBIN_SWAYS_THE_GUARD)
    assert kept is not None
    assert kept.provenance == "ruling"


def test_several_actions_are_undone_at_once_by_number_or_filter(gm: TestClient, sherwood: StoreFiles) -> None:
    page = send(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), "look", **{"fix.others": f"{ROBINS_SHOT}, 39-39"})
    assert f"Undo #{DRACULAS_BLOW} and {ROBINS_SHOT}, 39-39" in page.text
    assert "3 undone" in words(page)
    page = send(gm, page, "look", **{"fix.others": "verb=attack who=robin"})
    assert apply(gm, page, reason="not there").status_code == 303
    assert not counts(sherwood, ROBINS_SHOT)
    assert not counts(sherwood, DRACULAS_BLOW)
    page = send(gm, preview(gm, f"redo/{ROBINS_SHOT}"), "look", **{"fix.others": "status=undone verb=attack"})
    assert apply(gm, page).status_code == 303
    assert counts(sherwood, DRACULAS_BLOW)
    assert counts(sherwood, GUARDS_UNDONE_BLOW)


def test_a_filter_that_fits_nothing_or_cannot_be_read_is_a_sentence_beside_the_form(gm: TestClient) -> None:
    for wrong in ("who=nobody", "whom=robin", "4000"):
        page = send(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), "look", **{"fix.others": wrong})
        assert page.status_code == 422
        assert fields(page)["fix.others"] == wrong
        assert 'class="error"' in page.text


def test_a_redo_takes_along_what_it_is_told_to(gm: TestClient, sherwood: StoreFiles) -> None:
    both = send(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), "look", **{"fix.others": str(ROBINS_SHOT)})
    apply(gm, both, reason="not there")
    alone = send(gm, preview(gm, f"redo/{ROBINS_SHOT}"), "look", **{"fix.along": "alone"})
    assert "1 redone" in words(alone)
    together = send(gm, alone, "look", **{"fix.along": "together"})
    assert "2 redone" in words(together)
    assert apply(gm, together).status_code == 303
    assert counts(sherwood, DRACULAS_BLOW)


def test_an_adjustment_is_taken_out_again(gm: TestClient, sherwood: StoreFiles) -> None:
    said = {"fix.who": "guard", "fix.what": "hp", "fix.by": "+3", "fix.reason": "a potion"}
    apply(gm, preview(gm, f"adjust/{DRACULAS_BLOW}", **said))
    form = gm.get(f"/c/sherwood/adjust/{DRACULAS_BLOW}")
    assert "Remove what was adjusted in it: guard hp +3" in words(form)
    page = send(gm, form, "look", **{"fix.unadjusted": "yes", "fix.reason": "it was empty"})
    assert apply(gm, page).status_code == 303
    now = revision(sherwood, DRACULAS_BLOW)
    assert now is not None
    assert now.intent.second_thoughts == ()


def test_the_reason_that_counts_is_the_one_that_was_typed_last(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"amend/{GUARD_JOINS}", hp="41", **{"fix.reason": "first thought"})
    assert fields(page)["fix.reason"] == "first thought"
    assert apply(gm, page, reason="better words").status_code == 303
    changed = revision(sherwood, GUARD_JOINS)
    assert changed is not None
    assert changed.reason == "better words"
    page = preview(
        gm, f"adjust/{DRACULAS_BLOW}", **{"fix.who": "guard", "fix.what": "hp", "fix.by": "+3", "fix.reason": "a"}
    )
    before = last_entry(sherwood)
    again = apply(gm, page, reason="b")
    assert again.status_code == 200  # an adjustment plays its reason, so it is previewed again
    assert last_entry(sherwood) == before
    assert apply(gm, again).status_code == 303


def test_a_player_corrects_in_all_these_ways_only_what_is_theirs(mira: TestClient, sherwood: StoreFiles) -> None:
    before = last_entry(sherwood)
    page = finished(mira, mira.get("/c/sherwood/undo/18", params={"fix.others": "1-30"}))
    assert "these, too" not in page.text
    assert "1-30" not in page.text
    assert last_entry(sherwood) == before


def test_the_last_correction_is_undone_without_naming_it(gm: TestClient, sherwood: StoreFiles) -> None:
    assert 'href="/c/sherwood/undo-correction/last"' in gm.get("/c/sherwood").text
    assert apply(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), reason="too far").status_code == 303
    page = preview(gm, "undo-correction/last")
    assert "too far" in words(page)
    assert re.search(r"Undo the correction @\d+", page.text)
    done = apply(gm, page, reason="he was near after all")
    assert re.search(r"#e\d+$", done.headers["location"])
    assert counts(sherwood, DRACULAS_BLOW)
    again = preview(gm, "undo-correction/last")  # of that it is the undo again
    assert apply(gm, again, reason="no, too far").status_code == 303
    assert not counts(sherwood, DRACULAS_BLOW)


def test_where_nothing_was_corrected_the_last_correction_is_a_sentence(tmp_path: Path) -> None:
    with clients_of(at_the_beginning(tmp_path)) as clients:
        gm = clients.as_(GM)
        answer = finished(gm, gm.get("/c/sherwood/undo-correction/last"))
        assert answer.status_code == 422
        assert "Nothing has been corrected yet" in answer.text


def test_the_gm_corrects_for_a_player_as_far_as_that_player_may(gm: TestClient, sherwood: StoreFiles) -> None:
    page = preview(gm, f"undo/{ROBINS_SHOT}")
    assert '<option value="Mira">Mira</option>' in page.text
    page = send(gm, page, "look", **{"fix.seat": "Mira"})
    assert fields(page)["fix.seat"] == "Mira"
    assert apply(gm, page, reason="she says so").status_code == 303
    with sherwood.book() as book:
        undone = book.campaign("sherwood").history.entries[-1]
        assert (undone.seat, undone.reason) == ("Mira", "she says so")
    refused = send(gm, preview(gm, f"undo/{DRACULAS_BLOW}"), "look", **{"fix.seat": "Mira"})
    assert refused.status_code == 422
    assert "Mira can correct what Mira did" in refused.text


def test_a_player_corrects_for_nobody_else(mira: TestClient, sherwood: StoreFiles) -> None:
    page = preview(mira, f"undo/{ROBINS_SHOT}")
    assert "fix-seat" not in page.text
    apply(mira, page, reason="so", **{"fix.seat": "Jo"})
    with sherwood.book() as book:
        assert book.campaign("sherwood").history.entries[-1].seat in ("Mira", "Ana")
