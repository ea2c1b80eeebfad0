"""Writes the list of events in docs/write-a-ruleset.md: ``python -m tests.support.event_list``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from rollbook.domain import events
from rollbook.domain.events import vocabulary

PAGE = Path(__file__).parents[2] / "docs" / "write-a-ruleset.md"
BEGIN, END = "<!-- events: written by python -m tests.support.event_list -->\n", "<!-- /events -->\n"


def event_list() -> str:
    """A table of every event with its fields, in the order of the vocabulary."""
    tree = ast.parse(Path(events.__file__).read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    rows = (_row(classes[cls.__name__]) for cls in vocabulary())
    return "".join(("\n", "| event | fields | what it says |\n", "| --- | --- | --- |\n", *rows, "\n"))


def _row(node: ast.ClassDef) -> str:
    said = " ".join((ast.get_docstring(node) or "").split("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
    return f"| `{node.name}` | {', '.join(_fields(node)) or '–'} | {said} |\n"


def _fields(node: ast.ClassDef) -> Iterator[str]:
    for line in node.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            shown = f"`{line.target.id}: {ast.unparse(line.annotation)}`".replace("|", "\\|")
            yield shown if line.value is None else f"[{shown}]"


def written_page() -> str:
    """The whole page with today's list."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + event_list() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(written_page(), encoding="utf-8")
