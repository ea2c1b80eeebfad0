"""Reader of a Foundry world on disk: a folder, a NeDB file of messages, an export in JSON, or a LevelDB folder.

Versions 9 and 10 keep one JSON document a line (``data/messages.db``), where a later line of the same id replaces an earlier
one. From version 11 on a collection is a LevelDB folder (``data/messages``), and the old files may still be beside it.
"""

import json
import re
from itertools import product
from pathlib import Path

import attrs

from rollbook.adapters.imports.bounded import MIB, OUTCOME, Bounds, first_lines, json_of, opened, read_text
from rollbook.adapters.imports.foundry.stores import COLLECTIONS, Store, is_level, joined, level_documents
from rollbook.adapters.imports.foundry.values import NOTHING, Fields, each, fields, inside, name, number
from rollbook.domain.base.errors import NotFound, RollbookError
from rollbook.domain.base.records import Changeable, Record

BOUNDS = Bounds(size=512 * MIB, line=16 * MIB, lines=2_000_000)
MOST_FILES = 50_000
LOOKED_AT = 200
TEXT_LOG = re.compile(r"\[[^\]]*[0-9]{1,2}[:.][0-9]{2}[^\]]*\] \S")
RULE = re.compile(r"-{10,}")
"""The beginning of a message, and the line between two, in a chat log exported as text."""
FIRST_OF_LEVEL = 11
"""The first version that keeps its collections in LevelDB."""
LEVEL = "LevelDB"
"""Name of the store of such a version."""


@attrs.frozen
class World(Record):
    """A world as read. ``edited`` and ``removed`` count messages changed or deleted later, as the file records."""

    title: str
    messages: tuple[Fields, ...]
    users: tuple[Fields, ...] = ()
    actors: tuple[Fields, ...] = ()
    info: Fields = NOTHING
    edited: int = 0
    removed: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def deleted(self) -> str:
        """The words about messages that were all deleted, "" if none were."""
        return f" (all {self.removed:,} were deleted in Foundry)" if self.removed else ""


def read_world(path: Path) -> World:
    """Read the world at a path. Raises NotFound, or RollbookError if it is none; the world is not changed."""
    if not path.exists():
        raise NotFound(f"There is no file {path}. {OUTCOME}")
    found = _Found()
    if path.is_dir():
        _folder(path, found)
    elif path.suffix == ".db":
        _named_file(path, found)
    elif advice := advises(path):
        raise RollbookError(f"{advice} {OUTCOME}")
    else:
        _export(path, found)
    whole = joined(found.stores, found.named)
    if "messages" not in whole.documents:
        raise RollbookError(
            f"{path} holds no messages of Foundry's: a world's folder, its data/messages.db, its data/messages of version 11 "
            f"or later, or an export in JSON is read. {OUTCOME}"
        )
    documents = {kind: tuple(whole.documents.get(kind, {}).values()) for kind in COLLECTIONS}
    unread = [warning for store in whole.read for warning in store.warnings()]
    return World(
        title=name(found.info.get("title")) or name(found.info.get("id")) or name(path.resolve().stem),
        info=found.info,
        edited=sum(store.edited for store in whole.read),
        removed=sum(store.removed for store in whole.read),
        warnings=tuple(filter(None, (*found.warnings, whole.choice, *unread))),
        **documents,
    )


def recognises(path: Path) -> bool:
    """True if a file or folder seems to be a world of Foundry's, or a part of one."""
    if path.is_dir():
        return any((folder / "messages.db").is_file() or is_level(folder / "messages") for folder in _folders(path))
    try:
        with opened(path, OUTCOME, BOUNDS) as source:
            first = json.loads(source.header(BOUNDS.line))
    except (RollbookError, ValueError, RecursionError):
        return False
    document = first[0] if isinstance(first, list) and first else first
    if isinstance(document, dict) and isinstance(document.get("messages"), list):
        return "guild" not in document  # that is a channel of Discord's
    return isinstance(document, dict) and "_id" in document and _is_message(document)


def advises(path: Path) -> str:
    """The sentence about the chat log that Foundry exports as text; "" for any other file."""
    first = [line.decode("utf-8", "replace").strip() for line in first_lines(path, LOOKED_AT, BOUNDS)]
    if not (first and TEXT_LOG.match(first[0]) and any(RULE.fullmatch(line) for line in first)):
        return ""
    return (
        f"{path} is the chat log that Foundry exports as text. It has no ids, by which a longer log would add what is new, and "
        "no dice. Import the folder of the world. Without access to it, open the world in the browser, press F12, and type in "
        'the console: saveDataToFile(JSON.stringify(game.messages), "application/json", "messages.json")'
    )


def _is_message(document: Fields) -> bool:
    return ("user" in document or "author" in document) and ("content" in document or "speaker" in document)


@attrs.define
class _Found(Changeable):
    """Stores found so far; ``named`` is the store whose messages the user asked for."""

    stores: list[Store] = attrs.field(factory=list)
    info: Fields = NOTHING
    warnings: list[str] = attrs.field(factory=list)
    named: Store | None = None

    def store(self, called: str) -> Store:
        """The store of that name, made if there is none."""
        for held in self.stores:
            if held.called == called:
                return held
        core = number(str(inside(self.info, "coreVersion") or "").split(".")[0])
        is_living = core is not None and (core >= FIRST_OF_LEVEL) == (called == LEVEL)
        self.stores.append(Store(called, is_living))
        return self.stores[-1]


