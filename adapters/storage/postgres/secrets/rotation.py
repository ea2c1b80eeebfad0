"""Whether the keys at hand are those of a store, and what happens when a new one takes an old one's place.

A text that every program knows lies in the database, encrypted. Who cannot decrypt it has other keys. If it was not encrypted
with the first of the keys, all secrets are encrypted again with that one, so that the old ones are not needed any more.
"""

from __future__ import annotations

from rollbook.adapters.storage.postgres.keys import Keys, bound_note, bound_seeds, name_of_key
from rollbook.adapters.storage.postgres.recorder import as_name
from rollbook.adapters.storage.postgres.shared_connections import Connections

KNOWN, KIND = b"the key of this store", "key"
FIND = "SELECT sealed FROM rollbook.table_notes WHERE stream = '' AND kind = 'key'"
ADD = "INSERT INTO rollbook.table_notes VALUES ('', 'key', %(sealed)s) ON CONFLICT (stream, kind) DO NOTHING"
OLD_SEEDS = "SELECT stream, session, campaign, sealed FROM rollbook.seeds WHERE substr(sealed, 2, 4) <> %(first)s"
OLD_NOTES = (
    "SELECT stream, kind, sealed FROM rollbook.table_notes WHERE substr(sealed, 2, 4) <> %(first)s AND stream <> ''"
)
SEEDS_AGAIN = """\
UPDATE rollbook.seeds SET sealed = %(sealed)s
WHERE stream = %(stream)s AND session = %(session)s AND sealed = %(before)s"""
NOTE_AGAIN = """\
UPDATE rollbook.table_notes SET sealed = %(sealed)s
WHERE stream = %(stream)s AND kind = %(kind)s AND sealed = %(before)s"""
"""What somebody else has changed meanwhile is encrypted with their key, and stays."""
NOT_READ, NOT_KEPT = "it could not be read", "nothing was kept"


def settle_keys(connections: Connections, keys: Keys) -> None:
    """See that these keys are the store's, and that the first of them is enough. Raises RollbookError if they are others."""
    rows = connections.rows(FIND, NOT_READ)
    if not rows:
        connections.rows(ADD, NOT_KEPT, sealed=keys.seal(KNOWN, KIND))
        rows = connections.rows(FIND, NOT_READ)
    known: bytes = rows[0][0]
    keys.open(known, KIND)
    if name_of_key(known) != keys.keys[0].name:
        _seal_again(connections, keys)
        connections.rows(NOTE_AGAIN, NOT_KEPT, stream="", kind=KIND, before=known, sealed=keys.seal(KNOWN, KIND))


def _seal_again(connections: Connections, keys: Keys) -> None:
    """Encrypt all secrets with the first key."""
    first = keys.keys[0].name
    for stream, session, campaign, sealed in connections.rows(OLD_SEEDS, NOT_READ, first=first):
        bound = bound_seeds(session, campaign, as_name(stream))
        place: dict[str, object] = {"stream": stream, "session": session, "before": sealed}
        connections.rows(SEEDS_AGAIN, NOT_KEPT, **place, sealed=keys.seal(keys.open(sealed, *bound), *bound))
    for stream, kind, sealed in connections.rows(OLD_NOTES, NOT_READ, first=first):
        bound = bound_note(kind, as_name(stream))
        place = {"stream": stream, "kind": kind, "before": sealed}
        connections.rows(NOTE_AGAIN, NOT_KEPT, **place, sealed=keys.seal(keys.open(sealed, *bound), *bound))
