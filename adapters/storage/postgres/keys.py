"""The keys that a shared store's secrets are encrypted with: from the environment or a file, never in the database.

A key file has one key a line. The first encrypts, all of them decrypt, so that a new key can replace an old one.
Encrypted data is bound to its purpose: moved to another place, it cannot be decrypted.
"""

from __future__ import annotations

import os
import secrets
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import attrs
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from platformdirs import user_config_path

from rollbook.adapters.local_files.own_files import make_folder, named, said_of, write_file
from rollbook.adapters.storage.postgres.connecting import Connections
from rollbook.adapters.storage.postgres.recorder import as_name
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.records import Record

KEY, KEY_FILE = "ROLLBOOK_SEED_KEY", "ROLLBOOK_SEED_KEY_FILE"
SIZE, NONCE, NAME = 32, 12, 4
"""Bytes of a key, of a nonce, and of a key's name."""
FORM = b"\1"
"""First byte of sealed data, which is this byte, the name of its key, a nonce, and AES-GCM's text and tag."""
LONGEST = 10_000
HOW = f"Name the file of the key with {KEY_FILE}; a new store gets one with: rollbook store key FILE"
COMMENT = "# Keys of a rollbook store's secret dice. The first encrypts, all decrypt. Without them open sessions have no dice."


@attrs.frozen
class Key(Record):
    """A key of 32 bytes."""

    secret: bytes = attrs.field(repr=False)

    @property
    def name(self) -> bytes:
        """The name that identifies the key among others. It reveals nothing of the key."""
        return sha256(b"rollbook/seed-key/1\0" + self.secret).digest()[:NAME]

    @property
    def text(self) -> str:
        """The key as a line of a file."""
        return b64encode(self.secret).decode()


@attrs.frozen(slots=False)
class Keys(Record):
    """The keys, and their ``source`` in words. ``store`` is the identity of the store whose secrets they encrypt."""

    keys: tuple[Key, ...]
    source: str
    store: str = ""

    @cached_property
    def _by_name(self) -> Mapping[bytes, AESGCM]:
        return {key.name: AESGCM(key.secret) for key in self.keys}

    def seal(self, text: bytes, *bound: str) -> bytes:
        """Encrypt a text, bound to the store and to these words."""
        first, nonce = self.keys[0].name, secrets.token_bytes(NONCE)
        return FORM + first + nonce + self._by_name[first].encrypt(nonce, text, self._bound(bound, FORM))

    def open(self, sealed: bytes, *bound: str) -> bytes:
        """Decrypt data bound to these words. Raises RollbookError that names the fault: the key, or the stored data."""
        form, name, nonce = sealed[:1], sealed[1 : 1 + NAME], sealed[1 + NAME : 1 + NAME + NONCE]
        if form == FORM and name not in self._by_name:
            raise RollbookError(
                f"The secrets of this store are encrypted with another key than {self.source} has. Every node needs the same "
                f"key file: copy it from one that works, and keep old keys in it below the new one."
            )
        try:
            return self._by_name[name].decrypt(nonce, sealed[1 + NAME + NONCE :], self._bound(bound, form))
        except (InvalidTag, KeyError, ValueError):
            raise RollbookError(
                "What the database holds of a secret is not what was put there, so it cannot be decrypted. "
                "Restore the database from a backup, or close the session and open another."
            ) from None

    def _bound(self, bound: Iterable[str], form: bytes) -> bytes:
        words = [word.encode(errors="surrogatepass") for word in ("rollbook/shared/1", self.store, *bound)]
        return form + b"".join(len(word).to_bytes(4, "big") + word for word in words)


def name_of_key(sealed: bytes) -> bytes:
    """The name of the key that sealed data was encrypted with."""
    return sealed[1 : 1 + NAME]


