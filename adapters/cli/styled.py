"""Texts in styles, of which answers are made: a pipe gets them plain, and only a terminal takes rich, which is long to import."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text as DrawnText


class Text:
    """Words in styles, called as rich calls them (``bold red``). The ``style`` is that of all, and others go over it."""

    __slots__ = ("parts", "style")

    def __init__(self, text: str = "", style: str = "") -> None:
        self.style = style
        self.parts = [(text, "")] if text else []

    @classmethod
    def assemble(cls, *parts: str | tuple[str, str] | Text) -> Text:
        """A text of others, and of words with their styles."""
        made = cls()
        for part in parts:
            made.append(*part) if isinstance(part, tuple) else made.append(part)
        return made

    def append(self, more: str | Text, style: str = "") -> Text:
        """Go on with words in a style, or with another text in its own. Returns this text."""
        if isinstance(more, Text):
            self.parts += [(text, f"{more.style} {own}".strip()) for text, own in more.parts]
        elif more:
            self.parts.append((more, style))
        return self

    def join(self, texts: Iterable[Text]) -> Text:
        """Texts with this one between them, all of them over its style."""
        joined = Text(style=self.style)
        for text in texts:
            if joined:
                joined.append(self)
            joined.append(text)
        return joined

    @property
    def plain(self) -> str:
        """The words alone."""
        return "".join([text for text, _ in self.parts])

    @property
    def cell_len(self) -> int:
        """How many columns of a terminal it takes."""
        return columns_of(self.plain)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def drawn(self) -> DrawnText:
        """The same as rich has it."""
        from rich.text import Text as DrawnText

        return DrawnText.assemble(*self.parts, style=self.style)

    __rich__ = drawn


def columns_of(text: str) -> int:
    """How many columns of a terminal words take."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)
