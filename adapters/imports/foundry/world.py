"""A world of Foundry as it lies on disk: a folder, a NeDB file of messages, an export in JSON, or a LevelDB folder.

Versions 9 and 10 keep one JSON document a line (``data/messages.db``), where a later line of the same id replaces an earlier
one. From version 11 on a collection is a LevelDB folder (``data/messages``).
"""

from __future__ import annotations

import json
from pathlib import Path

import attrs

from adapters.imports.bounded import MIB, Bounds, opened
from adapters.imports.foundry.level import is_level, level_documents
from adapters.imports.foundry.values import NOTHING, Fields, each, fields, name
from domain.errors import NotFound, RollbookError
from domain.records import Changeable, Record

OUTCOME = "Nothing was imported."
BOUNDS = Bounds(size=512 * MIB, line=16 * MIB, lines=4_000_000)
MOST_FILES = 50_000
COLLECTIONS = ("messages", "users", "actors")


@attrs.frozen
class World(Record):
    """What was found. ``edited`` and ``removed`` count messages that the file itself says were changed or deleted later."""

    title: str
    messages: tuple[Fields, ...]
    users: tuple[Fields, ...] = ()
    actors: tuple[Fields, ...] = ()
    info: Fields = NOTHING
    edited: int = 0
    removed: int = 0
    warnings: tuple[str, ...] = ()


def read_world(path: Path) -> World:
    """The world at a path. Raises NotFound, or RollbookError for what is none; nothing of it is changed."""
    if not path.exists():
        raise NotFound(f"There is no file {path}. {OUTCOME}")
    found = _Found()
    if path.is_dir():
        _folder(path, found)
    elif path.suffix == ".db":
        _collection(path, "messages", found)
        for other in COLLECTIONS[1:]:
            _beside(path.with_name(f"{other}.db"), other, found)
        _info(path.parent, found)
    else:
        _export(path, found)
    if "messages" not in found.documents:
        raise RollbookError(
            f"{path} holds no messages of Foundry's: a world's folder, its data/messages.db, its data/messages of version 11 "
            f"or later, or an export in JSON is read. {OUTCOME}"
        )
    documents = {kind: tuple(found.documents.get(kind, {}).values()) for kind in COLLECTIONS}
    return World(
        title=name(found.info.get("title")) or name(found.info.get("id")) or name(path.resolve().stem),
        info=found.info,
        edited=found.edited,
        removed=found.removed,
        warnings=tuple(found.warnings),
        **documents,
    )


def recognises(path: Path) -> bool:
    """Whether a file or folder seems to be a world of Foundry's, or a part of one."""
    if path.is_dir():
        return any((folder / "messages.db").is_file() or is_level(folder / "messages") for folder in _folders(path))
    try:
        with opened(path, OUTCOME, BOUNDS) as source:
            first = json.loads(source.header(BOUNDS.line))
    except (RollbookError, ValueError, RecursionError):
        return False
    document = first[0] if isinstance(first, list) and first else first
    if isinstance(document, dict) and isinstance(document.get("messages"), list):
        return True
    return isinstance(document, dict) and "_id" in document and _is_message(document)


def _is_message(document: Fields) -> bool:
    return ("user" in document or "author" in document) and ("content" in document or "speaker" in document)


@attrs.define
class _Found(Changeable):
    documents: dict[str, dict[str, Fields]] = attrs.field(factory=dict)
    info: Fields = NOTHING
    edited: int = 0
    removed: int = 0
    warnings: list[str] = attrs.field(factory=list)

    def add(self, kind: str, document: Fields, where: str = "") -> None:
        """One document; one of the same id replaces an earlier one. Of a message without an id the place is its id."""
        held = self.documents.setdefault(kind, {})
        key = str(document.get("_id") or document.get("id") or f"without id, {where or len(held)}")
        if document.get("$$deleted") is True:
            was_there = held.pop(key, None) is not None
            self.removed += kind == "messages" and was_there
            return
        if kind == "messages" and key in held and held[key] != document:
            self.edited += 1
        held[key] = document if document.get("_id") else {**document, "_id": key}


def _folders(path: Path) -> tuple[Path, ...]:
    """Where the collections of a world may lie."""
    return (path, path / "data")


def _folder(path: Path, found: _Found) -> None:
    _info(path, found)
    if is_level(path):
        _level(path, "messages", found)
        path = path.parent
    for folder in _folders(path):
        for kind in COLLECTIONS:
            if kind in found.documents:
                continue
            if (folder / f"{kind}.db").is_file():
                _collection(folder / f"{kind}.db", kind, found)
            elif is_level(folder / kind):
                _level(folder / kind, kind, found)
            elif (folder / kind).is_dir():
                _unpacked_folder(folder / kind, kind, found)
            elif (folder / f"{kind}.json").is_file():
                _take(_json(folder / f"{kind}.json"), kind, found)


