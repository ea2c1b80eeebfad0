"""Fingerprints that were worked out, kept like compiled modules: beside them, or else in the user's cache.

They are found by the stamp of the files that they are of, so a change of any file makes them useless. Nothing is lost with them.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

NAME = "fingerprints.json"
MOST = 40
"""So many are kept, the newest."""


def find(stamp: str) -> str:
    """The fingerprint of files with this stamp, "" if it is not known."""
    return next((kept[stamp] for place in _places() if stamp in (kept := _read(place))), "")


def keep(stamp: str, fingerprint: str) -> None:
    """Keep a fingerprint in the first place that can be written to, if there is one."""
    from rollbook.adapters.local_files.own_files import keep_note

    for place in _places():
        with suppress(OSError):
            kept = dict([*_read(place).items(), (stamp, fingerprint)][-MOST:])
            keep_note(place, json.dumps(kept, indent=0))
            return


def _places() -> Iterator[Path]:
    """Beside the compiled modules, unless Python is to write none, and the user's cache."""
    if not sys.dont_write_bytecode:
        yield Path(__file__).parent / "__pycache__" / NAME
    from rollbook.adapters.local_files.paths import read_models_folder

    with suppress(RuntimeError):
        yield read_models_folder() / NAME


def _read(place: Path) -> dict[str, str]:
    try:
        kept = json.loads(place.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return {str(stamp): str(found) for stamp, found in kept.items()} if isinstance(kept, dict) else {}
