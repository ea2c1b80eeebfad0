"""Files of other programs that were changed, each read by its importer: it is taken in whole, or a sentence says why it is not.

Every importer of rollbook's has its sorts of files here; a new one without any is a fault by itself. A file that is refused
changes nothing in the store, and a campaign that was taken in can be read and audited.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random

from rollbook.adapters.imports import importers
from tests.attacks.attempts import Attempts
from tests.attacks.changed_bytes import Changes
from tests.attacks.filter_words import digest
from tests.attacks.odd_files import GAME, said
from tests.attacks.tables import fresh, homes
from tests.support.avrae import AvraeLog
from tests.support.chats import FILES, SESSION, exported
from tests.support.foundry_messages import a_world
from tests.support.needs import missing

LOOK_EVERY = 20
"""One in so many of the campaigns that were taken in is read and audited."""

ROLLS = """Date,Night,Player,Who,Roll,Dice,Result,DC,Against,Damage,XP,Notes
2024-03-01 20:15,1,Mira,Robin,1d20+5,14,19,15,Guard,,,a shot from the wall
2024-03-01 20:16,1,Mira,Robin,1d8+3,6,9,,Guard,9,,
2024-03-01 22:40,1,Sam,Robin,,,,,,,300,the gate
"""
COLUMNS = """gm = "Sam"

[columns]
when = "Date"
session = "Night"
seat = "Player"
character = "Who"
roll = "Roll"
dice = "Dice"
total = "Result"
difficulty = "DC"
target = "Against"
damage = "Damage"
experience = "XP"
note = "Notes"
"""


def attack(rounds: int, seed: int, attempts: Attempts) -> None:
    """Change so many files for each importer in turn, and have them taken in."""
    chance = Random(f"imports {seed}")
    makers: Mapping[str, Callable[[Path, Random], list[Path]]] = {
        "avrae": recording,
        "csv": table,
        "discord": channel,
        "fantasygrounds": partial(chat, "fantasygrounds"),
        "foundry": world,
        "jsonl": export,
        "roll20": partial(chat, "roll20"),
    }
    for name in sorted({*importers()} - makers.keys()):
        attempts.note(f"no file is made for the importer {name}", name)
    with homes() as folder:
        while attempts.rounds < rounds:
            for name, make in makers.items():
                _take_in(folder, name, make, chance, attempts)


def _take_in(
    folder: Path, importer: str, make: Callable[[Path, Random], list[Path]], chance: Random, attempts: Attempts
) -> None:
    """Make one file for an importer, change it, and have it taken in."""
    store = fresh(folder, GAME)
    incoming = store.parent.parent / "incoming"
    incoming.mkdir()
    path, *beside = make(incoming, chance)
    files = [file for file in sorted(incoming.rglob("*")) if file.is_file()]
    for file in chance.sample(files, min(len(files), chance.choice((1, 1, 2)))):
        file.write_bytes(Changes(chance).changed(file.read_bytes()))
    before = digest(store)
    words = [
        "import",
        str(path),
        "--from",
        importer,
        "--as",
        "taken",
        *(word for at in beside for word in ("--map", str(at))),
    ]
    refused = attempts.refused
    if not attempts.attempt(" ".join(words), partial(said, words)):
        if attempts.refused > refused and digest(store) != before:
            attempts.note(f"a refused file of {importer} changed the store", attempts.said)
    elif chance.randrange(LOOK_EVERY) == 0:
        for look in ("--campaign taken log", "--campaign taken audit", "--campaign taken status"):
            attempts.attempt(f"{look} after {' '.join(words)}", partial(said, look.split()))


def export(folder: Path, chance: Random) -> list[Path]:
    """A campaign that rollbook exported: the whole, or what the table may see."""
    path = folder / "sherwood.jsonl"
    said(["export", str(path), *chance.choice(([], ["--for", "table"]))])
    return [path]


def recording(folder: Path, chance: Random) -> list[Path]:
    """A small recording of the bot's shape, as it is or compressed."""
    log = AvraeLog
    both = [log.pc("Tessa", 13, effects={"Wet": "RA1"}), log.monster("RA1", 12)]
    attack = log.attack("1d20 (9) + 4 = `13`", 12, log.damage(3, "1d4 (3) = `3`"))
    recorder = log.fight().did(
        "init attack", "!i a bite -t tessa", (1, 0, both), caster="RA1", targets=("Tessa",),
        result=log.root(log.upon("Tessa", attack)), answer={"title": "RA1 casts Bite!"},
    )  # fmt: skip
    recorder.did("init hp", "!i hp ra1 -2", (2, 1, [log.pc("Tessa", 14), log.monster("RA1", 10)]))
    whole: bytes = log.over(recorder).text()
    is_packed = chance.random() < 0.3
    path = folder / ("fight.jsonl.gz" if is_packed else "fight.jsonl")
    path.write_bytes(gzip.compress(whole, 1) if is_packed else whole)
    return [path]


def table(folder: Path, _: Random) -> list[Path]:
    """A table of rolls with the map of its columns."""
    path, columns = folder / "rolls.csv", folder / "columns.toml"
    path.write_text(ROLLS, encoding="utf-8")
    columns.write_text(COLUMNS, encoding="utf-8")
    return [path, columns]


def chat(importer: str, folder: Path, _: Random) -> list[Path]:
    """A session in another program's chat."""
    called, whole = FILES[importer]
    path = folder / called
    path.write_text(whole, encoding="utf-8")
    return [path]


def channel(folder: Path, chance: Random) -> list[Path]:
    """A channel of Discord's, copied or exported."""
    if chance.random() < 0.5:
        return chat("discord", folder, chance)
    path = folder / "channel.json"
    path.write_text(exported(*SESSION), encoding="utf-8")
    return [path]


def world(folder: Path, chance: Random) -> list[Path]:
    """A world of Foundry in one of the shapes of its versions."""
    made = a_world()
    made.messages = chance.sample(made.messages, 12)
    kinds = ["lines", "export", *(["level"] if not missing("plyvel") else [])]
    match chance.choice(kinds):
        case "export":
            return [made.export(folder / "greenwood.json")]
        case "level":
            return [made.level(folder / "greenwood")]
        case _:
            return [made.write(folder / "greenwood")]
