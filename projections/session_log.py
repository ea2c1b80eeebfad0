"""The session log: one row for every entry, in the order in which it was made, never removed.

A row whose action was undone or amended later stays and is marked with the entry that did it, and why. ``log_rows``
makes the rows; reading them needs only this module.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber
from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import Record
from rollbook.projections.database import CORRECTION, Database, columns, create_table, insert, read_rows
from rollbook.projections.phrases import sentence
from rollbook.projections.utc import second

TABLE = "session_log"
SEARCHED = ("verb", "who", "what", "result", "reason", "why")
"""The columns in which words are searched for: the verb, what the log says, the reason of an action and why it was undone."""

WORDED = ("who", "what", "dice", "result", "success", "actor", "targets")
"""The columns that are made of an entry in words. Where a table is made ``when_asked``, they are worded when they are read."""
WORDING = "worded"
"""The function in SQL that words them there, from the number of an entry and the place of the column among them."""
WORDS_KEPT = f"{TABLE}_words"
"""The table with the words of the lines that were asked for there."""

LINES = f"{TABLE}_lines"
"""The view from which whole lines are read."""

_FTS = f"{TABLE}_fts"
"""The full-text index: the words of each row, without the texts."""
_WORDS = "unicode61 categories 'L* N* Co M*'"
"""The tokenizer: the categories of letters that make up words."""


class LogLine(NamedTuple):
    """One row. ``at`` is microseconds since 1970, UTC; ``success`` 1 for ✓, -1 for ✗, 0 where nothing was at stake.

    ``status`` is "counts", "undone", "replaced" or, for a row that only corrects others, "correction".
    ``corrected_by`` is the entry that took the row out of effect, and ``why`` its reason; ``because`` the entry of the
    correction that this entry follows from. ``actor`` and ``targets`` are who acted and whom else it was about, by id and
    name between bars; ``kinds`` the kinds of events, in small letters between bars; ``scene_number`` counts the campaign's
    scenes, and again one with which the table goes on. Filters use them.
    ``place`` is the action's number in the order of play, and ``before`` is the action before which it was inserted (0: it was
    not).
    """

    campaign: CampaignId
    entry: EntryNumber
    action: ActionNumber
    revision: int
    session: int
    scene: str
    seat: str
    at: int
    verb: str
    who: str
    what: str
    dice: str
    result: str
    success: int
    status: str
    reason: str
    corrected_by: int
    why: str
    because: int
    visibility: str
    provenance: str
    scene_number: int
    actor: str
    targets: str
    kinds: str
    place: int
    before: ActionNumber

    @property
    def sentence(self) -> str:
        """The sentence with its outcome; of one that undoes or redoes, which action and why."""
        if self.status == CORRECTION:
            return sentence(self.who, f"{DOES.get(self.verb, self.verb)} #{self.action}", self.reason)
        return sentence(self.who, self.what, self.result)

    def to_dict(self) -> dict[str, str | int | None]:
        """The row as programs for tables read it, the same in a data frame as in a CSV file: docs/exporting.md."""
        return {
            "entry": self.entry,
            "action": self.action,
            "revision": self.revision,
            "session": self.session,
            "scene": self.scene,
            "at_utc": second(self.at),
            "seat": self.seat,
            "verb": self.verb,
            "who": self.who,
            "what": self.what,
            "dice": self.dice,
            "result": self.result,
            "success": _SUCCESS[self.success],
            "status": self.status,
            "reason": self.reason,
            "corrected_by": self.corrected_by or None,
            "why": self.why,
            "provenance": self.provenance,
            "visibility": self.visibility,
        }


DOES = {"undo": "undoes", "redo": "redoes"}
"""The predicates of corrections that have no outcome of their own, by their verbs."""

_SUCCESS = {1: "yes", 0: "", -1: "no"}


class Log(tuple[LogLine, ...]):
    """A log as a reader sees it: a line for every entry, in the order in which they were made."""

    __slots__ = ()

    def to_dicts(self) -> list[dict[str, str | int | None]]:
        """The lines as rows of a data frame."""
        return [line.to_dict() for line in self]


_FIELDS = ", ".join(LogLine._fields)


def create(db: Database, *, when_asked: bool = False) -> None:
    """The table, its index and its views; ``make_searchable`` adds the full-text search.

    ``when_asked``: a row has its words when a query reads them, from the function ``WORDING``.
    """
    late = WORDED if when_asked else ()
    held = {name: kind for name, kind in columns(LogLine).items() if name not in late}
    create_table(db, TABLE, held, ("campaign", "entry"), ("campaign", "action"), ("campaign", "place"))
    if when_asked:
        db.execute(f"CREATE TABLE {WORDS_KEPT} (entry INTEGER PRIMARY KEY, {', '.join(WORDED)})")
    in_words = "".join(f", {WORDING}(entry, {at}) AS {name}" for at, name in enumerate(late))
    db.execute(f"CREATE VIEW {LINES} AS SELECT rowid, *{in_words} FROM {TABLE}")  # noqa: S608 - constants
    db.execute(
        "CREATE VIEW session_log_now AS SELECT campaign, session, scene, action, who, what, dice, result, "
        "CASE success WHEN 1 THEN '✓' WHEN -1 THEN '✗' ELSE '' END AS ok, "
        "datetime(at / 1000000, 'unixepoch') AS at_utc "
        "FROM session_log_lines WHERE status = 'counts' ORDER BY campaign, place"
    )
    db.execute(
        "CREATE VIEW corrections AS SELECT campaign, entry, action, seat, verb, reason, "
        "datetime(at / 1000000, 'unixepoch') AS at_utc "
        "FROM session_log WHERE status = 'correction' OR revision > 1 ORDER BY campaign, entry"
    )


def make_searchable(db: Database) -> None:
    """Full-text search over the rows of the table, now and later, in texts as they are compared: STRASSE finds Straße.

    Vowel signs and other marks are parts of words. Triggers follow changes and removals. ``add`` indexes new rows, all
    at once: a trigger would write out its words after every row, at five times the cost.
    """
    db.forget_columns()
    searched, late = ", ".join(SEARCHED), _late(db)
    all_, old, new = (", ".join(_searched(row, late)) for row in ("", "old.", "new."))
    changed = ", ".join(column for column in SEARCHED if column not in late)
    forget = f"INSERT INTO {_FTS} ({_FTS}, rowid, {searched}) VALUES ('delete', old.rowid, {old});"  # noqa: S608 - constants
    note = f"INSERT INTO {_FTS} (rowid, {searched}) VALUES (new.rowid, {new});"  # noqa: S608 - constants
    for statement in (
        f"CREATE VIRTUAL TABLE {_FTS} USING fts5({searched}, content='', tokenize=\"{_WORDS}\")",
        f"INSERT INTO {_FTS} (rowid, {searched}) SELECT rowid, {all_} FROM {TABLE}",  # noqa: S608 - constants
        f"CREATE TRIGGER {TABLE}_ad AFTER DELETE ON {TABLE} BEGIN {forget} END",
        f"CREATE TRIGGER {TABLE}_au AFTER UPDATE OF {changed} ON {TABLE} BEGIN {forget} {note} END",
    ):
        db.execute(statement)


def _late(db: Database) -> tuple[str, ...]:
    """The columns of ``WORDED`` that are worded when they are read."""
    held = db.columns_of(TABLE)
    return tuple(name for name in WORDED if name not in held)


def _searched(row: str, late: Collection[str]) -> Iterator[str]:
    """The searched columns of a row of the table in SQL: as they are written in it, or worded now."""
    for name in SEARCHED:
        yield f"fold({WORDING}({row}entry, {WORDED.index(name)}))" if name in late else f"fold({row}{name})"


def words_kept(db: Database, entry: EntryNumber) -> tuple[Any, ...] | None:
    """The values of ``WORDED`` of a line that was worded before, in a table made ``when_asked``; None if it was not."""
    found: tuple[Any, ...] | None = db.execute(
        f"SELECT {', '.join(WORDED)} FROM {WORDS_KEPT} WHERE entry = ?",  # noqa: S608 - constants
        [entry],
    ).fetchone()
    return found


def keep_words(db: Database, words: Mapping[EntryNumber, tuple[object, ...]]) -> None:
    """Keep the values of ``WORDED`` of some lines, by their entries."""
    statement = f"INSERT OR IGNORE INTO {WORDS_KEPT} VALUES (?{', ?' * len(WORDED)})"  # noqa: S608 - constants
    db.conn.executemany(statement, ((entry, *said) for entry, said in words.items()))


def is_searchable(db: Database) -> bool:
    """True if there is a full-text index."""
    return bool(db.columns_of(_FTS))


def add(db: Database, campaign: CampaignId, lines: Sequence[LogLine]) -> None:
    """Add lines of a campaign, in the order of their entries, to the table and to its full-text index, if any."""
    insert(db, TABLE, lines, without=_late(db))
    if lines and is_searchable(db):
        searched, words = ", ".join(SEARCHED), ", ".join(f"fold({column})" for column in SEARCHED)
        db.execute(
            f"INSERT INTO {_FTS} (rowid, {searched}) SELECT rowid, {words} FROM {LINES} "  # noqa: S608 - constants
            "WHERE campaign = ? AND entry BETWEEN ? AND ?",
            [campaign, lines[0].entry, lines[-1].entry],
        )


def names_in(db: Database, campaign: CampaignId, column: str) -> set[str]:
    """Every name in a column of a campaign's log; some columns hold several between bars."""
    found = db.execute(f"SELECT DISTINCT {column} FROM {LINES} WHERE campaign = ?", [campaign])  # noqa: S608 - our own
    return {name for (held,) in found for name in held.split("|") if name}


