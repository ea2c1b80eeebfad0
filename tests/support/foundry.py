"""Small worlds of Foundry, put together message by message, and where the two real ones are."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import attrs

from rollbook.adapters.imports.foundry.importer import read_foundry
from rollbook.adapters.imports.recording import known_of, record_import
from rollbook.application.book import Book
from rollbook.domain.events import DiceRolled, Event
from tests.support.needs import needed

Document = dict[str, Any]
GM, ANNA, BEN = "gm00000000000000", "anna000000000000", "ben0000000000000"
HERO, GOBLIN = "hero000000000000", "goblin0000000000"
BEGAN = 1_700_000_000_000
"""Time of the first message, in milliseconds since 1970."""

USERS: tuple[Document, ...] = (
    {"_id": ANNA, "name": "Anna", "role": 1, "character": HERO},
    {"_id": BEN, "name": "Ben", "role": 2, "character": None},
    {"_id": GM, "name": "Gamemaster", "role": 4, "character": None},
)
ACTORS: tuple[Document, ...] = (
    {
        "_id": HERO,
        "name": "Robin",
        "type": "character",
        "system": {
            "abilities": {"str": {"value": 12}, "dex": {"value": 18}},
            "attributes": {"hp": {"value": 17, "max": 24}, "ac": {"value": 15}},
            "details": {"level": 3, "xp": {"value": 950}},
        },
        "items": [{"_id": "bow0000000000000", "name": "Longbow", "type": "weapon"}],
    },
    {"_id": GOBLIN, "name": "Goblin", "type": "npc", "system": {"attributes": {"hp": {"value": 7, "max": 7}}}},
)


def folder() -> Path | None:
    """The folder with the two real campaigns, None where it is not here."""
    shared = os.environ.get("ROLLBOOK_SHARED") or Path(__file__).resolve().parents[3] / "shared"
    found = Path(shared) / "data" / "foundry-play"
    return found if found.is_dir() else None


def die(faces: int, *results: int | Mapping[str, Any], modifiers: Iterable[str] = (), **more: object) -> Document:
    """A term of dice: faces as they fell, or whole results."""
    shown = [{"result": one, "active": True} if isinstance(one, int) else {"active": True, **one} for one in results]
    asked = more.pop("number", len(shown))
    return {
        "class": "Die", "options": {}, "evaluated": True, "number": asked, "faces": faces, "modifiers": [*modifiers],
        "results": shown, **more,
    }  # fmt: skip


def plus(amount: int) -> list[Document]:
    """An operator and a number."""
    sign = "+" if amount >= 0 else "-"
    operator = {"class": "OperatorTerm", "options": {}, "evaluated": True, "operator": sign}
    return [operator, {"class": "NumericTerm", "options": {}, "evaluated": True, "number": abs(amount)}]


def roll(formula: str, total: object, *terms: Document, **more: object) -> Document:
    """A roll as Foundry keeps it."""
    return {
        "class": "Roll", "options": {}, "dice": [], "formula": formula, "terms": [*terms], "total": total, "evaluated": True,
        **more,
    }  # fmt: skip


@attrs.define
class WorldLog:
    """Messages of a world, a minute apart unless said otherwise."""

    messages: list[Document] = attrs.field(factory=list)
    users: tuple[Document, ...] = USERS
    actors: tuple[Document, ...] = ACTORS
    at: int = BEGAN
    said: int = 0

    def say(self, user: str = ANNA, *, minutes: float = 1, **message: object) -> Document:
        """A message that is written."""
        self.at += round(minutes * 60_000)
        self.said += 1
        whole: Document = {
            "_id": f"message{self.said:09}", "user": user, "type": 1, "timestamp": self.at, "whisper": [],
            "blind": False,
            "flavor": "", "content": "", "speaker": {"actor": None, "alias": "Anna"}, "flags": {}, "rolls": [], **message,
        }  # fmt: skip
        self.messages.append(whole)
        return whole

    def roll(self, rolled: Document, user: str = ANNA, actor: str | None = HERO, **message: object) -> Document:
        """A message that is a roll."""
        names = {document["_id"]: document["name"] for document in self.actors}
        given: Document = {
            "type": 5, "content": str(rolled.get("total")), "rolls": [json.dumps(rolled)],
            "speaker": {"actor": actor, "alias": names.get(actor or "", "")},
        }  # fmt: skip
        return self.say(user, **{**given, **message})

    def write(self, path: Path) -> Path:
        """As versions 9 and 10 keep it: a folder with one document a line."""
        data = path / "data"
        data.mkdir(parents=True, exist_ok=True)
        (path / "world.json").write_text(json.dumps({"id": "greenwood", "title": "Greenwood", "system": "dnd5e"}))
        for kind in ("messages", "users", "actors"):
            (data / f"{kind}.db").write_text(
                "".join(f"{json.dumps(one)}\n" for one in getattr(self, kind)), encoding="utf-8"
            )
        return path

    def export(self, path: Path) -> Path:
        """As one document of JSON."""
        whole = {"title": "Greenwood", "messages": self.messages, "users": [*self.users], "actors": [*self.actors]}
        path.write_text(json.dumps(whole), encoding="utf-8")
        return path

    def level(self, path: Path) -> Path:
        """As version 11 and later keep it: a LevelDB folder for each collection, items of actors apart. Skips without plyvel."""
        needed("plyvel")
        plyvel = import_module("plyvel")
        (path / "data").mkdir(parents=True)
        for kind in ("messages", "users", "actors"):
            database = plyvel.DB(str(path / "data" / kind), create_if_missing=True)
            for document in getattr(self, kind):
                whole = {**document}
                for item in whole.pop("items", ()) if kind == "actors" else ():
                    database.put(f"!actors.items!{whole['_id']}.{item['_id']}".encode(), json.dumps(item).encode())
                database.put(f"!{kind}!{whole['_id']}".encode(), json.dumps(whole).encode())
            database.close()
        (path / "world.json").write_text(json.dumps({"id": "greenwood", "title": "Greenwood", "coreVersion": "12.331"}))
        return path


def take_in(book: Book, path: Path, name: str = "greenwood") -> tuple[str, ...]:
    """Import a world, or what is new of it. Returns the warnings."""
    imported = read_foundry(path, name, known=lambda campaign: known_of(book, campaign))
    record_import(book, imported, name)
    return imported.warnings


def all_events(book: Book, name: str = "greenwood") -> Iterator[Event]:
    """Every event of a campaign."""
    return (event for entry in book.campaign(name).session.log.entries() for event in entry.events)


def rolls_of(book: Book, name: str = "greenwood") -> list[DiceRolled]:
    """Every roll of a campaign, in order."""
    return [event for event in all_events(book, name) if isinstance(event, DiceRolled)]
