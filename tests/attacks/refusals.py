"""A file for each of the words with which the verifiers refuse dice, or say what loosens nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.exports.reader_file import Reader, export_shown
from rollbook.application.campaign import Campaign
from rollbook.domain.actions.secrets import Reveal
from rollbook.domain.corrections.changes import CorrectionOptions
from rollbook.domain.history.chain import canonical
from tests.attacks.forgeries import Entries, of
from tests.attacks.forging import Forged, file_of, forged, honest, written
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.exports import export_for, rechained
from tests.support.shown_again import shown_again

ROLLED, MIXED, OPENED, REVEALED = "DiceRolled", "EntropyAdded", "SessionOpened", "DiceRevealed"
CLOSED, COUNTED, SEATED = "SessionClosed", "ScreenCounted", "SeatTaken"
Made = Callable[[], bytes]


def corrected(campaign: Campaign) -> None:
    """A roll that was amended keeps its die and draws another, and a secret one is revealed."""
    campaign.do("entropy", {"text": "6 2 5"}, seat="mira")
    rolled = campaign.do("roll", {"expression": "1d20"}, seat="mira").action
    drawing = CorrectionOptions(draw=True)
    campaign.corrections.amend(rolled, {"expression": "2d20"}, reason="with another", options=drawing).apply()
    secret = campaign.do("roll", {"expression": "1d20"}, secret=True).number
    campaign.play(Reveal(entries=(secret,)))
    campaign.do("close-session")
    campaign.do("reveal-screen", {"session": 1})


@cache
def file_for(reader: str | None) -> bytes:
    """The corrected campaign's file for a reader; None for the one with everything in it."""
    with TemporaryDirectory() as folder:
        campaign = begin_campaign(memory_book(Path(folder)))
        corrected(campaign)
        return export_for(campaign, Path(folder) / "file.jsonl", reader)


def whole(forge: Callable[[Entries], object], **head: object) -> Made:
    """The honest history of the attacks, forged, with hashes that fit and another first line."""

    def make() -> bytes:
        entries = forged(honest().stored)
        forge(entries)
        return headed(file_of(written(entries), honest().campaign), **head)

    return make


def headed(file: bytes, **head: object) -> bytes:
    first, *lines = file.splitlines(keepends=True)
    old = {key: value for key, value in json.loads(first).items() if key != "check"}
    return checked_line(json.dumps({**old, **head}).encode()) + b"".join(lines)


def event(name: str, key: str, value: object, which: int = -1, **head: object) -> Made:
    """Another value in an event of that name; a function is given the one that was there."""

    def forge(entries: Entries) -> None:
        fields = of(entries, event=name, which=which).event(name)
        fields[key] = value(fields.get(key)) if callable(value) else value

    return whole(forge, **head)


def source(at: int, value: object, which: int = -1, **head: object) -> Made:
    """Another value in the source of a roll: its kind, how many dice, the session, the place."""
    return event(ROLLED, "sources", lambda was: [[*was[0][:at], value, *was[0][at + 1 :]]], which, **head)


def envelope(name: str, value: object, **wanted: Any) -> Made:
    return whole(lambda entries: of(entries, **wanted).public.update({name: value}))


def without(name: str, which: int = -1) -> Made:
    """Without the events of a name in one entry that has some."""
    return whole(lambda entries: _strip(of(entries, event=name, which=which), name))


def _strip(entry: Forged, name: str) -> None:
    entry.lines[:] = [line for line in entry.lines if line[0] != f"{name}@1"]


def uncounted(sources: Callable[[dict[str, Any]], list[Any]]) -> Callable[[Entries], None]:
    """Rolls with other sources, in sessions that counted none."""

    def forge(entries: Entries) -> None:
        for name, fields in (line for entry in entries for line in entry.events):
            if name == f"{ROLLED}@1":
                fields["sources"] = sources(fields)
            if name in (f"{CLOSED}@1", f"{COUNTED}@1"):
                fields["counts"] = []

    return forge


typed = uncounted(lambda roll: [["physical", len(roll["dice"])]])
unopened = uncounted(lambda roll: [[*roll["sources"][0][:2], 10, roll["sources"][0][3]]])


def unrolled(entries: Entries) -> None:
    for entry in entries:
        _strip(entry, ROLLED)


def late(entries: Entries) -> None:
    of(entries, verb="note", which=0).lines.append(of(entries, event=MIXED).lines.pop())


def twice(entries: Entries) -> None:
    """A second line of the player's."""
    mixed = of(entries, event=MIXED)
    mixed.lines.append(mixed.lines[-1])


def one_identity(entries: Entries) -> None:
    first, last = (of(entries, event=OPENED, which=which).event(OPENED) for which in (0, -1))
    last.update(identity=first["identity"], nonce=first["nonce"])


def one_seed(entries: Entries) -> None:
    of(entries, event=REVEALED).event(REVEALED)["seed"] = of(entries, event=REVEALED, which=0).event(REVEALED)["seed"]


def revised(key: str, value: object) -> Made:
    """Another value in the roll of the action that was amended."""

    def make() -> bytes:
        first, *lines = file_for(None).splitlines(keepends=True)
        said = [json.loads(line) for line in lines]
        (entry,) = [each for each in said if each["lines"][0][0] == "ActionRevised@1"]
        ((_, fields),) = [line for line in entry["lines"] if line[0] == f"{ROLLED}@1"]
        fields[key] = value(fields[key]) if callable(value) else value
        head, made = rechained(first, [canonical(each) + b"\n" for each in said])
        return head + b"".join(made)

    return make


