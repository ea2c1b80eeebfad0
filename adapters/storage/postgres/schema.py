"""The tables of a PostgreSQL store, and what the program may do there; ``migrating`` makes them.

The program plays under another role, which may read everything, add entries and nothing else. Every statement names the
stream, so that the tables could be distributed over several servers by it.
"""

from typing import LiteralString

from rollbook.adapters.storage.postgres import functions, rules, shared_tables

LAYOUT = 1
"""The shape of the tables. A store of another one is not played on."""
PROGRAM = "rollbook"
"""The role that the program plays under, if none is named."""
STORE = """\
CREATE TABLE IF NOT EXISTS rollbook.store (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    layout integer NOT NULL,
    identity text NOT NULL,
    cluster text NOT NULL,
    epoch integer NOT NULL DEFAULT 1
)"""
"""One row. ``cluster`` is the server's own number, by which a restored copy is known, ``epoch`` how often that happened."""

KIND_SETS = """\
CREATE TABLE IF NOT EXISTS rollbook.kind_sets (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kinds text COLLATE "C" NOT NULL UNIQUE
)"""

ENTRIES = """\
CREATE TABLE IF NOT EXISTS rollbook.stored_events (
    originator_id text COLLATE "C" NOT NULL,
    originator_version bigint NOT NULL,
    topic text COLLATE "C" NOT NULL,
    kinds integer,
    command text COLLATE "C" NOT NULL DEFAULT '',
    state bytea NOT NULL,
    notification_id bigint GENERATED ALWAYS AS IDENTITY,
    xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
    PRIMARY KEY (originator_id, originator_version)
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)"""
"""One row an entry. ``xid`` is the transaction that stored it, by which the tail knows what can still come before it.

Rows hardly ever die here, so the server vacuums whenever one has: what a redaction removed is soon gone from most pages.
"""

INDEXES = (
    "CREATE INDEX IF NOT EXISTS stored_events_tail ON rollbook.stored_events (xid, notification_id)",
    "CREATE INDEX IF NOT EXISTS stored_events_kinds ON rollbook.stored_events (originator_id, kinds, originator_version)",
    "CREATE INDEX IF NOT EXISTS stored_events_command ON rollbook.stored_events (originator_id, command) WHERE command <> ''",
)

REMOVALS = """\
CREATE TABLE IF NOT EXISTS rollbook.removals (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    originator_id text COLLATE "C" NOT NULL,
    entries bigint NOT NULL DEFAULT 0,
    hash text NOT NULL DEFAULT '',
    identity text NOT NULL DEFAULT '',
    deleted_at bigint NOT NULL DEFAULT 0,
    is_wiped boolean NOT NULL DEFAULT false
)"""

GRANTS = (
    "GRANT USAGE ON SCHEMA rollbook TO {program}",
    "REVOKE ALL ON ALL TABLES IN SCHEMA rollbook FROM {program}",
    "GRANT SELECT ON rollbook.store, rollbook.kind_sets, rollbook.stored_events, rollbook.removals TO {program}",
    "GRANT INSERT (kinds) ON rollbook.kind_sets TO {program}",
    "GRANT INSERT (originator_id, originator_version, topic, kinds, command, state) ON rollbook.stored_events TO {program}",
)
"""What the program may do: ``{program}`` is its role. It cannot choose a position or a transaction's number."""

TABLES = ("CREATE SCHEMA IF NOT EXISTS rollbook", STORE, KIND_SETS, ENTRIES, *INDEXES, REMOVALS)

SECTIONS: tuple[tuple[LiteralString, ...], ...] = (
    TABLES,
    shared_tables.TABLES,
    (rules.TABLE,),
    functions.FUNCTIONS,
    functions.REVOKED,
    GRANTS,
    shared_tables.GRANTS,
    (rules.GRANT,),
    functions.GRANTS,
)
"""All statements of a migration, in order; each may be run again. Add a section of tables before ``GRANTS``, its grants after."""