def _folders(path: Path) -> tuple[Path, ...]:
    """The folders that may contain the collections of a world."""
    return (path, path / "data")


def _folder(path: Path, found: _Found) -> None:
    _info(path, found)
    if is_level(path):
        found.named = found.store(LEVEL)
        _level(path, "messages", found.named)
        path = path.parent
    for folder in _folders(path):
        _stores(folder, found)


def _stores(folder: Path, found: _Found) -> None:
    """Read every store of every collection in a folder, except collections that were read already."""
    for kind, (called, ending, is_there, read) in product(COLLECTIONS, _LAYOUTS):
        path = folder / f"{kind}{ending}"
        if is_there(path) and kind not in (store := found.store(called)).documents:
            read(path, kind, store)


def _named_file(path: Path, found: _Found) -> None:
    """Read a file of messages that was named, and the collections beside it."""
    _info(path.parent, found)
    found.named = found.store(f"the {path.suffix or 'plain'} files")
    _collection(path, "messages", found.named)
    if path.suffix != ".db":
        for kind in COLLECTIONS[1:]:
            if (beside := path.with_name(f"{kind}{path.suffix}")).is_file():
                _collection(beside, kind, found.named)
    _stores(path.parent, found)


def _info(folder: Path, found: _Found) -> None:
    for place in (folder / "world.json", folder.parent / "world.json"):
        if not found.info and place.is_file():
            try:
                found.info = fields(_json(place, outcome=""))
            except RollbookError as fault:
                found.warnings.append(str(fault).rstrip())


def _collection(path: Path, kind: str, store: Store) -> None:
    """Read a NeDB file. A line that is no document is noted and skipped, as Foundry does.

    A file without any document is read as JSON, or refused.
    """
    unread: list[int] = []
    lines = 0
    with opened(path, OUTCOME, BOUNDS) as source:
        for place, line in source.lines():
            if not line.strip():
                continue
            lines += 1
            document = _document(line)
            if document is None:
                unread.append(place)
            elif "$$indexCreated" not in document:
                store.add(kind, document, f"line {place}")
    if unread and len(unread) == lines:
        with opened(path, OUTCOME, BOUNDS) as source:
            is_json = source.header(64).lstrip()[:1] in (b"[", b"{")
        if is_json:
            _take(_json(path), kind, store)
            return
        raise RollbookError(f"{path}, line {unread[0]}: this is not a JSON document. {OUTCOME}")
    for place in unread:
        store.pass_over(path.name, f"line {place}")
    store.documents.setdefault(kind, {})


def _document(line: bytes) -> Fields | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _json(path: Path, outcome: str = OUTCOME) -> object:
    return json_of(read_text(path, outcome, BOUNDS), path, outcome)


def _export(path: Path, found: _Found) -> None:
    """Read an export: one JSON document with lists in it, a list of messages, or a document a line."""
    with opened(path, OUTCOME, BOUNDS) as source:
        first = _document(source.header(BOUNDS.line))
    if first is not None and _is_message(first):
        _named_file(path, found)
        return
    whole, store = _json(path), found.store(path.name)
    if isinstance(whole, dict):
        found.info = fields(whole.get("world")) or whole
        for kind in COLLECTIONS:
            if kind in whole:
                _take(whole[kind], kind, store)
        if "messages" not in whole and _is_message(whole):
            _take([whole], "messages", store)
    elif isinstance(whole, list):
        _take(whole, "messages", store)


def _take(documents: object, kind: str, store: Store) -> None:
    listed = [*documents.values()] if isinstance(documents, dict) else [*each(documents)]
    store.documents.setdefault(kind, {})
    for place, document in enumerate(listed):
        if fields(document):
            store.add(kind, fields(document), f"place {place + 1}")
        else:
            store.pass_over(f"Of {kind}", f"number {place + 1}")


def _unpacked_folder(folder: Path, kind: str, store: Store) -> None:
    """Read a folder with a file of JSON for each document."""
    for place, file in enumerate(sorted(folder.glob("*.json"))):
        if place >= MOST_FILES:
            raise RollbookError(f"{folder} holds more than {MOST_FILES:,} files. {OUTCOME}")
        document = fields(_json(file))
        if document:
            store.add(kind, document, file.name)


def _level(folder: Path, kind: str, store: Store) -> None:
    store.documents.setdefault(kind, {})
    parts: dict[tuple[str, str], list[Fields]] = {}
    for key, value in level_documents(folder):
        collection, _, id_ = key.strip("!").partition("!")
        document = _document(value)
        if document is None:
            store.pass_over(folder.name, f"the value of {key[:60]!r}")
        elif "." in collection:
            parent, _, part = collection.partition(".")
            parts.setdefault((id_.split(".")[0], part), []).append({**document, "_in": parent})
        elif collection == kind:
            store.add(kind, {"_id": id_, **document}, key)
    for (id_, part), documents in parts.items():
        held = store.documents[kind].get(id_)
        if held is not None:
            store.documents[kind][id_] = {**held, part: documents}


_LAYOUTS = (
    (LEVEL, "", is_level, _level),
    ("the .db files", ".db", Path.is_file, _collection),
    ("folders of JSON", "", lambda path: path.is_dir() and not is_level(path), _unpacked_folder),
    ("the .json files", ".json", Path.is_file, lambda path, kind, store: _take(_json(path), kind, store)),
)
"""Layouts of a collection: name of its store, ending of its path, check that it is there, and reader."""
