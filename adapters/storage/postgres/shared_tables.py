"""The tables in which nodes share what is no part of the history, and what the program may do there.

Secrets are in them as digests or encrypted. Unlike entries these rows change and go, so the program may update and delete them.
"""

SEEDS = """\
CREATE TABLE IF NOT EXISTS rollbook.seeds (
    stream text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    campaign text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (stream, session)
)"""
"""``sealed`` are both secrets of a session with their nonce, encrypted; ``campaign`` is the identity of the campaign."""

MARKS = """\
CREATE TABLE IF NOT EXISTS rollbook.dice_marks (
    stream text COLLATE "C" NOT NULL,
    session text COLLATE "C" NOT NULL,
    run text COLLATE "C" NOT NULL,
    used bigint NOT NULL,
    PRIMARY KEY (stream, session, run)
)"""
"""How far each run of a session's dice was handed out; the run "closed" says that the seed was revealed."""

MOVED = """\
CREATE TABLE IF NOT EXISTS rollbook.moved (
    stream text COLLATE "C" NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    said text NOT NULL,
    PRIMARY KEY (stream, number)
)"""

COPIES = """\
CREATE TABLE IF NOT EXISTS rollbook.copies (
    host text COLLATE "C" NOT NULL,
    path text COLLATE "C" NOT NULL,
    store text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (host, path)
)"""
"""Files on the computers of nodes into which the store was copied."""

LINKS = (
    """\
CREATE TABLE IF NOT EXISTS rollbook.seat_links (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token bytea NOT NULL UNIQUE,
    campaign text COLLATE "C" NOT NULL,
    identity text COLLATE "C" NOT NULL,
    seat text COLLATE "C" NOT NULL,
    made bigint NOT NULL,
    until bigint NOT NULL,
    used bigint NOT NULL DEFAULT 0,
    revoked bigint NOT NULL DEFAULT 0
)""",
    "CREATE INDEX IF NOT EXISTS seat_links_of_campaigns ON rollbook.seat_links (campaign, identity)",
    """\
CREATE TABLE IF NOT EXISTS rollbook.browsers (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    cookie bytea NOT NULL UNIQUE,
    day integer NOT NULL
)""",
    "CREATE INDEX IF NOT EXISTS browsers_by_day ON rollbook.browsers (day)",
    """\
CREATE TABLE IF NOT EXISTS rollbook.taken (
    browser bigint NOT NULL REFERENCES rollbook.browsers ON DELETE CASCADE,
    link bigint NOT NULL REFERENCES rollbook.seat_links ON DELETE CASCADE,
    at bigint NOT NULL,
    PRIMARY KEY (browser, link)
)""",
    "CREATE INDEX IF NOT EXISTS taken_links ON rollbook.taken (link)",
    "CREATE TABLE IF NOT EXISTS rollbook.addresses (place integer PRIMARY KEY, address text NOT NULL)",
)
"""Links, the browsers that took one, and where the table is served. Of tokens and cookies there are digests only."""

NOTES = """\
CREATE TABLE IF NOT EXISTS rollbook.table_notes (
    stream text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (stream, kind)
)"""
"""What the table on the web keeps of a campaign, encrypted; and under the stream "" what the key is known by."""

NAMES = ("seeds", "dice_marks", "moved", "copies", "seat_links", "browsers", "taken", "addresses", "table_notes")

TABLES = (
    SEEDS,
    "CREATE INDEX IF NOT EXISTS seeds_by_session ON rollbook.seeds (session)",
    MARKS,
    MOVED,
    COPIES,
    *LINKS,
    NOTES,
)
"""What makes the tables; each statement may be run again."""

GRANTS = tuple(f"GRANT SELECT, INSERT, UPDATE, DELETE ON rollbook.{name} TO {{program}}" for name in NAMES)
"""What the program may do; ``{program}`` is its role."""
