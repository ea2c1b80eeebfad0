"""A campaign as a SQLite database of its own, made from what the reader may see and from nothing else.

Any SQLite tool opens it. Beside it lies what Datasette wants to know of it: titles, what tables and columns mean, and by
which columns it is worth sorting things out.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from shlex import quote
from typing import Any

from rollbook.adapters.exports.exporter import Exported, ExportRequest
from rollbook.adapters.exports.files import OUTCOME, check_free, in_words, write
from rollbook.adapters.exports.tables.contents import TABLES, Contents, Table
from rollbook.adapters.local_files.own_files import begin_of, begins_with, check_target, give_name, named, unfinished

SEARCHED = ("who", "what", "result", "reason", "why")
APPLICATION_ID = 0x526F6C78
HEADER = b"SQLite format 3\0"
MARKED = 72
"""Bytes at the beginning of a database, of which the last four are the application id."""
IS_METADATA = begins_with(b'{\n  "about": "A campaign of rollbook"')


def write_sqlite(request: ExportRequest) -> Exported:
    """Write the database, and beside it the metadata for Datasette."""
    target, beside = request.target, metadata_path(request.target)
    is_ours = is_export if request.overwrite else None
    check_target(target, OUTCOME, is_ours=is_ours)
    check_free(beside, IS_METADATA, overwrite=request.overwrite)
    contents = Contents(request)
    with in_words(target), unfinished(target) as made:
        with closing(sqlite3.connect(made, isolation_level=None)) as connection:
            _fill(connection, contents)
        give_name(made, target, is_ours=is_ours)
    said = json.dumps(metadata(request), indent=2, ensure_ascii=False).encode()
    write(beside, [said, b"\n"], IS_METADATA, overwrite=request.overwrite)
    remark = f"To look at it in a browser: datasette {quote(named(target))} -m {quote(named(beside))}"
    return Exported(path=target, entries=len(contents.lines), remarks=(remark,))


def metadata_path(target: Path) -> Path:
    """Path of the metadata for Datasette: ``sherwood.metadata.json`` beside ``sherwood.sqlite``."""
    return target.with_name(f"{target.stem}.metadata.json")


def is_export(path: Path) -> bool:
    """True if a file is such a database."""
    begin = begin_of(path, MARKED)
    return begin.startswith(HEADER) and begin[MARKED - 4 :] == APPLICATION_ID.to_bytes(4, "big")


def _fill(connection: sqlite3.Connection, contents: Contents) -> None:
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("BEGIN")
    for table in TABLES:
        connection.execute(_made(table))
        places = ", ".join("?" * len(table.columns))
        connection.executemany(f"INSERT INTO {table.name} VALUES ({places})", table.rows(contents))  # noqa: S608 - our own
    listed = ", ".join(SEARCHED)
    connection.execute(f'CREATE VIRTUAL TABLE log_fts USING fts5({listed}, content="log")')
    connection.execute("INSERT INTO log_fts (log_fts) VALUES ('rebuild')")
    connection.execute("COMMIT")
    connection.execute("VACUUM")


def _made(table: Table) -> str:
    names = [column.name for column in table.columns]
    parts = [f"{column.name} {'INTEGER' if column.kind is int else 'TEXT'}" for column in table.columns]
    parts.append(f"PRIMARY KEY ({', '.join(names[: table.key])})")
    parts += [
        f"FOREIGN KEY ({column.name}) REFERENCES {column.of} ({column.name})" for column in table.columns if column.of
    ]
    return f"CREATE TABLE {table.name} ({', '.join(parts)})"


def metadata(request: ExportRequest) -> dict[str, Any]:
    """The metadata that Datasette shows beside the rows."""
    campaign = request.campaign
    reader = request.for_reader(
        "with all that is secret", "as everybody at the table saw it", "as player:{} may see it"
    )
    title = campaign.state.name or campaign.id
    return {
        "about": "A campaign of rollbook",
        "title": title,
        "description": f"What was played, {reader}.",
        **({"license": "\n".join(request.notices)} if request.notices else {}),
        "databases": {request.target.stem: {"title": title, "tables": dict(_described(TABLES))}},
    }


def _described(tables: Iterable[Table]) -> Iterable[tuple[str, dict[str, Any]]]:
    for table in tables:
        words = {"title": table.title, "description": table.words, "sort": table.columns[0].name}
        columns = {column.name: column.words for column in table.columns}
        label = next((name for name in ("name", "title", "what") if name in columns), table.columns[0].name)
        yield table.name, {**words, "label_column": label, "facets": list(table.facets), "columns": columns}
