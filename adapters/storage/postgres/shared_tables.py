"""The tables of what nodes share beside the history, and the rights of the program's role.

Secrets are in them as digests or encrypted. Unlike entries these rows change and are removed, so the program may update
and delete them.
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
"""The dice mark of each run of a session's dice; the run "closed": no more dice are rolled from the session's seed."""

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
"""Copies of the store in files on the computers of nodes."""

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
    """\
CREATE TABLE IF NOT EXISTS rollbook.seat_tokens (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    digest bytea NOT NULL UNIQUE,
    link bigint NOT NULL REFERENCES rollbook.seat_links ON DELETE CASCADE,
    name text NOT NULL,
    scopes text NOT NULL,
    given bigint NOT NULL,
    ends bigint NOT NULL,
    day integer NOT NULL DEFAULT 0,
    ended bigint NOT NULL DEFAULT 0
)""",
    "CREATE INDEX IF NOT EXISTS seat_tokens_of_links ON rollbook.seat_tokens (link)",
)
"""Links, the browsers that took one, and the server's addresses. Tokens and cookies are stored as digests only.

An older store gets ``seat_tokens`` when it is migrated; it can do without.
"""

NOTES = """\
CREATE TABLE IF NOT EXISTS rollbook.table_notes (
    stream text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    sealed bytea NOT NULL,
    PRIMARY KEY (stream, kind)
)"""
"""Encrypted notes of the web table about a campaign; and under the stream "" the text by which the key is checked."""

NAMES = (
    *("seeds", "dice_marks", "moved", "copies", "seat_links", "browsers", "taken", "addresses", "table_notes"),
    "seat_tokens",
)

TABLES = (
    SEEDS,
    "CREATE INDEX IF NOT EXISTS seeds_by_session ON rollbook.seeds (session)",
    MARKS,
    MOVED,
    COPIES,
    *LINKS,
    NOTES,
)
"""Statements that make the tables; each may be run again."""

GRANTS = tuple(f"GRANT SELECT, INSERT, UPDATE, DELETE ON rollbook.{name} TO {{program}}" for name in NAMES)
"""The rights of the program; ``{program}`` is its role."""