@attrs.frozen
class SqlCondition(Record):
    """A piece of SQL about rows of the session log, with its values."""

    sql: str
    values: tuple[object, ...] = ()

    def __and__(self, other: "SqlCondition") -> "SqlCondition":
        return SqlCondition(f"({self.sql}) AND ({other.sql})", self.values + other.values)


EVERYTHING = SqlCondition("1")
UNDONE_ONLY = SqlCondition("status = 'undone'")
CORRECTIONS_ONLY = SqlCondition("status = 'correction' OR revision > 1")


@attrs.frozen(kw_only=True)
class Wanted(Record):
    """A query for lines of a campaign's log: those that count or were undone, in the order of play.

    ``everything`` adds outcomes that were replaced and the corrections themselves, in the order of the entries.
    ``search`` is words that must all occur (blank: no search); ``where`` is a filter.
    """

    campaign: CampaignId
    session: int | None = None
    search: str = ""
    where: SqlCondition = EVERYTHING
    everything: bool = False

    @property
    def condition(self) -> SqlCondition:
        """The query's condition in SQL."""
        found = SqlCondition("campaign = ?", (self.campaign,))
        if self.session is not None:
            found &= SqlCondition("session = ?", (self.session,))
        if not self.everything:
            found &= SqlCondition("status IN ('counts', 'undone')")
        words = " ".join(_quoted(word) for word in caseless(self.search).split())
        if words:
            sought = f"rowid IN (SELECT rowid FROM {_FTS} WHERE {_FTS} MATCH ?)"  # noqa: S608 - a constant
            found &= SqlCondition(sought, (words,))
        return found & self.where

    @property
    def order(self) -> tuple[str, ...]:
        return ("entry",) if self.everything else ("place", "entry")


