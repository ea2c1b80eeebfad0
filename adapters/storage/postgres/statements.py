"""Statements for the tables of a PostgreSQL store. Every statement about entries names the stream."""

import re
from functools import cache

from rollbook.adapters.storage.entry_reading import ENTRIES, IN_ORDER, KNOWN, REMOVALS
from rollbook.domain.history.chain import SEAL_LENGTH

_NOTHING = "''::bytea"
_END = f"COALESCE(substr(state, GREATEST(octet_length(state) - {SEAL_LENGTH}, 1)), {_NOTHING})"
"""The seal of an entry, with the line break before it."""

TABLE_NAMES = {name: f"rollbook.{name}" for name in ("removals", "pictures", "browsers", "taken", "addresses")} | {
    "events": "rollbook.stored_events",
    "commands": "rollbook.stored_events",
    "sets": "rollbook.kind_sets",
    "links": "rollbook.seat_links",
    "tokens": "rollbook.seat_tokens",
    "state": "state",
    "store": "rollbook.store",
    "seal": _END,
    "nothing": _NOTHING,
}


@cache
def spelled(statement: str) -> str:
    """A database-independent statement in psycopg's notation."""
    return re.sub(r"(?<!:):(\w+)", r"%(\1)s", statement.format_map(TABLE_NAMES))


STORE = "SELECT identity, layout, epoch, cluster = system_identifier::text FROM rollbook.store, pg_control_system()"

APPEND = """\
WITH head AS (
    SELECT COALESCE(MAX(originator_version), 0) AS version FROM rollbook.stored_events
    WHERE originator_id = %(stream)s
), added AS (
    INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, kinds, command, state)
    SELECT %(stream)s, %(expected)s + new.n, new.topic, new.kinds, new.command, new.state
    FROM head, unnest(%(topics)s::text[], %(kinds)s::integer[], %(commands)s::text[], %(states)b::bytea[])
        WITH ORDINALITY AS new (topic, kinds, command, state, n)
    WHERE head.version = %(expected)s ORDER BY new.n
)
SELECT version FROM head"""
"""Adds entries if the stream is at ``expected``; returns its head. A concurrent writer violates the primary key."""
APPEND_ONE = """\
INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, kinds, command, state)
SELECT %(stream)s, %(expected)s::bigint + 1, %(topic)s, %(kinds)s, %(command)s, %(state)b
WHERE %(expected)s::bigint = 0 OR EXISTS (
    SELECT FROM rollbook.stored_events WHERE originator_id = %(stream)s AND originator_version = %(expected)s::bigint
)
ON CONFLICT DO NOTHING"""
"""The same for one entry, with less work on both sides: no arrays, and no result but the number of added rows.

It is 0 if the stream is at another version: then the entry before is missing, or another one has this version.
"""
BEGIN = """\
WITH marker AS (
    INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, state)
    SELECT %(stream)s, 0, %(topic)s, %(marker)b::bytea
    WHERE NOT EXISTS (SELECT 1 FROM rollbook.stored_events WHERE originator_id = %(stream)s)
    RETURNING true AS is_new
), added AS (
    INSERT INTO rollbook.stored_events (originator_id, originator_version, topic, kinds, command, state)
    SELECT %(stream)s, new.n, new.topic, new.kinds, new.command, new.state
    FROM marker, unnest(%(topics)s::text[], %(kinds)s::integer[], %(commands)s::text[], %(states)b::bytea[])
        WITH ORDINALITY AS new (topic, kinds, command, state, n)
    ORDER BY new.n
)
SELECT is_new FROM marker"""

ADD_SET = "INSERT INTO rollbook.kind_sets (kinds) VALUES (%(kinds)s) ON CONFLICT DO NOTHING RETURNING id"
SET = "SELECT id FROM rollbook.kind_sets WHERE kinds = %(kinds)s"

READ_KINDS = f"""\
{ENTRIES} AND kinds = ANY(ARRAY(SELECT id FROM {{sets}} WHERE string_to_array(kinds, ' ') && :kinds::text[])) {IN_ORDER}"""  # noqa: S608 - our own

MAKE_SURE = "SELECT pg_logical_emit_message(true, 'rollbook', '')"
"""A commit that stores nothing: its answer waits for a synchronous standby like every other."""

VISIBLE = "xid < pg_snapshot_xmin(pg_current_snapshot())"
"""The condition of rows that no later commit can precede: every transaction before theirs has ended."""


def _end_of(entry: str) -> str:
    return f"{entry}.originator_id, {entry}.originator_version, {_END.replace('state', f'{entry}.state')}"


