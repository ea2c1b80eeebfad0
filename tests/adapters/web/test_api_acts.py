"""Programs act and correct as people do on the pages: the same rules, the same answers, once for each idempotency key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from httpx2 import post

from rollbook.adapters.web.serving.app import WebTable
from rollbook.application.ports.seat_tokens import Scope
from rollbook.domain.entries import RecordedEntry
from tests.support.api import AT, Program, listening_program, program
from tests.support.web import MIRA, SHERWOOD, Clients, Running, StoreFiles, reader, until

ROLL = {"verb": "roll", "params": {"expression": "1d20"}, "dice": [7]}


def history(files: StoreFiles) -> tuple[RecordedEntry, ...]:
    with files.book() as book:
        return tuple(book.campaign(SHERWOOD).history.entries)


@pytest.fixture
def ana(clients: Clients, sherwood: StoreFiles) -> Program:
    return program(clients, sherwood, "Ana")


@pytest.fixture
def mira(clients: Clients, sherwood: StoreFiles) -> Program:
    return program(clients, sherwood, "Mira")


def test_an_action_is_recorded_from_the_seat_and_answered_with_its_line(mira: Program, sherwood: StoreFiles) -> None:
    before = mira.get(AT).json()["cursor"]
    said = mira.post(f"{AT}/act", ROLL).json()
    last = history(sherwood)[-1]
    assert (last.seat, last.intent.verb if last.intent else "") == ("Mira", "roll")
    assert said["line"]["action"] == last.action and "7" in said["line"]["result"] + said["line"]["dice"]
    assert said["warnings"] == [] and said["cursor"] != before
    news = mira.get(f"{AT}/log?after={before}").json()
    assert [line["action"] for line in news["lines"]] == [last.action]
    assert news["cursor"] == said["cursor"] and not news["reset"] and not news["more"]


def test_the_same_command_twice_is_recorded_once_whichever_way_the_key_comes(
    mira: Program, sherwood: StoreFiles
) -> None:
    many = len(history(sherwood))
    first = mira.post(f"{AT}/act", ROLL, Idempotency_Key="one").json()
    again = mira.post(f"{AT}/act", {**ROLL, "command": "one"}).json()
    assert first["line"] == again["line"]
    assert len(history(sherwood)) == many + 1
    assert mira.post(f"{AT}/act", {**ROLL, "dice": [9], "command": "one"}).status_code == 422
    both = mira.post(f"{AT}/act", {**ROLL, "command": "one"}, Idempotency_Key="two")
    assert both.status_code == 422 and "two idempotency keys" in both.json()["detail"]
    mira.post(f"{AT}/act", {**ROLL, "command": "two"})
    assert len(history(sherwood)) == many + 2


def test_a_refusal_is_the_sentence_of_the_rules_with_the_parameter(mira: Program, sherwood: StoreFiles) -> None:
    before = history(sherwood)
    answer = mira.post(f"{AT}/act", {"verb": "attack", "params": {"attacker": "robin-hood", "target": "nobody"}})
    said = answer.json()
    assert (answer.status_code, said["status"], said["parameter"]) == (422, 422, "target")
    assert "nobody" in said["detail"] and said["type"] == "about:blank"
    missing = mira.post(f"{AT}/act", {"verb": "attack", "params": {"attacker": "robin-hood"}}).json()
    assert missing["parameter"] == "target"
    for verb in ("x-card", "after-x-card", "handout", "open-session", "nonsense"):
        assert mira.post(f"{AT}/act", {"verb": verb}).status_code == 404, verb
    assert history(sherwood) == before
    assert mira.post(f"{AT}/act", {**ROLL, "seat": "Jo"}).json()["line"]["seat"] == "Mira"


def test_the_gm_acts_for_a_player_and_in_secret(ana: Program, mira: Program, sherwood: StoreFiles) -> None:
    assert ana.post(f"{AT}/act", {**ROLL, "seat": "Mira"}).json()["line"]["seat"] == "Mira"
    cursor = mira.get(AT).json()["cursor"]
    hidden = {"verb": "note", "params": {"text": "zyxel"}, "secret": True}
    assert ana.post(f"{AT}/act", hidden).json()["line"]["visibility"] == "gm"
    assert mira.get(AT).json()["cursor"] == cursor
    assert "zyxel" not in mira.get(f"{AT}/log?limit=500").text and "zyxel" in ana.get(f"{AT}/log?limit=500").text


def test_odds_are_exact_and_record_nothing(mira: Program, sherwood: StoreFiles) -> None:
    before = history(sherwood)
    address = f"{AT}/odds/attack?attacker=robin-hood&target=guard&weapon=longbow"
    (check,) = mira.get(address).json()["odds"]["checks"]
    assert check["success"] == {"chance": "19/20", "percent": 95.0}
    assert history(sherwood) == before


def lines_of(one: Program, limit: int) -> list[dict[str, Any]]:
    """The whole log, read a few lines at a time."""
    lines, cursor = [], ""
    while True:
        said = one.get(f"{AT}/log?limit={limit}&after={cursor}").json()
        assert len(said["lines"]) <= limit and not said["reset"]
        lines += said["lines"]
        cursor = said["cursor"]
        if not said["more"]:
            return lines


@pytest.mark.parametrize("seat", ["Ana", "Mira", "Sam"])
def test_the_log_is_the_same_in_one_answer_and_in_many(clients: Clients, sherwood: StoreFiles, seat: str) -> None:
    one = program(clients, sherwood, seat)
    whole = one.get(f"{AT}/log?limit=500").json()["lines"]
    assert lines_of(one, 7) == lines_of(one, 1) == whole
    assert [line["entry"] for line in whole] == list(range(1, len(whole) + 1))


def test_a_correction_shows_in_the_earlier_lines_that_it_changes(ana: Program, sherwood: StoreFiles) -> None:
    made = ana.post(f"{AT}/act", ROLL).json()
    shown = ana.previewed(kind="undo", action=made["line"]["action"]).json()
    assert ana.applied(shown["preview"], reason="a slip").json() == {"outcome": "applied", "warnings": []}
    news = ana.get(f"{AT}/log?after={made['cursor']}").json()
    assert [line["status"] for line in news["lines"]] == ["correction"]
    (changed,) = news["changed"]
    assert (changed["entry"], changed["status"], changed["why"]) == (made["line"]["entry"], "undone", "a slip")


def test_a_cursor_of_another_log_begins_from_the_beginning(ana: Program, mira: Program) -> None:
    for cursor in ("rubbish", "3.0000000000000000", "999999.0000000000000000"):
        said = mira.get(f"{AT}/log?after={cursor}&limit=2").json()
        assert said["reset"] and [line["entry"] for line in said["lines"]] == [1, 2]


def test_a_preview_records_nothing_and_is_applied_once_as_it_was_shown(ana: Program, sherwood: StoreFiles) -> None:
    before = history(sherwood)
    shown = ana.previewed(kind="amend", action=12, params={"armour": "light"}).json()
    assert history(sherwood) == before
    assert any(part["title"] == "Changed" for part in shown["page"]["parts"]) and shown["page"]["sheets"]
    assert ana.applied(shown["preview"]).json()["parameter"] == "reason"
    assert ana.applied(shown["preview"], reason="so it was", command="k").status_code == 200
    many = len(history(sherwood))
    assert many > len(before)
    assert ana.applied(shown["preview"], reason="so it was", command="k").status_code == 200
    assert len(history(sherwood)) == many
    assert ana.applied("no-such-preview", reason="so").status_code == 404


def test_a_preview_that_is_stale_is_not_applied(ana: Program, sherwood: StoreFiles) -> None:
    shown = ana.previewed(kind="undo", action=20).json()
    ana.post(f"{AT}/act", ROLL)
    before = history(sherwood)
    answer = ana.applied(shown["preview"], reason="so")
    assert answer.status_code == 409 and "Somebody was faster" in answer.json()["detail"]
    assert history(sherwood) == before


def test_a_players_own_correction_is_made_and_any_other_waits_for_the_gm(
    mira: Program, ana: Program, sherwood: StoreFiles
) -> None:
    own = mira.post(f"{AT}/act", ROLL).json()["line"]["action"]
    many = len(history(sherwood))
    shown = mira.previewed(kind="undo", action=own).json()
    sent = mira.applied(shown["preview"], reason="a slip")
    assert (sent.status_code, sent.json()["outcome"]) == (202, "sent")
    until(lambda: len(history(sherwood)) == many + 1)
    refused = mira.previewed(kind="undo", action=30)
    assert refused.status_code == 422 and "Mira" in refused.json()["detail"]
    for kind in ("adjust", "override", "insert"):
        assert mira.previewed(kind=kind, action=20).status_code == 404


def test_one_seats_preview_is_nobody_elses(ana: Program, mira: Program) -> None:
    shown = ana.previewed(kind="undo", action=20).json()
    assert mira.get(f"{AT}/previews/{shown['preview']}").status_code == 404
    assert mira.applied(shown["preview"], reason="so").status_code == 404


def test_the_gms_other_corrections_are_previewed_too(ana: Program) -> None:
    for correction in (
        {"kind": "adjust", "action": 20, "who": "robin-hood", "what": "hp", "by": "-1", "reason": "a scratch"},
        {"kind": "insert", "action": 20, "line": "note 'It rained.'"},
        {"kind": "undo-correction"},
    ):
        answer = ana.previewed(**correction)
        assert answer.status_code == 200 and answer.json()["page"], (correction, answer.text)


def test_an_export_is_the_edition_of_the_seat(ana: Program, mira: Program) -> None:
    ana.post(f"{AT}/act", {"verb": "note", "params": {"text": "zyxel"}, "secret": True})
    for one, seen_by, has in ((ana, "", True), (mira, "player:Mira", False)):
        answer = one.post(f"{AT}/export")
        assert answer.headers["content-disposition"] == f'attachment; filename="{SHERWOOD}.jsonl"'
        first, *rest = answer.text.splitlines()
        assert json.loads(first).get("for", "") == seen_by and len(rest) > 40
        assert ("zyxel" in answer.text) == has


def test_bells_ring_for_what_the_seat_may_see_and_end_with_the_token(served: Running, sherwood: StoreFiles) -> None:
    app: WebTable = served.app
    with sherwood.book() as book:
        campaign = book.campaign(SHERWOOD)
        mira, _ = listening_program(served, campaign, "Mira", Scope.READ)
        at = json.loads(mira.get(AT)[1])["cursor"]
        with mira.listening(f"{AT}/events?after={at}") as bells:
            campaign.do("note", {"text": "zyxel", "to": "gm"})
            assert not bells.bell(0.7)
            campaign.do("note", {"text": "Rain."})
            cursor = bells.bell()
            assert cursor and cursor != at
            news = json.loads(mira.get(f"{AT}/log?after={at}")[1])
            assert news["cursor"] == cursor and ["Rain." in line["result"] for line in news["lines"]] == [True]
            (own,) = app.sessions.links.tokens_of(SHERWOOD, campaign.state.identity)
            app.sessions.links.revoke_token(own.number)
            campaign.do("note", {"text": "Snow."})
            assert bells.ends(15)
        assert mira.get(f"{AT}/events")[0] == 401


def test_streams_count_as_a_browsers(served: Running, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        mira, _ = listening_program(served, book.campaign(SHERWOOD), "Mira", Scope.READ)
    with mira.listening(f"{AT}/events") as bells:
        assert bells.bell()
        assert served.app._guards._streams._of_campaign == {SHERWOOD: 1}


def test_a_browser_hears_what_a_program_does(served: Running, sherwood: StoreFiles) -> None:
    with sherwood.book() as book:
        _, token = listening_program(served, book.campaign(SHERWOOD), "Jo", Scope.ACT)
    with reader(served, MIRA).listening(f"/c/{SHERWOOD}/stream") as bells:
        first = bells.bell()
        made = post(f"{served.address}{AT}/act", json=ROLL, headers={"Authorization": f"Bearer {token}"})
        assert made.status_code == 200
        assert bells.bell() not in ("", first)