def _info(folder: Path, found: _Found) -> None:
    for place in (folder / "world.json", folder.parent / "world.json"):
        if not found.info and place.is_file():
            try:
                found.info = fields(_json(place))
            except RollbookError as fault:
                found.warnings.append(str(fault).removesuffix(f" {OUTCOME}"))


def _beside(path: Path, kind: str, found: _Found) -> None:
    if path.is_file():
        _collection(path, kind, found)


def _collection(path: Path, kind: str, found: _Found) -> None:
    """A NeDB file. A line that is no document is named and passed over, as Foundry does; a file of nothing else is refused."""
    unread: list[int] = []
    lines = 0
    with opened(path, OUTCOME, BOUNDS) as source:
        for number, line in source.lines():
            if not line.strip():
                continue
            lines += 1
            document = _document(line)
            if document is None:
                unread.append(number)
            elif "$$indexCreated" not in document:
                found.add(kind, document, f"line {number}")
    if unread and len(unread) == lines:
        if _is_json(path):
            _take(_json(path), kind, found)
            return
        raise RollbookError(f"{path}, line {unread[0]}: this is not a JSON document. {OUTCOME}")
    for number in unread:
        found.warnings.append(f"{path.name}, line {number} is not a JSON document and was passed over.")
    found.documents.setdefault(kind, {})


def _document(line: bytes) -> Fields | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _is_json(path: Path) -> bool:
    with opened(path, OUTCOME, BOUNDS) as source:
        return source.header(64).lstrip()[:1] in (b"[", b"{")


def _json(path: Path) -> object:
    with opened(path, OUTCOME, BOUNDS) as source:
        try:
            return json.loads(source.text())
        except UnicodeDecodeError:
            raise RollbookError(f"{path} is not text in UTF-8. {OUTCOME}") from None
        except json.JSONDecodeError as fault:
            raise RollbookError(f"{path}, line {fault.lineno}: this is not JSON ({fault.msg}). {OUTCOME}") from None
        except (ValueError, RecursionError):
            raise RollbookError(
                f"{path} is nested too deeply, or holds a number that is far too long. {OUTCOME}"
            ) from None


def _export(path: Path, found: _Found) -> None:
    """An export: one JSON document with lists in it, a list of messages, or a document a line."""
    with opened(path, OUTCOME, BOUNDS) as source:
        first = _document(source.header(BOUNDS.line))
    if first is not None and _is_message(first):
        _collection(path, "messages", found)
        _info(path.parent, found)
        for other in COLLECTIONS[1:]:
            for ending in (".db", path.suffix):
                if other not in found.documents:
                    _beside(path.with_name(f"{other}{ending}"), other, found)
        return
    whole = _json(path)
    if isinstance(whole, dict):
        found.info = fields(whole.get("world")) or whole
        for kind in COLLECTIONS:
            if kind in whole:
                _take(whole[kind], kind, found)
        if "messages" not in whole and _is_message(whole):
            _take([whole], "messages", found)
    elif isinstance(whole, list):
        _take(whole, "messages", found)


def _take(documents: object, kind: str, found: _Found) -> None:
    listed = [*documents.values()] if isinstance(documents, dict) else [*each(documents)]
    found.documents.setdefault(kind, {})
    for place, document in enumerate(listed):
        if fields(document):
            found.add(kind, fields(document), f"place {place + 1}")
        else:
            found.warnings.append(f"Of {kind}, number {place + 1} is not a document and was passed over.")


def _unpacked_folder(folder: Path, kind: str, found: _Found) -> None:
    """A folder with a file of JSON for each document."""
    for place, file in enumerate(sorted(folder.glob("*.json"))):
        if place >= MOST_FILES:
            raise RollbookError(f"{folder} holds more than {MOST_FILES:,} files. {OUTCOME}")
        document = fields(_json(file))
        if document:
            found.add(kind, document, file.name)


def _level(folder: Path, kind: str, found: _Found) -> None:
    found.documents.setdefault(kind, {})
    parts: dict[tuple[str, str], list[Fields]] = {}
    for key, value in level_documents(folder):
        collection, _, id_ = key.strip("!").partition("!")
        document = _document(value)
        if document is None:
            found.warnings.append(
                f"{folder.name}: what lies under {key[:60]!r} is not a JSON document and was passed over."
            )
        elif "." in collection:
            parent, _, part = collection.partition(".")
            parts.setdefault((id_.split(".")[0], part), []).append({**document, "_in": parent})
        elif collection == kind:
            found.add(kind, {"_id": id_, **document}, key)
    for (id_, part), documents in parts.items():
        held = found.documents[kind].get(id_)
        if held is not None:
            found.documents[kind][id_] = {**held, part: documents}
