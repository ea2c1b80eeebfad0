"""A world of Foundry becomes a campaign: nothing is lost, nothing comes twice, and nobody sees what was whispered to others."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.adapters.imports.foundry.html import read_content
from rollbook.adapters.imports.foundry.importer import read_foundry, recognises
from rollbook.application.book import Book
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain import events
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.events import CharacterKind, Role
from rollbook.projections import session_log
from rollbook.projections.luck import gather, report
from tests.support.foundry import (
    ANNA,
    BEN,
    GM,
    GOBLIN,
    WorldLog,
    all_events,
    die,
    folder,
    plus,
    roll,
    rolls_of,
    take_in,
)

ATTACK = roll("1d20 + 5", 19, die(20, 14), *plus(5))


@pytest.fixture
def world() -> WorldLog:
    return WorldLog()


@pytest.fixture(params=["one", "two"])
def real(request: pytest.FixtureRequest) -> Path:
    found = folder()
    if found is None:
        pytest.skip("the real campaigns are not here; ROLLBOOK_SHARED says where they are")
    path: Path = found / request.param
    return path


def documents(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (path / "messages.db").read_text(encoding="utf-8").splitlines()]


# The real campaigns.


def test_every_roll_of_a_real_campaign_comes_in_with_its_total(real: Path, book: Book) -> None:
    assert take_in(book, real) == ()
    recorded = sorted(documents(real), key=lambda one: (one["timestamp"], one["_id"]))
    totals = [json.loads(rolled)["total"] for one in recorded for rolled in one["rolls"]]
    assert [rolled.total for rolled in rolls_of(book)] == totals
    dice = sum(str(one["rolls"]).count('"results":') for one in recorded)
    assert sum(len({die.term for die in rolled.dice}) for rolled in rolls_of(book)) == dice > 100


def test_dice_and_numbers_of_every_real_roll_come_to_its_total(real: Path, book: Book) -> None:
    take_in(book, real)
    for rolled in rolls_of(book):
        assert sum(one.value for one in rolled.dice) + sum(flat.amount for flat in rolled.flat) == rolled.total


def test_no_whisper_of_a_real_campaign_is_in_the_file_of_anybody_else(real: Path, book: Book, tmp_path: Path) -> None:
    take_in(book, real)
    campaign = book.campaign("greenwood")
    names = {user["_id"]: user["name"] for user in map(json.loads, (real / "users.db").read_text().splitlines())}
    whispered = {f"message {one['_id']}": one for one in documents(real) if one["whisper"]}
    hidden = {
        entry.number: whispered[entry.command] for entry in campaign.session.log.entries() if entry.command in whispered
    }
    assert len(hidden) == len(whispered) > 50
    for seat, sitting in campaign.state.seats.items():
        if sitting.role is Role.GM:
            continue
        path = tmp_path / f"{seat}.jsonl"
        export_shown(campaign.session.log, path, Reader(seat))
        seen = {json.loads(line)["entry"] for line in path.read_text().splitlines()[1:] if '"entry"' in line}
        for number, message in hidden.items():
            readers = {names.get(key) for key in (*message["whisper"], message["user"])}
            assert (number in seen) <= (seat in readers)


def test_a_real_campaign_can_be_searched_counted_verified_and_read_by_a_player(real: Path, book: Book) -> None:
    take_in(book, real)
    campaign = book.campaign("greenwood")
    assert campaign.audit()[0].verdict is Verdict.VERIFIED
    campaign.session.project()
    wanted = session_log.Wanted(campaign=campaign.id, search="perception")
    assert len(session_log.lines(campaign.read_model.db, wanted)) > 5
    luck = report(gather(campaign.history), "session")
    assert luck.rolls == len(rolls_of(book))
    assert {group.key for group in luck.groups} <= {str(n + 1) for n in range(campaign.state.session.number)}
    player = next(name for name, seat in campaign.state.seats.items() if seat.role is Role.PLAYER)
    assert 0 < report(gather(as_seen(campaign, player).history)).rolls < luck.rolls


def test_a_longer_log_of_a_real_campaign_adds_what_is_new_and_comes_to_the_same(
    real: Path, book: Book, tmp_path: Path
) -> None:
    whole = sorted(documents(real), key=lambda one: (one["timestamp"], one["_id"]))
    half = tmp_path / "half"
    half.mkdir()
    for kind in ("users", "actors"):
        (half / f"{kind}.db").write_text((real / f"{kind}.db").read_text())
    take_in(book, real, "at once")
    for many in (len(whole) // 3, len(whole) // 2, len(whole), len(whole)):
        (half / "messages.db").write_text("".join(json.dumps(one) + "\n" for one in whole[:many]))
        assert take_in(book, half, "bit by bit") == ()
    # Who plays somebody may only show in later messages, and with it whether the table knows them: so rollers may differ.
    bits, at_once = (
        [(rolled.typed, rolled.expression, rolled.total, rolled.dice) for rolled in rolls_of(book, name)]
        for name in ("bit by bit", "at once")
    )
    assert bits == at_once
    bit, once = book.campaign("bit by bit").state, book.campaign("at once").state
    assert bit.session.number == once.session.number
    assert sorted(who.name for who in bit.characters.values()) == sorted(who.name for who in once.characters.values())
    assert bit.seats == once.seats


# What is in a world.


def test_seats_characters_and_sessions_come_from_the_world(world: WorldLog, book: Book, tmp_path: Path) -> None:
    world.roll(ATTACK)
    world.roll(ATTACK, minutes=60)
    world.roll(ATTACK, minutes=60 * 24)
    take_in(book, world.write(tmp_path / "greenwood"))
    state = book.campaign("greenwood").state
    assert {name: (seat.role, seat.number) for name, seat in state.seats.items()} == {
        "Gamemaster": (Role.GM, 0), "Anna": (Role.PLAYER, 2), "Ben": (Role.PLAYER, 1),
    }  # fmt: skip
    robin = state.characters["robin"]
    assert (robin.seat, robin.kind, robin.level, robin.experience) == ("Anna", CharacterKind.PLAYER_CHARACTER, 3, 950)
    assert (robin.stats["max_hp"], robin.lost, robin.stats["dex"]) == (24, 7, 18)
    assert state.session.number == 2
    assert not state.session.is_open


def test_a_public_roll_of_a_monster_shows_its_name_and_not_its_numbers(
    world: WorldLog, book: Book, tmp_path: Path
) -> None:
    world.roll(ATTACK, GM, GOBLIN)
    take_in(book, world.write(tmp_path / "greenwood"))
    campaign = book.campaign("greenwood")
    assert campaign.state.characters["goblin"].stats["max_hp"] == 7
    seen = as_seen(campaign, "Anna").state.characters["goblin"]
    assert (seen.name, dict(seen.stats)) == ("Goblin", {})


def test_a_monster_of_a_whisper_is_hidden_until_everybody_sees_it(world: WorldLog, book: Book, tmp_path: Path) -> None:
    world.roll(ATTACK, GM, GOBLIN, whisper=[GM])
    path = world.write(tmp_path / "greenwood")
    take_in(book, path)
    assert book.campaign("greenwood").state.characters["hidden-goblin"].hidden
    assert "goblin" not in str(as_seen(book.campaign("greenwood"), "Anna").history.state).casefold()
    world.roll(ATTACK, GM, GOBLIN)
    take_in(book, world.write(path))
    assert not book.campaign("greenwood").state.characters["hidden-goblin"].hidden
    seen = as_seen(book.campaign("greenwood"), "Anna")
    assert seen.state.characters["hidden-goblin"].name == "Goblin"
    assert len(gather(seen.history).counting) == 1


@pytest.mark.parametrize(
    ("author", "whisper", "blind", "readers"),
    [
        (ANNA, [], False, {"Anna", "Ben"}),
        (ANNA, [GM], False, {"Anna"}),
        (ANNA, [GM], True, set()),
        (ANNA, [ANNA], False, {"Anna"}),
        (ANNA, [BEN], False, {"Anna", "Ben"}),
        (GM, [GM], False, set()),
        (GM, [BEN], False, {"Ben"}),
        (GM, [BEN, GM], False, {"Ben"}),
        (GM, ["gone000000000000"], False, set()),
        (BEN, [GM, ANNA], False, {"Anna", "Ben"}),
    ],
)
def test_a_roll_is_seen_by_those_to_whom_it_was_whispered(
    world: WorldLog, book: Book, tmp_path: Path, author: str, whisper: list[str], blind: bool, readers: set[str]
) -> None:
    world.roll(ATTACK, author, whisper=whisper, blind=blind, flavor="a word in the ear")
    take_in(book, world.write(tmp_path / "greenwood"))
    campaign = book.campaign("greenwood")
    seen = {seat for seat in ("Anna", "Ben") if rolled_in(as_seen(campaign, seat).history.entries)}
    assert seen == readers
    assert bool(rolled_in(as_seen(campaign, "").history.entries)) is (not whisper)
    assert len(rolls_of(book)) == 1


def rolled_in(entries: object) -> list[events.DiceRolled]:
    return [event for entry in entries for event in entry.events if isinstance(event, events.DiceRolled)]


def test_a_whisper_to_several_is_one_roll_and_words_for_the_others(world: WorldLog, book: Book, tmp_path: Path) -> None:
    world.roll(ATTACK, GM, None, whisper=[ANNA, BEN])
    take_in(book, world.write(tmp_path / "greenwood"))
    campaign = book.campaign("greenwood")
    assert len(rolls_of(book)) == 1
    assert rolled_in(as_seen(campaign, "Anna").history.entries)
    (words,) = [
        e
        for entry in as_seen(campaign, "Ben").history.entries
        for e in entry.events
        if isinstance(e, events.NoteWritten)
    ]
    assert "1d20 + 5 = 19" in words.text


def test_talk_cards_and_rests_come_in_as_what_they_are(world: WorldLog, book: Book, tmp_path: Path) -> None:
    robin = {"actor": "hero000000000000", "alias": "Robin"}
    card = (
        '<div class="dnd5e chat-card item-card" data-actor-id="hero000000000000" data-item-id="bow0000000000000">'
        '<h3 class="item-name">Longbow</h3><p>150/600 ft.</p><button>Attack</button><script>alert(1)</script></div>'
    )
    world.say(content="out of <b>character</b> &amp; back", type=1)
    world.say(content="<p>Who goes <em>there?</em></p>", type=2, speaker=robin)
    world.say(content=card, type=0, speaker=robin)
    world.say(content="<p>Robin takes a long rest.</p>", flavor="Long Rest (New Day)", type=0, speaker=robin)
    take_in(book, world.write(tmp_path / "greenwood"))
    entries = [
        entry for entry in book.campaign("greenwood").session.log.entries() if entry.command.startswith("message")
    ]
    assert [(entry.intent.verb, entry.actor) for entry in entries] == [
        ("note", ""),
        ("note", "robin"),
        ("use", "robin"),
        ("rest", "robin"),
    ]
    texts = [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)]
    assert texts[0] == "out of character & back"
    assert texts[1] == "Who goes there?"
    assert texts[2] == "Longbow · 150/600 ft."
    assert [event.power for event in all_events(book) if isinstance(event, events.PowerUsed)] == ["Longbow"]


def test_a_roll_within_words_is_a_roll(world: WorldLog, book: Book, tmp_path: Path) -> None:
    within = json.dumps(roll("2d6", 9, die(6, 4, 5))).replace('"', "&quot;")
    world.say(content=f'I lose <a class="inline-roll inline-result" data-roll="{within}"><i></i> 9</a> coins')
    take_in(book, world.write(tmp_path / "greenwood"))
    (rolled,) = rolls_of(book)
    assert (rolled.expression, rolled.total, len(rolled.dice)) == ("2d6", 9, 2)
    assert "I lose 9 coins" in [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)]


@pytest.mark.parametrize(
    "piece", ["<", "<!", "<a ", '<a href="', "</", "<!--", "<script>", "<a x=", "&#", "<p>", "< ", "<p a='b' "]
)
def test_html_that_is_left_open_is_read_in_no_time(piece: str) -> None:
    began = time.process_time()
    assert len(read_content(piece * (200_000 // len(piece))).words) <= 20_000
    assert time.process_time() - began < 4


# How a world is stored.


@pytest.mark.parametrize("written", ["write", "export", "level"])
def test_each_version_of_a_world_is_the_same_campaign(
    world: WorldLog, book: Book, tmp_path: Path, written: str
) -> None:
    world.roll(ATTACK)
    world.say(content="well done", user=BEN, speaker={"alias": "Ben"})
    world.say(content="a secret", user=GM, whisper=[GM])
    path = tmp_path / "greenwood.json"
    getattr(world, written)(path)
    take_in(book, path)
    assert [(rolled.roller, rolled.total) for rolled in rolls_of(book)] == [("robin", 19)]
    assert recognises(path)
    state = book.campaign("greenwood").state
    assert state.characters["robin"].level == 3


def test_messages_of_version_13_are_read(world: WorldLog, book: Book, tmp_path: Path) -> None:
    said = world.roll(ATTACK)
    said["author"], said["style"], said["type"] = said.pop("user"), 0, "base"
    said["rolls"] = [json.dumps(ATTACK)]
    take_in(book, world.write(tmp_path / "greenwood"))
    (rolled,) = rolls_of(book)
    assert rolled.total == 19
    assert book.campaign("greenwood").history.entries[-2].seat == "Anna"


def test_the_one_roll_of_version_9_is_read(world: WorldLog, book: Book, tmp_path: Path) -> None:
    said = world.roll(ATTACK)
    del said["rolls"]
    said["roll"] = json.dumps(ATTACK)
    take_in(book, world.write(tmp_path / "greenwood"))
    assert [rolled.total for rolled in rolls_of(book)] == [19]


def test_a_line_that_replaces_or_deletes_an_earlier_one_counts_and_is_said(
    world: WorldLog, book: Book, tmp_path: Path
) -> None:
    first, second = world.say(content="frist"), world.say(content="gone")
    world.messages += [{**first, "content": "first"}, {"_id": second["_id"], "$$deleted": True}]
    (said,) = take_in(book, world.write(tmp_path / "greenwood"))
    assert "1 change of messages and 1 deletion" in said
    assert [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)] == ["first"]


def test_what_is_edited_or_deleted_after_the_import_is_said_and_kept(
    world: WorldLog, book: Book, tmp_path: Path
) -> None:
    world.say(content="one")
    world.say(content="two")
    path = world.write(tmp_path / "greenwood")
    take_in(book, path)
    world.messages[0]["content"] = "another"
    del world.messages[1]
    world.say(content="three")
    warnings = take_in(book, world.write(path))
    assert any(
        each.startswith("Edited in Foundry since they were imported, and left as they were: #") for each in warnings
    )
    assert any(each.startswith("Not in this file any more, and kept: #") for each in warnings)
    assert [event.text for event in all_events(book) if isinstance(event, events.NoteWritten)] == [
        "one",
        "two",
        "three",
    ]


def test_a_sheet_that_has_changed_since_is_taken_over_by_what_it_changed(
    world: WorldLog, book: Book, tmp_path: Path
) -> None:
    world.roll(ATTACK)
    path = world.write(tmp_path / "greenwood")
    take_in(book, path)
    robin = json.loads(json.dumps(world.actors[0]))
    robin["system"]["details"] = {"level": 4, "xp": {"value": 2700}}
    robin["system"]["attributes"]["hp"] = {"value": 31, "max": 31}
    world.actors = (robin, *world.actors[1:])
    take_in(book, world.write(path))
    now = book.campaign("greenwood").state.characters["robin"]
    assert (now.level, now.experience, now.stats["max_hp"], now.lost, now.stats["dex"]) == (4, 2700, 31, 0, 18)
    entries = book.campaign("greenwood").head.entry
    take_in(book, path)
    assert book.campaign("greenwood").head.entry == entries


def test_a_campaign_of_another_world_is_not_added_to(world: WorldLog, book: Book, tmp_path: Path) -> None:
    world.say(content="one")
    take_in(book, world.write(tmp_path / "greenwood"))
    other = WorldLog(users=({"_id": "other00000000000", "name": "Anna", "role": 4},))
    other.say("other00000000000", content="two", _id="another000000000")
    with pytest.raises(RollbookError, match="already a campaign"):
        take_in(book, other.write(tmp_path / "other"))


# What is no world.


def test_what_is_no_world_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        read_foundry(tmp_path / "nothing")
    with pytest.raises(RollbookError, match="holds no messages of Foundry's"):
        read_foundry(tmp_path)
    (tmp_path / "a.json").write_text("[[[")
    with pytest.raises(RollbookError, match="this is not JSON"):
        read_foundry(tmp_path / "a.json")
    (tmp_path / "messages.db").write_text("no\nno\n")
    with pytest.raises(RollbookError, match="line 1: this is not a JSON document"):
        read_foundry(tmp_path / "messages.db")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    with pytest.raises(RollbookError, match="nested too deeply"):
        read_foundry(tmp_path / "deep.json")
