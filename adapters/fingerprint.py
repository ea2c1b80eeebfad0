"""The fingerprint of the rules as loaded: a digest of the source bytes of a ruleset's package, the kit and the domain.

It tells whether the rules that decided an action are those that are installed now, byte for byte, whatever their version says.
"""

import os
import sys
import time
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

DIGITS = 32
KIT = "ruleset_plugins"
"""The package that has the kit: the author's names in its ``__init__``, and ``kit``. The games beside it do not count."""
STARTED = time.time_ns()
"""When this process began to load the rules, in nanoseconds since 1970, UTC."""


ANY_TIME = 1 << 63
"""Later than every time at which a file can have changed."""


class SourcesUnknownError(Exception):
    """Sources cannot be read, or are not those that were loaded."""


def package_of(module: str) -> str:
    """The package that a ruleset in this module is distributed in: its top-level package; of our own, each game's."""
    names = module.split(".")
    return ".".join(names[: 2 if names[0] == KIT else 1])


def loading_time(module: str) -> int:
    """The time from which on a file that changes is no longer what was loaded of a ruleset that is about to be imported."""
    return STARTED if package_of(module) in sys.modules else time.time_ns()


@cache
def fingerprint(module: str, loaded: int = STARTED) -> str:
    """The first 32 hexadecimal digits of the SHA-256 over the sources; "" if they are not known.

    ``module`` is the one that a ruleset's entry point names, "" for a campaign without a ruleset; ``loaded`` is its
    ``loading_time``. The files are read when the first entry is written, once in a process. If one of them has changed since it
    was loaded, nobody can say what is running, and the fingerprint is not known. Editable installs are read like any other.
    """
    digest = sha256()
    try:
        for name, package, since in _packages(module, loaded):
            sources = dict(_sources(package)) if package else {}
            _check_complete(package, sources)
            for place, path in sources.items():
                content = _read(path, since)
                digest.update(f"{name}/{place}\0{len(content)}\0".encode())
                digest.update(content)
    except (SourcesUnknownError, OSError, ImportError, ValueError):
        return ""
    return digest.hexdigest()[:DIGITS]


@cache
def stamp(module: str, loaded: int = ANY_TIME) -> str:
    """A digest of where the same files lie, of their sizes, and of when they were written; "" if that is not known.

    As long as it is the same, so are the rules; finding it reads no file and imports nothing. ``loaded`` is the ruleset's
    ``loading_time``: the stamp of rules that are in use is known only if nothing has changed since.
    """
    digest = sha256()
    try:
        for _, package, since in _packages(module, loaded):
            for path in dict(_sources(package)).values() if package else ():
                found = os.stat(path)
                if max(found.st_mtime_ns, found.st_ctime_ns) > (since if loaded != ANY_TIME else ANY_TIME):
                    return ""
                marks = (found.st_size, found.st_ino, found.st_mtime_ns, found.st_ctime_ns)
                digest.update(f"{path}\0{marks}\0".encode(errors="surrogateescape"))
    except (SourcesUnknownError, OSError, ImportError, ValueError):
        return ""
    return digest.hexdigest()[:DIGITS]


def _packages(module: str, loaded: int) -> tuple[tuple[str, str, int], ...]:
    """What counts as the rules: what it is called, its package, and since when it must not have changed."""
    return (("domain", "domain", STARTED), ("kit", KIT, STARTED), ("ruleset", package_of(module), loaded))


def _sources(package: str) -> Iterator[tuple[str, str]]:
    """Every source and data file of a package by its place in it, in a fixed order; a single module is one file."""
    top, *inside_it = package.split(".")
    spec = find_spec(top)
    if spec is None or not (spec.submodule_search_locations or spec.has_location):
        raise SourcesUnknownError
    if not spec.submodule_search_locations:
        yield "", str(spec.origin)
    for found in spec.submodule_search_locations or ():
        folder = os.path.join(found, *inside_it)
        inside = folder if package != KIT else str(Path(folder, "kit"))
        files = [*([str(Path(folder, "__init__.py"))] if package == KIT else ()), *_files(inside)]
        yield from ((path[len(folder) + 1 :].replace(os.sep, "/"), path) for path in files)


def _files(folder: str) -> list[str]:
    """The files below a folder, by the parts of their places: plain texts, because paths take several times as long."""
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found += [os.path.join(place, name) for name in names if not name.endswith(".pyc")]
    return sorted(filter(os.path.isfile, found), key=lambda path: path.split(os.sep))


def _check_complete(package: str, sources: dict[str, str]) -> None:
    """Raise SourcesUnknownError if a module of the package was loaded from a file that is not there any more."""
    known = set(sources.values())
    for name, module in list(sys.modules.items()):
        is_counted = name == package or name.startswith(f"{package}.kit" if package == KIT else f"{package}.")
        source = getattr(module, "__file__", None)
        if is_counted and source and source not in known:
            raise SourcesUnknownError


def _read(path: str, loaded: int) -> bytes:
    """The bytes of a file. Raises SourcesUnknownError if it has changed since ``loaded``."""
    with open(path, "rb") as file:
        content, status = file.read(), os.stat(path)
    if max(status.st_mtime_ns, status.st_ctime_ns) > loaded:
        raise SourcesUnknownError
    return content
