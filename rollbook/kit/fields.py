"""Readers for fields of the data of a condition, a trait, a choice or an option, each as its type.

A field that is missing, or of another type because another game wrote it, reads as nothing: "", 0, False or ().
"""

from rollbook.domain.events import Data

__all__ = ["flag", "names", "number", "text"]


def text(data: Data, field: str) -> str:
    """A field that holds a word, "" without it."""
    value = data.get(field)
    return value if isinstance(value, str) else ""


def number(data: Data, field: str) -> int:
    """A field that holds a whole number, 0 without it."""
    value = data.get(field)
    return value if isinstance(value, int) else 0


def flag(data: Data, field: str) -> bool:
    """True if a field is set."""
    return data.get(field) is True


def names(data: Data, field: str) -> tuple[str, ...]:
    """A field that holds names, () without it."""
    value = data.get(field)
    return tuple(value) if isinstance(value, (tuple, list)) else ()