AFTER = "(xid, notification_id) > (%(xid)s::text::xid8, %(position)s)"
CHANGES = f"""\
SELECT xid::text AS transaction, notification_id, originator_id, originator_version, topic, state FROM rollbook.stored_events
WHERE {AFTER} AND {VISIBLE} AND (xid, notification_id) <= (%(last_xid)s::text::xid8, %(last)s) AND originator_version > 0
ORDER BY xid, notification_id LIMIT %(page)s"""  # noqa: S608 - our own
COUNT = f"SELECT COUNT(*) FROM rollbook.stored_events WHERE {AFTER} AND {VISIBLE}"  # noqa: S608 - our own
_NEWEST = f"FROM rollbook.stored_events WHERE {VISIBLE} ORDER BY xid DESC, notification_id DESC LIMIT 1"
LAST = f"SELECT xid::text AS transaction, notification_id {_NEWEST}"
"""The last entry in the tail."""
STATE = f"""\
SELECT ({REMOVALS.format_map(TABLE_NAMES)}), newest.xid::text, newest.notification_id,
    pg_snapshot_xmin(pg_current_snapshot()) = pg_snapshot_xmax(pg_current_snapshot()), {_end_of("newest")}, {_end_of("known")}
FROM (SELECT 1) AS one LEFT JOIN LATERAL (SELECT * {_NEWEST}) AS newest ON true LEFT JOIN rollbook.stored_events AS known
    ON known.xid = %(xid)s::text::xid8 AND known.notification_id = %(position)s"""  # noqa: S608 - our own
"""The last entry in the tail, whether it is the last of all (no transaction is under way), and the one at a place."""

CAMPAIGNS = f"""\
{KNOWN} SELECT stream FROM known, LATERAL (
    SELECT xid, notification_id FROM rollbook.stored_events WHERE originator_id = stream ORDER BY originator_version LIMIT 1
) AS begun ORDER BY begun.xid, begun.notification_id"""  # noqa: S608 - our own
ALL_ENDS = f"""\
{KNOWN} SELECT stream, originator_version, {_END} FROM known, LATERAL (
    SELECT originator_version, state FROM rollbook.stored_events WHERE originator_id = stream AND originator_version > 0
    ORDER BY originator_version DESC LIMIT 1
) AS last"""  # noqa: S608 - our own
ENDS = f"""\
SELECT DISTINCT ON (originator_id) originator_id, originator_version, {_END} FROM rollbook.stored_events
WHERE {AFTER} AND {VISIBLE} AND originator_version > 0 ORDER BY originator_id, originator_version DESC"""  # noqa: S608 - our own
ENDS_OF = f"""\
SELECT stream, {_END} FROM unnest(%(streams)s::text[]) AS followed (stream), LATERAL (
    SELECT state FROM rollbook.stored_events WHERE originator_id = followed.stream AND originator_version > 0
    ORDER BY originator_version DESC LIMIT 1
) AS last"""  # noqa: S608 - our own
MOMENT = "SELECT pg_snapshot_xmin(now)::text, pg_snapshot_xmax(now)::text FROM pg_current_snapshot() AS now"
"""The oldest transaction under way, and the first that has not begun."""

REMOVED = "SELECT id, originator_id FROM rollbook.removals WHERE id > %(after)s ORDER BY id"
KEEP_TOMBSTONES = """\
SELECT rollbook.keep_tombstones(
    %(streams)s::text[], %(entries)s::bigint[], %(hashes)s::text[], %(identities)s::text[], %(moments)s::bigint[]
)"""

REDACT = "SELECT rollbook.redact(%(stream)s, %(versions)s::bigint[], %(states)b::bytea[])"
DELETE = """\
SELECT rollbook.delete_campaign(%(stream)s, %(streams)s::text[], %(entries)s, %(hash)s, %(identity)s, %(at)s)"""

LAST_RULES = "SELECT fingerprint FROM rollbook.rules WHERE ruleset = %(ruleset)s ORDER BY number DESC LIMIT 1"
ALL_RULES = "SELECT DISTINCT ON (ruleset) ruleset, fingerprint FROM rollbook.rules ORDER BY ruleset, number DESC"
PUT_RULES = """\
INSERT INTO rollbook.rules (ruleset, number, fingerprint)
SELECT %(ruleset)s, COALESCE(MAX(number), 0) + 1, %(fingerprint)s FROM rollbook.rules WHERE ruleset = %(ruleset)s
HAVING COALESCE((array_agg(fingerprint ORDER BY number DESC))[1], '') = %(instead_of)s
ON CONFLICT DO NOTHING RETURNING fingerprint"""

KEEP_PICTURE = """\
INSERT INTO rollbook.pictures (originator_id, digest, data) VALUES (%(stream)s, %(digest)s, %(data)b::bytea)
ON CONFLICT DO NOTHING"""
DROP_PICTURES = """\
WITH gone AS (
    DELETE FROM rollbook.pictures WHERE originator_id = %(stream)s AND digest = ANY (%(digests)s::text[]) RETURNING 1
)
SELECT count(*) FROM gone"""