def lines(db: Database, wanted: Wanted, *, last: int | None = None) -> list[LogLine]:
    """The log, oldest first; with ``last``, only that number of lines at the end."""
    backwards = ", ".join(f"{column} DESC" for column in wanted.order)
    return _lines(db, _asked(db, wanted), backwards, last)[::-1]


def _asked(db: Database, wanted: Wanted) -> SqlCondition:
    """The condition of a query. The first search of a table without a full-text index makes one, or none if a row fails."""
    if wanted.search and not is_searchable(db):
        db.execute("SAVEPOINT searchable")
        try:
            make_searchable(db)
        except BaseException:
            db.execute("ROLLBACK TO searchable")
            raise
        finally:
            db.execute("RELEASE searchable")
    return wanted.condition


def page(db: Database, wanted: Wanted, size: int, after: LogLine | None) -> list[LogLine]:
    """The next ``size`` lines of the log after a line, or the first ones."""
    condition, order = _asked(db, wanted), ", ".join(wanted.order)
    if after is not None:
        known = tuple(getattr(after, column) for column in wanted.order)
        condition &= SqlCondition(f"({order}) > ({', '.join('?' * len(known))})", known)
    return _lines(db, condition, order, size)


def _lines(db: Database, condition: SqlCondition, order: str, most: int | None) -> list[LogLine]:
    sql = f"SELECT {_FIELDS} FROM {LINES} WHERE {condition.sql} ORDER BY {order}"  # noqa: S608 - constants
    if most is not None:
        sql += f" LIMIT {int(most)}"
    return read_rows(LogLine, db.execute(sql, condition.values))


def actions_after(db: Database, campaign: CampaignId, entry: EntryNumber) -> tuple[ActionNumber, ...] | None:
    """The actions that the lines after an entry are about, in their order; None if one of them was inserted among others."""
    inserted = f"SELECT 1 FROM {TABLE} WHERE campaign = ? AND entry > ? AND before > 0 AND revision = 1 LIMIT 1"  # noqa: S608 - a constant
    if db.execute(inserted, [campaign, entry]).fetchone():
        return None
    sql = f"SELECT DISTINCT action FROM {TABLE} WHERE campaign = ? AND entry > ? ORDER BY action"  # noqa: S608 - constants
    return tuple(action for (action,) in db.execute(sql, [campaign, entry]))


def widest(db: Database, wanted: Wanted) -> tuple[int, int, int]:
    """The highest entry and action among the lines of the log, and the letters of the longest subject (``who``)."""
    condition = _asked(db, wanted)
    sql = f"SELECT MAX(entry), MAX(action), MAX(LENGTH(who)) FROM {LINES} WHERE {condition.sql}"  # noqa: S608 - constants
    entry, action, name = db.execute(sql, condition.values).fetchone()
    return int(entry or 0), int(action or 0), int(name or 0)


def _quoted(word: str) -> str:
    """A word as FTS5 takes it literally; text that is not valid Unicode is in no log, and a NUL would end it."""
    return '"' + word.encode(errors="replace").decode().replace('"', '""').replace("\0", " ") + '"'
