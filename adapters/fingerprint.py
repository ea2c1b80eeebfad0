"""The fingerprint of the rules as loaded: a digest of the source bytes of a ruleset's package, the kit and the domain.

It tells whether the rules that decided an action are those that are installed now, byte for byte, whatever their version says.
"""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

DIGITS = 32
KIT = "ruleset_plugins"
"""The package that has the kit: the author's names in its ``__init__``, and ``kit``. The games beside it do not count."""


@cache
def fingerprint(module: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 over the sources; "" if a part of them cannot be read.

    ``module`` is the one that a ruleset's entry point names, "" for a campaign without a ruleset. Editable installs are read
    like any other. It is computed once in a process: what is loaded does not change any more.
    """
    digest = sha256()
    try:
        for name, folder in (("domain", _folder("domain")), ("kit", _folder(KIT)), ("ruleset", _folder(module))):
            for path in _kit_files(folder) if name == "kit" else _files(folder):
                content = path.read_bytes()
                place = "" if folder is None else path.relative_to(folder).as_posix()
                digest.update(f"{name}/{place}\0{len(content)}\0".encode())
                digest.update(content)
    except (OSError, ImportError, ValueError):
        return ""
    return digest.hexdigest()[:DIGITS]


def _folder(module: str) -> Path | None:
    """The folder of a module's package, or its file if it is in none. Raises ImportError if its source is nowhere."""
    if not module:
        return None
    spec = find_spec(module)
    if spec is None:
        raise ImportError(f"There is no module {module!r}.")
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations)))
    if spec.parent:
        return _folder(spec.parent)
    if not spec.origin:
        raise ImportError(f"The source of {module!r} is not known.")
    return Path(spec.origin)


def _files(folder: Path | None) -> Iterator[Path]:
    """Every source and data file of a package in a fixed order; a single module is one file."""
    if folder is None:
        return
    if folder.is_file():
        yield folder
        return
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    yield from sorted(
        (path for path in found if path.suffix != ".pyc"), key=lambda path: path.relative_to(folder).parts
    )


def _kit_files(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder / "__init__.py"
        yield from _files(folder / "kit")
