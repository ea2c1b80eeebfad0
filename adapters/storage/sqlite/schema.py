"""The schema of a campaign file: its tables, the triggers that protect entries from changes, and a view for people.

The row number of an entry is its position in the whole store. AUTOINCREMENT prevents it from ever being used twice,
even if a row was deleted by hand, so that a projection that has seen position 7 has seen everything up to 7.
"""

APPLICATION_ID = 0x526F6C6C
LAYOUT = 2

ENTRIES = """\
CREATE TABLE IF NOT EXISTS stored_events (
    rowid INTEGER PRIMARY KEY AUTOINCREMENT,
    originator_id TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    topic TEXT NOT NULL,
    kinds INTEGER,
    state BLOB NOT NULL,
    UNIQUE (originator_id, originator_version)
)"""
COMMANDS = """\
CREATE TABLE IF NOT EXISTS entry_commands (
    originator_id TEXT NOT NULL,
    command TEXT NOT NULL,
    originator_version INTEGER NOT NULL,
    PRIMARY KEY (originator_id, command, originator_version)
) WITHOUT ROWID"""
IDENTITY = "CREATE TABLE IF NOT EXISTS store_identity (identity TEXT NOT NULL)"

SETS = """\
CREATE TABLE IF NOT EXISTS kind_sets (
    id INTEGER PRIMARY KEY,
    kinds TEXT NOT NULL UNIQUE
)"""
BLOCKS = """\
CREATE TABLE IF NOT EXISTS entry_kinds (
    originator_id TEXT NOT NULL,
    kinds INTEGER NOT NULL,
    block INTEGER NOT NULL,
    PRIMARY KEY (originator_id, kinds, block)
) WITHOUT ROWID"""
REMOVALS = """\
CREATE TABLE IF NOT EXISTS removals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    originator_id TEXT NOT NULL,
    entries INTEGER NOT NULL DEFAULT 0,
    hash TEXT NOT NULL DEFAULT '',
    identity TEXT NOT NULL DEFAULT '',
    deleted_at INTEGER NOT NULL DEFAULT 0,
    is_wiped INTEGER NOT NULL DEFAULT 0
)"""
PICTURES = """\
CREATE TABLE IF NOT EXISTS pictures (
    originator_id TEXT NOT NULL,
    digest TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (originator_id, digest)
)"""
"""The bytes of pictures, by campaign and digest. The table is made with the first picture: an older store needs none."""
_REFUSAL = "SELECT RAISE(ABORT, 'entries are only ever added: nothing was changed')"
GUARDS = (
    f"CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE UPDATE ON stored_events BEGIN {_REFUSAL}; END",
    f"CREATE TRIGGER IF NOT EXISTS entries_remain BEFORE DELETE ON stored_events BEGIN {_REFUSAL}; END",
)
EVENTS = """\
CREATE VIEW IF NOT EXISTS events AS
SELECT
    originator_id AS campaign,
    originator_version AS entry,
    json_extract(lines, '$[0][1].at') AS at,
    json_extract(lines, '$[0][1].seat') AS seat,
    line.key - 2 AS position,
    substr(json_extract(line.value, '$[0]'), 1, instr(json_extract(line.value, '$[0]'), '@') - 1) AS event,
    CAST(substr(json_extract(line.value, '$[0]'), instr(json_extract(line.value, '$[0]'), '@') + 1) AS INTEGER) AS version,
    json_extract(line.value, '$[1]') AS fields
FROM
    (
        SELECT originator_id, originator_version, '[' || replace(CAST(state AS TEXT), char(10), ',') || ']' AS lines
        FROM stored_events WHERE originator_version > 0
    ),
    json_each(lines) AS line
WHERE line.key > 1 AND json_extract(line.value, '$[0]') NOT LIKE 'Seal@%'"""
"""View for people who open the file: one row for each event. A removed event has a ~ before its name, and a digest."""