def find_keys(store: str, environment: Mapping[str, str] | None = None) -> Keys:
    """The keys for a store (its identity), from the environment or the file that it names, or from the user's own file.

    Raises RollbookError with advice if there is none, or if it is no key.
    """
    given = os.environ if environment is None else environment
    if text := given.get(KEY, ""):
        return Keys(_keys_in(text.replace(",", "\n"), KEY), KEY, store)
    path = Path(given.get(KEY_FILE, "") or own_key_file())
    if not path.exists():
        where = f"there is no key file {named(path)}" if given.get(KEY_FILE) else "no key was given"
        raise RollbookError(f"The secret dice of this store are encrypted, and {where}. {HOW}")
    return Keys(_keys_in(_read(path), named(path)), named(path), store)


def _read(path: Path) -> str:
    try:
        if path.stat().st_mode & 0o007:
            raise RollbookError(
                f"Anybody may read the key file {named(path)}. Take that away, and use it then: chmod 600 {named(path)}"
            )
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(LONGEST)
    except (OSError, ValueError) as failure:
        why = getattr(failure, "strerror", None) or "no file can be called so"
        raise RollbookError(f"The key file {named(path)} cannot be read: {why}. {HOW}") from None


def own_key_file() -> Path:
    """The key file if none is named: in the user's configuration folder."""
    return user_config_path("rollbook", appauthor=False) / "seed-key"


def _keys_in(text: str, source: str) -> tuple[Key, ...]:
    lines = [line.strip() for line in text.splitlines()]
    keys = tuple(_key(line, source) for line in lines if line and not line.startswith("#"))
    if not keys:
        raise RollbookError(f"There is no key in {source}. {HOW}")
    return keys


def _key(line: str, source: str) -> Key:
    try:
        secret = b64decode(line, validate=True)
    except ValueError:
        secret = b""
    if len(secret) != SIZE:
        raise RollbookError(f"A line in {source} is no key. A new store gets one with: rollbook store key FILE")
    return Key(secret)


def write_key(path: Path, *, add: bool = False) -> Key:
    """Write a new key to a file that only its owner may read; ``add`` puts it before the keys of an existing file.

    Raises RollbookError if there is a file already, or with ``add`` if there is none; then nothing was changed.
    """
    key = Key(secrets.token_bytes(SIZE))
    if path.exists() and not add:
        raise RollbookError(
            f"{named(path)} is there already, and whatever it encrypts would be lost with it. Choose another name; "
            f"to put a new key before those in it: --add"
        )
    earlier = _keys_in(_read(path), named(path)) if add else ()
    lines = [COMMENT, *(each.text for each in (key, *earlier)), ""]
    with said_of(path, "no key was made"):
        make_folder(path.parent)
        write_file(path, ["\n".join(lines).encode()], is_ours=(lambda _: True) if add else None)
    return key


def bound_seeds(session: str, campaign: str, stream: str) -> tuple[str, ...]:
    """The words that the seeds of a session are bound to."""
    return "seeds", session, campaign, stream


def bound_note(kind: str, campaign: str) -> tuple[str, ...]:
    """The words that a text of a campaign is bound to."""
    return "note", kind, campaign


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
"""Encrypt a row again, unless another program has changed it meanwhile, which encrypted it with its own key."""
NOT_READ, NOT_KEPT = "it could not be read", "nothing was kept"


def settle_keys(connections: Connections, keys: Keys) -> None:
    """Check that these keys are the store's, and encrypt again with the first. Raises RollbookError for other keys."""
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
    first = keys.keys[0].name
    for stream, session, campaign, sealed in connections.rows(OLD_SEEDS, NOT_READ, first=first):
        bound = bound_seeds(session, campaign, as_name(stream))
        place: dict[str, object] = {"stream": stream, "session": session, "before": sealed}
        connections.rows(SEEDS_AGAIN, NOT_KEPT, **place, sealed=keys.seal(keys.open(sealed, *bound), *bound))
    for stream, kind, sealed in connections.rows(OLD_NOTES, NOT_READ, first=first):
        bound = bound_note(kind, as_name(stream))
        place = {"stream": stream, "kind": kind, "before": sealed}
        connections.rows(NOTE_AGAIN, NOT_KEPT, **place, sealed=keys.seal(keys.open(sealed, *bound), *bound))
