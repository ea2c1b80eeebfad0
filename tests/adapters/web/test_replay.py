"""The replay of a campaign that is being played: its moments come a few at a time, and are those of the replay file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from rollbook.adapters.exports.replay_frames import merge_patch, plain
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.adapters.web.replay import pages as chunks
from rollbook.adapters.web.serving.app import create_app
from rollbook.adapters.wiring import open_book
from rollbook.application.visibility.editions.edition import Edition
from rollbook.projections.replay import steps_of
from tests.support.casts import CastCampaign
from tests.support.web import GM, JO, MIRA, Clients, Identity, StoreFiles
from tests.support.web_tables import in_the_fight

REPLAY = "/c/sherwood/replay"
Json = dict[str, Any]


@pytest.fixture(scope="module")
def fight_files(tmp_path_factory: pytest.TempPathFactory) -> StoreFiles:
    return in_the_fight(Path(tmp_path_factory.mktemp("replay")))


@pytest.fixture
def at_table(fight_files: StoreFiles) -> Iterator[Clients]:
    app = create_app(fight_files.store, fight_files.seeds)
    with TestClient(app) as started:
        yield Clients(app, started)


def merged(value: Any, patch: Any) -> Any:
    """RFC 7396, as the page does it."""
    if not isinstance(patch, dict):
        return patch
    made = dict(value) if isinstance(value, dict) else {}
    for key, change in patch.items():
        if change is None:
            made.pop(key, None)
        else:
            made[key] = merged(made.get(key), change)
    return made


def fetched(client: TestClient, asked: str) -> list[Json]:
    """All chunks of a stretch."""
    found: list[Json] = []
    while True:
        begin = sum(len(each["steps"]) for each in found)
        answer = client.get(f"{REPLAY}/moments?{asked}&from={begin}")
        assert answer.status_code == 200
        found.append(answer.json())
        if begin + len(found[-1]["steps"]) >= found[-1]["total"]:
            return found


def moments(all_: list[Json], course: str) -> list[Json]:
    """Every moment of a course, from whole ones and changes."""
    found: list[Json] = []
    for each in all_:
        said = each[course] or each["then"]
        for at, change in enumerate(said["changes"]):
            whole = said["whole"].get(str(at))
            found.append(whole if whole is not None else merged(found[-1], change))
            if found[1:]:
                assert merge_patch(found[-2], found[-1]) == change
    return found


@pytest.mark.parametrize("identity", [GM, MIRA, JO], ids=["gm", "mira", "jo"])
@pytest.mark.parametrize("size", [5, 64])
def test_the_moments_are_those_of_a_replay_file_for_the_asker(
    at_table: Clients, fight_files: StoreFiles, identity: Identity, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", size)
    all_ = fetched(at_table.as_(identity), "session=all")
    with fight_files.book() as book:
        edition = Edition(book.campaign("sherwood"), identity.audience)
        lines = edition.log()
        steps = list(steps_of(edition.history, edition.session.rulebook, lines))
    drawn = [step for each in all_ for step in each["steps"]]
    assert [step["no"] for step in drawn] == [step.number for step in steps]
    assert [step.get("text", "") for step in drawn] == [step.line.result for step in steps]
    assert moments(all_, "then") == [json.loads(json.dumps(plain(step.then))) for step in steps]
    assert moments(all_, "corrected") == [json.loads(json.dumps(plain(step.corrected))) for step in steps]
    assert any(each["corrected"] for each in all_)
    assert len(all_) == -(-len(steps) // size)


def test_a_player_is_told_nothing_of_what_is_hidden(at_table: Clients) -> None:
    whole, told = (json.dumps(fetched(at_table.as_(identity), "session=all")) for identity in (GM, MIRA))
    for secret in ("Spy", "waits for a sign"):
        assert secret in whole
        assert secret not in told


def test_one_watches_from_any_card_on_and_without_scripts_goes_on_by_links(at_table: Clients) -> None:
    client = at_table.as_(MIRA)
    page = client.get(f"{REPLAY}?at=20")
    assert page.status_code == 200
    assert 'data-from="/c/sherwood/replay/moments?session=1' in unescape(page.text)
    without = re.search(r"<noscript>\s*<main.*?</noscript>", page.text, re.DOTALL)
    assert without is not None
    assert "Robin Hood" in without[0]
    assert f'href="{REPLAY}?at=21"' in without[0]
    assert f'href="{REPLAY}?at=19"' in without[0]
    early = client.get(f"{REPLAY}?at=2")
    assert "selected>all there is" in early.text, "an entry before the first session is in none"


def test_what_is_not_there_is_said(at_table: Clients) -> None:
    client = at_table.as_(MIRA)
    for asked in ("at=99999", "session=7"):
        answer = client.get(f"{REPLAY}?{asked}")
        assert answer.status_code == 404
        assert "<h1>" in answer.text
    assert client.get(f"{REPLAY}/moments?session=1&from=9999").json()["steps"] == []


def test_moments_come_with_how_far_they_go_and_say_when_all_has_to_be_read_again(
    at_table: Clients, fight_files: StoreFiles
) -> None:
    client = at_table.as_(MIRA)
    cursor = client.get(f"{REPLAY}/moments?session=1&from=0").json()["cursor"]

    def asked() -> Json:
        found: Json = client.get(f"{REPLAY}/moments", params={"session": "1", "from": "0", "after": cursor}).json()
        return found

    total = asked()["total"]
    with fight_files.book() as book:
        note = book.campaign("sherwood").do("note", {"text": "an owl calls"}).action
    assert asked()["total"] == total + 1
    cursor = asked()["cursor"]
    with fight_files.book() as book:
        book.campaign("sherwood").corrections.undo(note, reason="it was a fox").apply()
    assert asked() == {"again": True}
    cursor = "17.0000000000000000"
    assert asked() == {"again": True}


def test_a_long_session_has_several_pages(at_table: Clients, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "PART", 16)
    client = at_table.as_(GM)
    page = client.get(f"{REPLAY}?session=all&part=1")
    assert "part 2 of 3" in page.text
    assert "The part before" in page.text
    numbers = [step["no"] for each in fetched(client, "session=all&part=1") for step in each["steps"]]
    assert numbers == list(range(17, 33))
    assert "part 2 of 3" in client.get(f"{REPLAY}?at=20&session=all").text


@pytest.mark.parametrize("game", tuple(discover().keys))
def test_every_game_can_be_watched(game: str, tmp_path: Path) -> None:
    with open_book(tmp_path / "rollbook.db", tmp_path / "seeds") as book:
        made = CastCampaign(game, book)
        made.take(made.cast.attack)
    app = create_app(tmp_path / "rollbook.db", tmp_path / "seeds")
    with TestClient(app) as started:
        client = Clients(app, started).as_(GM)
        here = f"/c/{made.campaign.id}/replay"
        assert client.get(here).status_code == 200
        said = client.get(f"{here}/moments?session=all&from=0").json()
    assert said["total"] == len(said["steps"]) == made.campaign.head.entry
    assert len(said["chain"]) == said["total"]
    assert said["people"].keys() == made.campaign.state.characters.keys()
