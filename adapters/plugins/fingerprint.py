"""The fingerprint of the rules as loaded: a digest of the code and data of a ruleset, of the kit and of the domain.

It shows whether the rules that decided an action are those that are installed now, whatever their version says. Moved
modules, comments and docstrings are no change (``syntax``). Fingerprints are cached beside the compiled modules, under
the stamp of their files: a change of any file makes them useless.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rollbook.adapters.plugins.syntax import Decided


DIGITS = 32
GAMES = "rollbook.rulesets."
"""The package of the games that come with rollbook: each counts alone."""
OURS = ("rollbook.domain", "rollbook.kit", "rollbook.plugin")
"""Packages whose code decides beside a ruleset's own."""
STARTED = time.time_ns()
"""Time at which this process began to load the rules, in nanoseconds since 1970, UTC."""
ANY_TIME = 1 << 63
"""A time later than any change of a file, in nanoseconds."""


_ONE_AT_A_TIME = Lock()
"""Two threads must not make syntax trees at once: Python counts their depth in one place, and raises SystemError."""


class SourcesUnknownError(Exception):
    """Sources cannot be read, or are not those that were loaded."""


def package_of(module: str) -> str:
    """The package of a ruleset in this module: its top-level package; for rollbook's own games, each game's package."""
    return ".".join(module.split(".")[: 3 if module.startswith(GAMES) else 1])


def loading_time(module: str) -> int:
    """The time in nanoseconds after which a change of a file means that it differs from the ruleset as loaded.

    Asked before the ruleset is imported.
    """
    return STARTED if package_of(module) in sys.modules else time.time_ns()


@cache
def fingerprint(module: str, loaded: int = STARTED) -> str:
    """The first 32 hexadecimal digits of a SHA-256 over the meaning of the sources; "" if they are not known.

    ``module`` is the one that a ruleset's entry point names, "" for a campaign without a ruleset; ``loaded`` is its
    ``loading_time``. It is worked out when the first entry is written, and cached beside the compiled modules until a
    file changes. If a file has changed since it was loaded, the running code is unknown, and so is the fingerprint.
    Editable installs are read like any other.
    """
    with _ONE_AT_A_TIME:
        return _found_or_made(module, loaded)


def _found_or_made(module: str, loaded: int) -> str:
    known = stamp(module, loaded)
    kept = _find(known) if known else ""
    if kept or not known:
        return kept
    try:
        found = _decided(module)
    except (SourcesUnknownError, OSError, ImportError, ValueError, SyntaxError):
        return ""
    if _stamp(module, loaded) != known:
        return ""  # a file was written meanwhile
    _keep(known, found)
    return found


@cache
def stamp(module: str, loaded: int = ANY_TIME) -> str:
    """A digest of the paths, sizes and times of the same files; "" if that is not known.

    As long as it is the same, so are the rules; working it out reads no file and imports nothing. ``loaded`` is the
    ruleset's ``loading_time``: the stamp of rules in use is known only if nothing has changed since.
    """
    return _stamp(module, loaded)


def _stamp(module: str, loaded: int) -> str:
    digest = sha256()
    try:
        for package in _packages(module):
            sources = dict(_sources(package))
            since = min(loaded, STARTED) if package in OURS and loaded != ANY_TIME else loaded
            if loaded != ANY_TIME:
                _check_complete(package, sources)
            for path in sources.values():
                found = os.stat(path)
                if max(found.st_mtime_ns, found.st_ctime_ns) > since:
                    return ""
                marks = (found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
                digest.update(f"{path}\0{marks}\0".encode(errors="surrogateescape"))
    except (SourcesUnknownError, OSError, ImportError, ValueError):
        return ""
    return digest.hexdigest()[:DIGITS]


def _packages(module: str) -> tuple[str, ...]:
    return (*OURS, *([package_of(module)] if module else ()))


def _sources(package: str) -> Iterator[tuple[str, str]]:
    """Every source and data file of a package by its path inside it, in a fixed order; a single module is one file."""
    spec = find_spec(package)
    if spec is None or not (spec.submodule_search_locations or spec.has_location):
        raise SourcesUnknownError
    if not spec.submodule_search_locations:
        yield "", str(spec.origin)
    for folder in spec.submodule_search_locations or ():
        yield from ((path[len(folder) + 1 :].replace(os.sep, "/"), path) for path in _files(folder))


def _files(folder: str) -> list[str]:
    """The files below a folder, sorted by the parts of their paths: str, as Path takes several times as long."""
    return sorted(_files_below(folder), key=lambda path: path.split(os.sep))


def _files_below(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_file():
            yield from () if entry.name.endswith(".pyc") else (entry.path,)
        elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
            yield from _files_below(entry.path)


def _check_complete(package: str, sources: dict[str, str]) -> None:
    """Raise SourcesUnknownError if a module of the package was loaded from a file that no longer exists."""
    known, inside = set(sources.values()), f"{package}."
    for name, module in list(sys.modules.items()):
        if name == package or name.startswith(inside):
            source = getattr(module, "__file__", None)
            if source and source not in known:
                raise SourcesUnknownError


def _decided(module: str) -> str:
    """Work out the fingerprint, from the digest of each file and its imports."""
    from rollbook.adapters.plugins.syntax import decided

    paths = {_full_name(package, place): path for package in _packages(module) for place, path in _sources(package)}
    found = {name: decided(os.path.basename(path), _read(path), paths.__contains__) for name, path in paths.items()}
    known = {name: each for name, each in found.items() if each}
    digest = sha256()
    for line in sorted(_lines(known)):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()[:DIGITS]


def _lines(known: Mapping[str, Decided]) -> Iterator[str]:
    """The digest of each file, and a line for each name that it imports, with that module's digest if it counts."""
    for each in known.values():
        yield each.digest
        for module, name, here in each.imports:
            target, inside = known.get(module), known.get(f"{module}.{name}")
            of = inside.digest if inside else f"{target.digest if target else module} {name}"
            yield f"{each.digest} {of} {here}"


def _full_name(package: str, place: str) -> str:
    if not place.endswith(".py"):
        return f"{package}/{place}" if place else package
    parts = place.removesuffix(".py").split("/")
    return ".".join([package, *(parts[:-1] if parts[-1] == "__init__" else parts)])


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


NAME = "fingerprints.json"
MOST = 40
"""Number of fingerprints that are kept, the newest."""


def _find(stamp: str) -> str:
    from rollbook.adapters.local_files.own_files import read_texts

    return next((kept[stamp] for place in _places() if stamp in (kept := read_texts(place))), "")


def _keep(stamp: str, fingerprint: str) -> None:
    """Keep a fingerprint in the first file that can be written to, if there is one."""
    from rollbook.adapters.local_files.own_files import keep_note, read_texts

    for place in _places():
        with suppress(OSError):
            kept = dict([*read_texts(place).items(), (stamp, fingerprint)][-MOST:])
            keep_note(place, json.dumps(kept, indent=0))
            return


def _places() -> Iterator[Path]:
    """The files of fingerprints: beside the compiled modules, if Python writes them, and in the user's cache."""
    if not sys.dont_write_bytecode:
        yield Path(__file__).parent / "__pycache__" / NAME
    from rollbook.adapters.local_files.paths import read_models_folder

    with suppress(RuntimeError):
        yield read_models_folder() / NAME
