"""A chat log becomes a campaign: every roll is read or counted, nothing comes twice, and whispers stay whispers."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from rollbook.adapters.cli import main
from rollbook.adapters.imports import find_importer, importers
from rollbook.adapters.imports.recording import record_import
from rollbook.application.book import Book
from rollbook.application.visibility.seat_campaign import as_seen
from rollbook.domain import events
from rollbook.domain.audit.answers import Verdict
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, Role
from tests.support.chats import (
    COPIED,
    FANTASY_GROUNDS,
    FILES,
    ROLL20,
    SESSION,
    embed,
    exported,
    exported_recording,
    message,
    rolls_of,
    said,
    samples,
    take_in,
)

HALVES = {
    "discord": "@Tom 🎲 :",
    "roll20": '<div class="message general" data-messageid="-N8"',
    "fantasygrounds": "[w] Wen",
}
"""What the first part of each log ends before."""
pytestmark = pytest.mark.skipif(
    not {*FILES} <= {*importers()}, reason="this installation was made before these importers came: install it again"
)
CHATS = pytest.mark.parametrize("importer", FILES)


def brief(rolls: list[DiceRolled]) -> list[tuple[str, str, int, list[int]]]:
    """Who rolled what, and how: struck dice are below 0."""
    return [
        (one.roller, one.purpose, one.total, [die.face if die.kept else -die.face for die in one.dice]) for one in rolls
    ]


def sessions(book: Book) -> list[str]:
    found = [event for entry in book.campaign("old").session.log.entries() for event in entry.events]
    return [event.title for event in found if isinstance(event, events.SessionOpened)]


def seen_by(book: Book, seat: str) -> list[RecordedEntry]:
    """What a seat may see of the campaign."""
    return [*as_seen(book.campaign("old"), seat).history.entries]


def notes(entries: Iterable[RecordedEntry]) -> str:
    return "\n".join(event.text for entry in entries for event in entry.events if isinstance(event, events.NoteWritten))


@CHATS
def test_the_same_log_twice_adds_nothing_and_a_longer_one_adds_what_is_new(
    book: Book, tmp_path: Path, importer: str
) -> None:
    called, whole = FILES[importer]
    half = whole[: whole.index(HALVES[importer])]
    take_in(book, importer, tmp_path / called, half)
    few = len(rolls_of(book))
    take_in(book, importer, tmp_path / called, whole)
    assert len(rolls_of(book)) > few > 0
    assert take_in(book, importer, tmp_path / called, whole)[0] == "Nothing is new: every message was here."
    at_once = brief(rolls_of(book))
    take_in(book, importer, tmp_path / called, whole, "again")
    assert sorted(at_once) == sorted(brief(rolls_of(book, "again")))
    assert {*book.campaign("old").state.seats} == {*book.campaign("again").state.seats}
    assert book.campaign("old").audit()[0].verdict is not Verdict.FAILED


@CHATS
def test_a_file_says_which_importer_takes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], importer: str
) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    called, whole = FILES[importer]
    (tmp_path / called).write_text(whole, encoding="utf-8")
    assert main(["import", str(tmp_path / called)]) == 1
    assert f"rollbook import {tmp_path / called} --from {importer}" in capsys.readouterr().err
    assert main(["import", str(tmp_path / called), "--from", importer, "--as", "Old"]) == 0
    assert main(["log"]) == 0
    assert "makes save" in (told := capsys.readouterr().out) or "attacks" in told or "deals damage" in told


@CHATS
@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (b"x" * 10_000_000, "line 2: it is longer than"),
        (b"caf\xe9", "line 2: this is not text in UTF-8"),
        (b"\x00", "line 2: this is not text in UTF-8"),
    ],
)
def test_what_is_hostile_is_refused_with_its_line(
    book: Book, tmp_path: Path, importer: str, broken: bytes, why: str
) -> None:
    called, whole = FILES[importer]
    first, *_ = whole.splitlines(keepends=True)
    (tmp_path / called).write_bytes(first.encode() + broken)
    with pytest.raises(RollbookError, match=why):
        find_importer(importer)(tmp_path / called, "old")
    assert book.campaigns() == ()


@pytest.mark.parametrize(
    ("importer", "text"),
    [
        ("roll20", '<div class="message general">\n' + "<div>" * 5_000),
        ("fantasygrounds", "Session started at 2024-02-02 / 19:05\n" + "<b>" * 5_000),
        ("discord", '{"guild": {},\n"messages": ' + "[" * 5_000),
    ],
)
def test_deep_nesting_is_refused_with_its_line(book: Book, tmp_path: Path, importer: str, text: str) -> None:
    with pytest.raises(RollbookError, match=r"line 2: .*nested"):
        take_in(book, importer, tmp_path / FILES[importer][0], text)


@pytest.mark.parametrize(("depth", "is_refused"), [(200, False), (201, True), (400, True)])
def test_a_channel_is_nested_as_deeply_as_its_bound_says(
    book: Book, tmp_path: Path, depth: int, *, is_refused: bool
) -> None:
    odd = json.dumps(["[" * 500 + '\\"{'])  # brackets in words are none
    nested = f'"odd": {odd},\n"deep": {"[" * (depth - 1)}{"]" * (depth - 1)},\n"messages"'
    text = exported(said(1, "Tom", "hello")).replace('"messages"', nested, 1)
    if is_refused:
        with pytest.raises(RollbookError, match=r"line [0-9]+: it is nested too deeply"):
            take_in(book, "discord", tmp_path / "channel.json", text)
    else:
        take_in(book, "discord", tmp_path / "channel.json", text)


def test_broken_entities_are_words(book: Book, tmp_path: Path) -> None:
    text = FANTASY_GROUNDS.replace("Into the reeds", "Into &#xD800;&#x110000;&bogus; <3 reeds")
    take_in(book, "fantasygrounds", tmp_path / "chatlog.html", text)
    assert "&bogus; <3 reeds & down!" in notes(book.campaign("old").session.log.entries())


# Discord.


def test_a_copied_channel_is_read_line_by_line(book: Book, tmp_path: Path) -> None:
    found = take_in(book, "discord", tmp_path / "channel.txt", COPIED)
    assert found == ("9 messages with 4 rolls, 4 of them with dice.",)
    assert brief(rolls_of(book)) == [
        ("brannoc", "attack", 21, [16, -4]), ("brannoc", "damage", 6, [3]), ("ghoul", "attack", 6, [2]),
        ("Tom 🎲", "roll", 13, [11]),
    ]  # fmt: skip
    state = book.campaign("old").state
    assert {seat: one.role for seat, one in state.seats.items()} == {"Nell": Role.GM, "Tom 🎲": Role.PLAYER}
    assert (state.characters["brannoc"].seat, state.characters["ghoul"].seat) == ("Tom 🎲", "")
    assert sessions(book) == ["2023-03-11", "2023-03-14"]
    assert "the barrow is open" in notes(book.campaign("old").session.log.entries()) and "(edited)" not in notes(
        book.campaign("old").session.log.entries()
    )


@pytest.mark.parametrize(
    ("stamp", "day"),
    [
        ("4/16/2025 6:04 PM", "2025-04-16"),
        ("4/5/2025 6:04 PM", "2025-04-05"),
        ("4/16/25, 6:04 PM", "2025-04-16"),
        ("05.04.2025 18:04", "2025-04-05"),
        ("16/04/2025, 18:04", "2025-04-16"),
        ("2025-04-16 18:04", "2025-04-16"),
        ("Today at 6:04 PM", "2025-05-02"),
        ("Yesterday at 18:04", "2025-05-01"),
        ("6:04 PM", "2025-05-02"),
    ],
)
def test_the_clients_ways_of_writing_a_time_are_read(book: Book, tmp_path: Path, stamp: str, day: str) -> None:
    path = tmp_path / "channel.txt"
    path.write_text(f"Mira — {stamp}\nhello\n", encoding="utf-8")
    os.utime(path, (1_746_200_000, 1_746_200_000))  # the second of May
    record_import(book, find_importer("discord")(path, "old"), "old")
    assert sessions(book) == [day]


@pytest.mark.parametrize(("zone", "day"), [("America/Los_Angeles", "2023-05-01"), ("Asia/Tokyo", "2023-05-02")])
def test_a_time_with_a_zone_is_of_the_day_at_the_table(
    book: Book, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    monkeypatch.setenv("TZ", zone)
    take_in(book, "discord", tmp_path / "channel.json", exported(*SESSION))
    assert sessions(book) == [day]


def test_an_exported_channel_says_who_plays_whom_and_what_was_met(book: Book, tmp_path: Path) -> None:
    found = take_in(book, "discord", tmp_path / "channel.json", exported(*SESSION))
    assert found == ("7 messages with 3 rolls, 3 of them with dice.",)
    assert brief(rolls_of(book)) == [
        ("brannoc", "attack", 25, [-4, 20]), ("brannoc", "damage", 6, [3]), ("brannoc", "save", 10, [9]),
    ]  # fmt: skip
    campaign = book.campaign("old")
    assert {seat: one.role for seat, one in campaign.state.seats.items()} == {"Nell": Role.GM, "Tom": Role.PLAYER}
    (check,) = [
        e for entry in campaign.session.log.entries() for e in entry.events if isinstance(e, events.CheckResolved)
    ]
    assert (check.character, check.target, check.success) == ("brannoc", 13, False)


def test_an_edited_message_is_named_and_a_private_channel_is_not_for_everybody(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "channel.json"
    channel = (*SESSION, said(8, "Ada", "hi"))
    take_in(book, "discord", path, exported(*channel))
    *_, edited = take_in(book, "discord", path, exported(*channel[:-1], said(8, "Ada", "hi there")))
    assert edited.startswith("Edited since they were imported, and left as they were: #")
    take_in(book, "discord", path, exported(*SESSION, kind="DirectTextChat"), "private")
    campaign = book.campaign("private")
    assert {entry.visibility for entry in campaign.session.log.entries() if entry.intent.verb == "note"} == {"Tom"}


def test_a_line_with_a_roll_that_cannot_be_read_is_counted(book: Book, tmp_path: Path) -> None:
    lines = (
        "4d6 (1, 2, 3) what = 12", "1d8ro<3 (4) + 1 = `5`", "(1d8 (8) + 4, ~~1~~)kh1 = `12`", "2d6: 3 and 4 = many = 7 of 9",
    )  # fmt: skip
    odd = said(9, "Avrae", "", embed("Ghoul uses Dust!", "\n".join(lines)))
    found = take_in(book, "discord", tmp_path / "channel.json", exported(*SESSION, odd))
    assert found[0] == "8 messages with 6 rolls, 5 of them with dice."
    assert [one.partition(" (")[0] for one in found[1:]] == [
        "1 line: it seems to show a roll, and could not be read",
        "1 roll: its dice could not be told apart",
    ]


# Roll20.


def test_a_chat_archive_is_read_with_its_dice_and_its_names(book: Book, tmp_path: Path) -> None:
    path = tmp_path / "archive.html"
    found = take_in(book, "roll20", path, ROLL20)
    assert found[0] == "9 messages with 4 rolls, 3 of them with dice."
    assert "1 roll: its dice" in found[1]
    assert brief(rolls_of(book)) == [
        ("corvo", "roll", 18, [-6, 15]), ("corvo", "damage", 7, [4]), ("Ines", "roll", 9, [9]), ("מיכל", "roll", 1, []),
    ]  # fmt: skip
    state = book.campaign("old").state
    assert {seat for seat, one in state.seats.items() if one.role is Role.GM} == {"Ines"}
    assert {"Corvo ✨", "Mika"} <= {*state.seats}
    assert sessions(book) == ["2022-05-06", "2022-05-08"]
    assert "The ferry lands." in notes(book.campaign("old").session.log.entries())


def test_whispers_and_rolls_of_the_gm_are_not_for_everybody(book: Book, tmp_path: Path) -> None:
    take_in(book, "roll20", tmp_path / "archive.html", ROLL20)
    seen = {seat: notes(seen_by(book, seat)) for seat in ("Corvo ✨", "Mika")}
    assert "I palm the ring" in seen["Corvo ✨"] and "I palm the ring" not in seen["Mika"]
    assert "you see him do it" in seen["Mika"] and "you see him do it" not in seen["Corvo ✨"]
    shown = [event for entry in seen_by(book, "Mika") for event in entry.events if isinstance(event, DiceRolled)]
    assert [roll.total for roll in shown] == [18, 7, 1]


def test_a_whisper_that_goes_on_without_a_name_is_the_same_persons(book: Book, tmp_path: Path) -> None:
    page = ROLL20.replace(
        message("-N5", "(To Mika)", "you see him do it", kind="private whisper you"),
        message("-M1", "Mika", "hm") + message("-M2", "(From Corvo ✨)", "one", kind="private whisper")
        + message("-M3", "", "two", kind="private whisper") + message("-M4", "", "three")
        + message("-M5", "Mika", "all") + message("-M6", "", "four", kind="private whisper"),
    )  # fmt: skip
    take_in(book, "roll20", tmp_path / "archive.html", page)
    seen = {seat: notes(seen_by(book, seat)).splitlines() for seat in ("Corvo ✨", "Mika")}
    assert {"one", "two", "three"} <= {*seen["Corvo ✨"]} and "four" not in seen["Corvo ✨"]
    assert "three" in seen["Mika"] and not {"one", "two", "four"} & {*seen["Mika"]}


# Fantasy Grounds.


def test_a_log_of_totals_is_read_and_secrets_stay_the_gms(book: Book, tmp_path: Path) -> None:
    found = take_in(book, "fantasygrounds", tmp_path / "chatlog.html", FANTASY_GROUNDS)
    assert found[0] == "9 messages with 6 rolls, 0 of them with dice."
    assert "no single dice" in found[1]
    assert found[2].startswith("1 line: it seems to show a roll")
    assert brief(rolls_of(book)) == [
        ("wen", "save", 9, []), ("marsh-rat-2", "attack", 17, []), ("marsh-rat-2", "damage", 5, []),
        ("hidden-marsh-rat-3", "check", 19, []), ("ottoline", "roll", 11, []), ("wen", "initiative", 14, []),
    ]  # fmt: skip
    assert sessions(book) == ["2024-02-02", "2024-02-09"]
    seen = as_seen(book.campaign("old"), "Ottoline")
    assert "hidden-marsh-rat-3" not in seen.state.characters
    assert "can I still see it?" not in notes(seen_by(book, "Ottoline")) and "can I still see it?" in notes(
        seen_by(book, "Wen")
    )


# What others have.


def test_foundrys_chat_as_text_says_what_is_missing_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ROLLBOOK_STORE", str(tmp_path / "rollbook.db"))
    text = f"[5/6/2022, 7:40:00 PM] Corvo\nStealth: 1d20 + 3 = 18\n{'-' * 27}\n"
    (tmp_path / "fvtt-log.txt").write_text(text, encoding="utf-8")
    for origin in ([], ["--from", "foundry"], ["--from", "discord"]):
        assert main(["import", str(tmp_path / "fvtt-log.txt"), *origin]) == 1
        assert "It has no ids" in (error := capsys.readouterr().err) and "messages.json" in error


@pytest.mark.parametrize(
    ("file", "importer", "rolls"),
    [
        ("discord-avrae-copied.txt", "discord", [-16, 15, 19, 11]),
        ("roll20-chat.html", "roll20", [6, 10]),
        ("fantasygrounds-chatlog.html", "fantasygrounds", [25, 6, 9, 16]),
    ],
)
def test_samples_in_the_shapes_of_real_files_are_read(
    book: Book, tmp_path: Path, file: str, importer: str, rolls: list[int]
) -> None:
    folder = samples()
    if folder is None:
        pytest.skip("the samples are not here; ROLLBOOK_SHARED says where they are")
    take_in(book, importer, tmp_path / file, (folder / file).read_text(encoding="utf-8"))
    assert [roll.total for roll in rolls_of(book)] == rolls


def test_every_result_that_the_bot_showed_in_real_sessions_comes_in(
    book: Book, tmp_path: Path, recordings: list[Path]
) -> None:
    for number, recording in enumerate(recordings[:6]):
        text, results = exported_recording(recording)
        take_in(book, "discord", tmp_path / f"{number}.json", text, f"channel {number}")
        totals = [roll for roll in rolls_of(book, f"channel-{number}") if roll.total is not None]
        assert len(totals) >= results, recording


def test_a_person_who_leads_only_later_keeps_the_seat_of_before(book: Book, tmp_path: Path) -> None:
    path, first = tmp_path / "channel.txt", "Nell — 4/5/2025 6:04 PM\nhello\n"
    take_in(book, "discord", path, first)
    found = take_in(book, "discord", path, f"{first}Nell — 16/05/2025 6:04 PM\n!i begin\n")
    assert found == ("1 new message with 0 rolls, 0 of them with dice.",), "whatever number is the day, it is the same"
    assert {*book.campaign("old").state.seats} == {"GM", "Nell"}


def test_lines_before_the_first_time_are_of_that_session(book: Book, tmp_path: Path) -> None:
    lines = f'<font color="#261A12">Wen: where were we?</font><br />\n{FANTASY_GROUNDS}'
    take_in(book, "fantasygrounds", tmp_path / "chatlog.html", lines)
    assert sessions(book) == ["2024-02-02", "2024-02-09"]


def test_a_channel_through_a_pipe_is_read_once(book: Book, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=lambda: (tmp_path / "pipe").write_text(exported(*SESSION), encoding="utf-8"))
    writing.start()
    record_import(book, find_importer("discord")(tmp_path / "pipe", "old"), "old")
    writing.join()
    assert len(rolls_of(book)) == 3
