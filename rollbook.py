"""The front door for scripts: ``import rollbook; book = rollbook.open()``.

The program's folders are plain top-level packages. Should another distribution bring packages of the same names,
importing this module says so, and what to do, before anything strange can happen.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapters.book import Book

__all__ = ["main", "open"]

_HOUSE = ("domain", "projections", "adapters", "ruleset_plugins")


def _check_house() -> None:
    """Raise ImportError if a package of ours is another one's of the same name."""
    here = Path(__file__).resolve().parent
    for name in _HOUSE:
        spec = find_spec(name)
        if spec is None:
            raise ImportError(f"rollbook is not whole: its package {name!r} is missing in {here}. Install it again.")
        where = [Path(found).resolve() for found in spec.submodule_search_locations or [spec.origin or ""]]
        if here / name != where[0]:
            raise ImportError(
                f"rollbook's package {name!r} is hidden by {where[0]}{_owner(name)}. Install rollbook in an "
                f"environment of its own: pipx install rollbook, or: uv tool install rollbook"
            )


def _owner(name: str) -> str:
    """The distribution that brings a package of that name, as far as it is known."""
    from importlib.metadata import packages_distributions

    others = sorted({owner for owner in packages_distributions().get(name, ()) if owner != "rollbook"})
    return f" (from {', '.join(others)})" if others else ""


_check_house()


def open(path: Path | str | None = None, *, seeds: Path | str | None = None) -> Book:  # noqa: A001 - rollbook.open()
    """The book in the store at ``path``, by default the one of the command line; it is made if there is none.

    ``seeds`` is the folder for dice seeds that are not revealed yet. Use the book in a ``with`` statement, or close it.
    """
    from adapters.book import open_book
    from adapters.paths import seeds_folder, store_path

    store = store_path() if path is None else Path(path)
    return open_book(store, seeds_folder() if seeds is None else Path(seeds))


def main() -> int:
    """The command line."""
    from adapters.cli import main as command_line

    return command_line()


def __getattr__(name: str) -> str:
    """``__version__``, looked up when it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("rollbook")
    raise AttributeError(f"module 'rollbook' has no attribute {name!r}")
