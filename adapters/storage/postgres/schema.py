"""The tables of a PostgreSQL store, and the rights of the program's role; ``upkeep`` makes them.

The program plays under another role, which may read entries and add to them, but neither change nor delete any except
through these functions. Every statement names the stream, so that the tables could be distributed by it over several
servers.
"""

from __future__ import annotations

from typing import LiteralString

from rollbook.adapters.storage.postgres import shared_tables

WITHOUT_NOTES = """\
CREATE OR REPLACE FUNCTION rollbook.without_notes(state bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $body$
    SELECT convert_to(string_agg(
        CASE WHEN place > 2 AND line ~ '^\\["(NoteWritten|PictureShown|SeatNamed)@' THEN
            '["~' || substr(line, 3, strpos(line, '@') - 3) || '@1","' || encode(sha256(
                convert_to('rollbook/chain/1 line', 'UTF8') || '\\x00'::bytea || convert_to(line, 'UTF8')
            ), 'hex') || '"]'
        ELSE line END, chr(10) ORDER BY place), 'UTF8')
    FROM regexp_split_to_table(convert_from(state, 'UTF8'), chr(10)) WITH ORDINALITY AS lines (line, place)
$body$"""
"""``redaction.without_notes`` in SQL: the mark with its digest, which the hashes cover, replaces each note's line."""

REDACT = """\
CREATE OR REPLACE FUNCTION rollbook.redact(stream text, versions bigint[], states bytea[]) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    entry_at bigint;
    wanted bytea;
    removal bigint;
BEGIN
    FOR entry_at, wanted IN SELECT * FROM unnest(versions, states) LOOP
        UPDATE rollbook.stored_events SET state = wanted
        WHERE originator_id = stream AND originator_version = entry_at AND rollbook.without_notes(state) = wanted;
        IF NOT FOUND THEN
            RAISE EXCEPTION USING ERRCODE = 'RB001',
                MESSAGE = format('entry @%s would not be what it was without the words of its notes', entry_at);
        END IF;
    END LOOP;
    INSERT INTO rollbook.removals (originator_id) VALUES (stream) RETURNING id INTO removal;
    RETURN removal;
END
$body$"""
"""Replaces entries by themselves without the words of their notes, and nothing else. Returns the removal's number."""

DELETE = """\
CREATE OR REPLACE FUNCTION rollbook.delete_campaign(
    campaign text, streams text[], entries bigint, last_hash text, campaign_identity text, moment bigint
) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
DECLARE
    head bigint;
BEGIN
    IF EXISTS (SELECT FROM unnest(streams) AS s WHERE s <> campaign AND NOT starts_with(s, campaign || '~')) THEN
        RAISE EXCEPTION USING ERRCODE = 'RB001', MESSAGE = 'only a campaign and its own timelines are deleted at once';
    END IF;
    LOCK TABLE rollbook.stored_events IN SHARE ROW EXCLUSIVE MODE;
    SELECT COALESCE(MAX(originator_version), 0) INTO head FROM rollbook.stored_events WHERE originator_id = campaign;
    IF head = entries THEN
        DELETE FROM rollbook.stored_events WHERE originator_id = ANY (streams);
        DELETE FROM rollbook.pictures WHERE originator_id = campaign;
        INSERT INTO rollbook.removals (originator_id, entries, hash, identity, deleted_at)
        VALUES (campaign, entries, last_hash, campaign_identity, moment);
    END IF;
    RETURN head;
END
$body$"""
"""Removes a campaign with its timelines, if it has as many entries as its tombstone says. Returns how many it had.

The lock waits for appends that are under way, so that none of them is added to a deleted stream.
"""

KEEP_TOMBSTONES = """\
CREATE OR REPLACE FUNCTION rollbook.keep_tombstones(
    campaigns text[], entries bigint[], hashes text[], identities text[], moments bigint[]
) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $body$
    WITH added AS (
        INSERT INTO rollbook.removals (originator_id, entries, hash, identity, deleted_at, is_wiped)
        SELECT *, true FROM unnest(campaigns, entries, hashes, identities, moments) RETURNING id
    )
    SELECT count(*) FROM added
$body$"""
"""Adds the tombstones of the store that this one is a copy of, and returns how many; nothing is removed."""

FUNCTIONS = (WITHOUT_NOTES, REDACT, DELETE, KEEP_TOMBSTONES)

SIGNATURES = (
    "keep_tombstones(text[], bigint[], text[], text[], bigint[])",
    "redact(text, bigint[], bytea[])",
    "delete_campaign(text, text[], bigint, text, text, bigint)",
)
REVOKED = tuple(f"REVOKE ALL ON FUNCTION rollbook.{each} FROM PUBLIC" for each in SIGNATURES)
FUNCTION_GRANTS = tuple(f"GRANT EXECUTE ON FUNCTION rollbook.{each} TO {{program}}" for each in SIGNATURES)

LAYOUT = 1
"""The number of the tables' layout. A store of another layout is not opened."""
RAISES: dict[int, tuple[LiteralString, ...]] = {}
"""Statements that bring the tables of an earlier layout to the next one, by the earlier number.

A new ``LAYOUT`` needs a row here for the one before it.
"""
PROGRAM = "rollbook"
"""The program's role, if none is named."""
STORE = """\
CREATE TABLE IF NOT EXISTS rollbook.store (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    layout integer NOT NULL,
    identity text NOT NULL,
    cluster text NOT NULL,
    epoch integer NOT NULL DEFAULT 1
)"""
"""One row. ``cluster`` is the server's own number, which reveals a copy restored on another one; ``epoch`` counts those
and the times that the store was set back.
"""

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
"""One row for each entry. ``xid`` is the transaction that stored it, which tells the tail what can still precede it.

Rows are hardly ever removed here, so the server vacuums after each removal: redacted words are soon gone from most
pages.
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
"""The rights of the program: ``{program}`` is its role. It cannot choose a position or a transaction's number."""

RULES = """\
CREATE TABLE IF NOT EXISTS rollbook.rules (
    ruleset text COLLATE "C" NOT NULL,
    number integer NOT NULL,
    fingerprint text COLLATE "C" NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (ruleset, number)
)"""
"""The rules by which all computers play that share a store: rows that are only ever added, of which the last counts."""
RULES_GRANT = "GRANT SELECT, INSERT (ruleset, number, fingerprint) ON rollbook.rules TO {program}"

PICTURES = """\
CREATE TABLE IF NOT EXISTS rollbook.pictures (
    originator_id text COLLATE "C" NOT NULL,
    digest text COLLATE "C" NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (originator_id, digest)
) WITH (autovacuum_vacuum_threshold = 0, autovacuum_vacuum_scale_factor = 0)"""
"""The bytes of pictures, by campaign and digest. An older store gets the table when it is migrated; it can do without."""
PICTURES_GRANT = "GRANT SELECT, INSERT, DELETE ON rollbook.pictures TO {program}"

TABLES = ("CREATE SCHEMA IF NOT EXISTS rollbook", STORE, KIND_SETS, ENTRIES, *INDEXES, REMOVALS)

SECTIONS: tuple[tuple[LiteralString, ...], ...] = (
    TABLES,
    shared_tables.TABLES,
    (RULES, PICTURES),
    FUNCTIONS,
    REVOKED,
    GRANTS,
    shared_tables.GRANTS,
    (RULES_GRANT, PICTURES_GRANT),
    FUNCTION_GRANTS,
)
"""All statements of a migration, in order; each may be run again. Add a section of tables before ``GRANTS``, its grants after."""
