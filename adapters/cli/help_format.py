"""Help at the width of the terminal: what an example line says beside its command goes below it where it does not fit."""

import re
import textwrap

import click

KEPT = "\b"
"""click's mark of a paragraph whose lines are kept."""

COMMENT = re.compile(r"(?P<command>.*?\S) {3,}(?P<said>\S.*)")
INDENT = 8


class HelpFormat(click.HelpFormatter):
    """Wraps the lines of examples too, which click prints as they are."""

    def write_text(self, text: str) -> None:
        """A text with its paragraphs."""
        super().write_text("\n\n".join(self._fitting(part) for part in re.split(r"\n[ \t]*\n", text)))

    def _fitting(self, paragraph: str) -> str:
        lines = paragraph.strip("\n").split("\n")
        if lines[0].strip() != KEPT:
            return paragraph
        width = self.width - self.current_indent
        return "\n".join(
            [lines[0], *(fitting for line in lines[1:] for fitting in _fitting_lines(line.rstrip(), width))]
        )


def _fitting_lines(line: str, width: int) -> list[str]:
    """One line of an example as lines of at most so many columns."""
    if len(line) <= width:
        return [line]
    parted = COMMENT.fullmatch(line)
    command, said = (parted["command"], parted["said"]) if parted else (line, "")
    return [*_wrapped(command, width, ""), *_wrapped(said, width, " " * INDENT)]


def _wrapped(text: str, width: int, indent: str) -> list[str]:
    """A text as lines, with its first one indented so far; words stay whole."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )
