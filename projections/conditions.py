"""Conditions on rows of the session log, in SQL."""

from __future__ import annotations

import attrs

from rollbook.domain.base.records import Record


@attrs.frozen
class SqlCondition(Record):
    """A piece of SQL about rows of the session log, with its values."""

    sql: str
    values: tuple[object, ...] = ()

    def __and__(self, other: SqlCondition) -> SqlCondition:
        return SqlCondition(f"({self.sql}) AND ({other.sql})", self.values + other.values)


EVERYTHING = SqlCondition("1")
UNDONE_ONLY = SqlCondition("status = 'undone'")
CORRECTIONS_ONLY = SqlCondition("status = 'correction' OR revision > 1")
