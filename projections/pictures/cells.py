"""Widths of text in cells of a terminal, and texts cut or padded to a width."""

from unicodedata import combining, east_asian_width

ELLIPSIS = "…"


def cells(text: str) -> int:
    """The cells that a text takes: two for a wide letter, none for a mark on the letter before it."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def plain(text: str) -> str:
    """A text on one line, without anything that moves a cursor, turns the direction of writing or cannot be seen."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())


def fitted(text: str, width: int) -> str:
    """A text on one line of at most ``width`` cells, with an ellipsis for the rest."""
    return cut(plain(text), width)


def cut(line: str, width: int) -> str:
    """A line of at most ``width`` cells, otherwise unchanged, with an ellipsis for the rest."""
    if cells(line) <= width:
        return line
    while line and cells(line) > width - 1:
        line = line[:-1]
    return f"{line.rstrip()}{ELLIPSIS}" if width > 0 else ""


def padded(text: str, width: int, *, right: bool = False) -> str:
    """A text in exactly ``width`` cells."""
    return filled(fitted(text, width), width, right=right)


def filled(line: str, width: int, *, right: bool = False) -> str:
    """A line filled with blanks to ``width`` cells."""
    blank = " " * (width - cells(line))
    return blank + line if right else line + blank
