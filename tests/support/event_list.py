"""Writes docs/rulesets/events.md: ``python -m tests.support.event_list``."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import attrs

from rollbook.domain import events
from rollbook.domain.events import vocabulary

PAGE = Path(__file__).parents[2] / "docs" / "rulesets" / "events.md"
HEAD = """# Every event

Rulesets record these and no others ([write-a-ruleset.md](../write-a-ruleset.md)). This page is written by
`python -m tests.support.event_list`.

What is in brackets may be left out. A change is an amount, never the result. `SeatName`, `CharacterId`, `Word` (what rules read
back, or a name) and `Whom` (a character, or words for what is none) are texts; a plain `str` holds a person's own words, in which
exports with pseudonyms look for names.

"""


def event_list() -> str:
    """The page: a table of every event with its fields, in the order of the vocabulary."""
    tree = ast.parse(Path(events.__file__).read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    rows = (_row(cls, classes) for cls in vocabulary())
    return "".join((HEAD, "| event | fields | what it says |\n", "| --- | --- | --- |\n", *rows))


def _row(cls: type, classes: dict[str, ast.ClassDef]) -> str:
    said = " ".join((ast.get_docstring(classes[cls.__name__]) or "").split("\n\n")[0].split())
    shown = said.replace("``", "`").replace("|", "\\|")
    fields = [classes[base.__name__] for base in reversed(cls.__mro__) if base.__name__ in classes]
    written = {name: text for node in fields for name, text in _fields(node)}
    return f"| `{cls.__name__}` | {', '.join(written[field.name] for field in attrs.fields(cls)) or '–'} | {shown} |\n"


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for line in node.body:
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            shown = f"`{line.target.id}: {ast.unparse(line.annotation)}`".replace("|", "\\|")
            yield line.target.id, shown if line.value is None else f"[{shown}]"


if __name__ == "__main__":
    PAGE.write_text(event_list(), encoding="utf-8")