def filtered(keeps: int, **head: object) -> Made:
    """Every third entry of the corrected campaign, as a filter writes it."""

    def make() -> bytes:
        with TemporaryDirectory() as folder:
            campaign, path = begin_campaign(memory_book(Path(folder))), Path(folder) / "file.jsonl"
            corrected(campaign)
            export_shown(campaign.session.log, path, Reader(None, lambda entry: entry.number % 3 == keeps))
            return headed(path.read_bytes(), **head)

    return make


def opened_twice() -> bytes:
    first, *lines = file_for("mira").splitlines(keepends=True)
    said = [json.loads(line) for line in lines]
    ((entry, line),) = [(each, line) for each in said for line in each["lines"] if line[0] == f"{OPENED}@1"]
    entry["lines"].append(line)
    return shown_again(first, said)


REFUSED: dict[str, Made] = {
    "there is no such die": event(ROLLED, "dice", lambda was: [[1, *die[1:]] for die in was]),
    "what is called a place in the streams is none": source(3, [0, 0, 1, 0]),
    "the dice cannot be followed: what is called a place in the streams is none": source(3, [False, 0, 1, -1]),
    "some of them come from a source that there is not": source(0, "dreams"),
    "nothing says where some of them come from": source(3, [False, 0, 1]),
    "the dice cannot be followed: an entry lacks some of them": source(0, ["stream"]),
    "a request is not number 0, which is free": event(ROLLED, "repeat", 1),
    "the dice of its action, and not the request that they fell for": revised("occasion", "s1.0|roll|another"),
    "entry @23: roll 0 of seat 2 is not in its turn": source(3, [False, 0, 2, 0]),
    "entry @22: roll 0 of seat 0 is not in its turn": event(ROLLED, "secret", False, -2),
    "entry @23: roll 0 of seat 1 is not in its turn": source(3, [True, 0, 1, 0]),
    "entry @23: roll 2 of seat 1 is not in its turn": event(ROLLED, "sources", [["stream", 1, 1, [False, 0, 1, 2]]]),
    "roll 9007199254740993 of seat 1 is not in its turn": source(3, [False, 0, 1, 2**53 + 1]),
    "roll 18446744073709551616 of seat 1 is not in its turn": source(3, [False, 0, 1, 2**64]),
    "does not show the dice of the stream": event(ROLLED, "dice", lambda was: [[20, was[0][1] % 20 + 1]]),
    "its dice were committed to for another campaign": event(OPENED, "nonce", "00"),
    "a session is opened again": opened_twice,
    "a line was mixed in after the first die": whole(late),
    "a line is not of the seat that it names": event(MIXED, "number", 2),
    "two sessions share one identity": whole(one_identity),
    "the dice of session 2 come from the seed of another": whole(one_seed),
    "the seed revealed for session 2 is not the one that was committed to": event(REVEALED, "seed", "00" * 32),
    "session 2 was closed over other counts of rolls": event(CLOSED, "counts", [[False, 0, 1, 2]]),
    "FAILED    after 0 good entries: an entry that the table saw is left out": filtered(2, **{"for": "mira"}),
    "FAILED    after 0 good entries: the next one is not as a reader's file has it": filtered(1, **{"for": ""}),
}
LOOSENED: dict[str, Made] = {
    "dice were drawn for a correction, and this file does not say of what": lambda: file_for("mira"),
    "whether secret dice are in their turn only the whole history shows": lambda: file_for("mira"),
    "dice fell in an action that was never played": envelope("provenance", "imported", event=ROLLED),
    "dice name no occasion, as of an early rollbook": event(ROLLED, "occasion", ""),
    "the dice of a timeline rest on the history that it left": whole(len, campaign="sherwood~1"),
    "session 10 was never opened": whole(unopened, campaign="sherwood~1"),
    "       the dice of session 2 are not revealed": without(REVEALED, which=-3),
    "secret dice of session 2 are not revealed": without(REVEALED),
    "no die here came from a committed stream": whole(typed),
    "physical dice, which nobody can prove: 5": whole(typed),
    "parts of the history are left out, so its dice cannot be counted": filtered(1),
    "what a filter left out cannot be counted": filtered(1),
    "entries of a filter; the receipt": filtered(1),
    "entries, as player:mira may see it; the receipt": lambda: file_for("mira"),
    "entries, as table may see it; the receipt": lambda: file_for(""),
    "entries, as somebody may see it; the receipt": lambda: headed(file_for(""), **{"for": ""}),
    "entries of the timeline sherwood~1; the receipt": whole(len, campaign="sherwood~1"),
    "words were removed, and the record of it is not here: 1": event(
        "NoteRedacted", "entries", [], campaign="sherwood~1"
    ),
    "other rules played it again, so seats and sessions are not followed": envelope(
        "provenance", "ruling", verb="note"
    ),
    "no entry is here": lambda: file_of((), "sherwood"),
}
LEVELS: dict[str, Made] = {
    "session 1: level 1, table: players mixed in 1 line before the first roll; mixed to ": whole(len),
    "session 1: level 1, table: players mixed in 2 lines before the first roll; mixed to ": whole(twice),
    "session 2: level 0, solo: no player mixed anything in": whole(len),
    "level 0, solo: the last line before the first roll is not that of a player": event(SEATED, "role", "gm", 1),
    "session 1: a line was mixed in, and no roll followed; mixed to ": whole(unrolled),
}
ALL = REFUSED | LOOSENED | LEVELS
