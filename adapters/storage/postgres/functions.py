"""The only ways in which anything leaves a PostgreSQL store: two functions of the owner that the program may call.

The program's role cannot change or remove a row. These functions run with their owner's rights, look everything up by its
full name, and look at what they are asked before they do it.
"""

WITHOUT_NOTES = """\
CREATE OR REPLACE FUNCTION rollbook.without_notes(state bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE STRICT SET search_path = pg_catalog, pg_temp AS $body$
    SELECT convert_to(string_agg(
        CASE WHEN place > 2 AND starts_with(line, '["NoteWritten@') THEN
            '["~NoteWritten@1","' || encode(sha256(
                convert_to('rollbook/chain/1 line', 'UTF8') || '\\x00'::bytea || convert_to(line, 'UTF8')
            ), 'hex') || '"]'
        ELSE line END, chr(10) ORDER BY place), 'UTF8')
    FROM regexp_split_to_table(convert_from(state, 'UTF8'), chr(10)) WITH ORDINALITY AS lines (line, place)
$body$"""
"""``redaction.without_notes`` in SQL: each note's line gives way to the mark with its digest, which the hashes cover."""

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
"""Replaces entries by what they are without the words of their notes, and by nothing else. Says the number of the removal."""

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
        INSERT INTO rollbook.removals (originator_id, entries, hash, identity, deleted_at)
        VALUES (campaign, entries, last_hash, campaign_identity, moment);
    END IF;
    RETURN head;
END
$body$"""
"""Removes a campaign with its timelines, if it has as many entries as its tombstone says. Says how many it had.

The lock waits for appends that are under way, so that none of them ends up in a stream that is gone.
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
"""Adds tombstones of a store that this one is a copy of, and says how many; nothing is removed."""

FUNCTIONS = (WITHOUT_NOTES, REDACT, DELETE, KEEP_TOMBSTONES)

REVOKED = (
    "REVOKE ALL ON FUNCTION rollbook.keep_tombstones(text[], bigint[], text[], text[], bigint[]) FROM PUBLIC",
    "REVOKE ALL ON FUNCTION rollbook.redact(text, bigint[], bytea[]) FROM PUBLIC",
    "REVOKE ALL ON FUNCTION rollbook.delete_campaign(text, text[], bigint, text, text, bigint) FROM PUBLIC",
)
GRANTS = (
    "GRANT EXECUTE ON FUNCTION rollbook.keep_tombstones(text[], bigint[], text[], text[], bigint[]) TO {program}",
    "GRANT EXECUTE ON FUNCTION rollbook.redact(text, bigint[], bytea[]) TO {program}",
    "GRANT EXECUTE ON FUNCTION rollbook.delete_campaign(text, text[], bigint, text, text, bigint) TO {program}",
)
