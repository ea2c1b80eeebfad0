"""Paths on this computer: of the store, the dice seeds, and the note of the campaign that was used last."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from rollbook.adapters.local_files.own_files import keep_note, read_texts
from rollbook.application.ports.store_address import SCHEMES, Place, ServerAddress, is_server
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import CampaignId

APP = "rollbook"
MANGLED = tuple(scheme.removesuffix("/") for scheme in SCHEMES)
"""Beginnings of server addresses that were turned into paths: no folder with a password in its name is made."""
LONGEST_PART = 255
"""Most bytes of a name between two slashes."""


def store_path(given: Place | str = "") -> Place:
    """The store that was named, else the one that ROLLBOOK_STORE names, else the one in the user's data folder.

    Raises RollbookError for a text that names neither a file nor a server.
    """
    if isinstance(given, ServerAddress):
        return given
    named = str(given) or os.environ.get("ROLLBOOK_STORE", "")
    if is_server(named):
        return ServerAddress(named)
    if "://" in named or named.startswith(MANGLED):
        raise RollbookError("A store is a file, or a server named as postgresql://… There is nothing else it could be.")
    if named:
        return _home(named)
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False) / "rollbook.db"


def read_model_path(store: Path) -> Path:
    """The read model's file of a store in a file: beside it, ``rollbook.db`` → ``rollbook.read.db``."""
    return store.with_name(f"{store.stem}.read{store.suffix or '.db'}")


def seeds_folder(given: Path | str = "") -> Path:
    """The folder of unrevealed dice seeds: never beside the store, which people copy and share."""
    named = str(given) or os.environ.get("ROLLBOOK_SEEDS", "")
    return _home(named) if named else state_folder() / "seeds"


def prompt_lines(store: Place, campaign: CampaignId) -> Path:
    """The file of lines that were typed at the prompt of a campaign."""
    return state_folder() / "lines" / f"{_digest(store, campaign)}.jsonl"


def join_answers(store: Place, campaign: CampaignId) -> Path:
    """The file of answers to the questions of ``join`` that was interrupted."""
    return state_folder() / "join" / f"{_digest(store, campaign)}.json"


def waiting_requests(store: Place, campaign: CampaignId, seeds: Path | None = None) -> Path:
    """The file of corrections that players have requested of the GM on the web: beside the folder of seeds."""
    return (seeds or seeds_folder()).parent / "requests" / f"{_digest(store, campaign)}.json"


def own_macros(store: Place, campaign: CampaignId, seeds: Path | None = None) -> Path:
    """The file of lines that seats keep under names on the web: beside the folder of seeds."""
    return (seeds or seeds_folder()).parent / "macros" / f"{_digest(store, campaign)}.json"


def _digest(store: Place, campaign: CampaignId) -> str:
    return hashlib.sha256(f"{_key(store)}\n{campaign}".encode()).hexdigest()[:24]


def read_models_folder() -> Path:
    """The folder of read models of stores on a server: in the user's cache, or ROLLBOOK_CACHE."""
    given = os.environ.get("ROLLBOOK_CACHE", "")
    if given:
        return _home(given)
    from platformdirs import user_cache_path

    return user_cache_path(APP, appauthor=False)


def bestiary_path() -> Path:
    """The user's own file of stat blocks, or the one that ROLLBOOK_BESTIARY names."""
    given = os.environ.get("ROLLBOOK_BESTIARY", "")
    if given:
        return _home(given)
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False) / "bestiary.toml"


def _home(given: str) -> Path:
    """The path of a name; ``~`` is a user's home, if the user exists. Raises RollbookError for an impossible name."""
    if "\0" in given or max(map(len, given.encode(errors="replace").split(b"/"))) > LONGEST_PART:
        raise RollbookError("No file or folder can be called so: give a shorter name, of letters.")
    with suppress(RuntimeError):
        return Path(given).expanduser()
    return Path(given)


def last_used(store: Place) -> str:
    """The id of the campaign that was used last in a store, "" if none is known."""
    return read_texts(_last()).get(_key(store), "")


def remember(store: Place, campaign: CampaignId) -> None:
    """Note the campaign as the one used last. A note that cannot be written is skipped."""
    known = read_texts(_last())
    if known.get(_key(store)) == campaign:
        return
    known[_key(store)] = campaign
    with suppress(OSError):
        keep_note(_last(), json.dumps(known, ensure_ascii=False, indent=0))


def state_folder() -> Path:
    """The folder of what rollbook remembers of the user: seeds, lines of the prompt, the last campaign."""
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False)


def _last() -> Path:
    return state_folder() / "last.json"


def _key(store: Place) -> str:
    return str(store.absolute() if isinstance(store, Path) else store)
