"""``python -m tests.support.published`` has pages and sentences install rollbook by its name, once the package index has it.

Until then they install it from a checkout. What contributors install (``-e``) stays.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SENTENCES = "adapters/presentation/installing.py"
"""The module that every sentence of the program has the command from."""
CHANGES = {
    r"PUBLISHED = False": "PUBLISHED = True",
    r"(?<!-e )'\.\[(\w+)\]' +# in a checkout$": r"'rollbook[\1]'",
    r"(?<!-e )'\.\[(\w+)\]'` in a checkout": r"'rollbook[\1]'`",
    r"`pipx install \.` or `uv tool install \.` in a checkout": "`pipx install rollbook` or `uv tool install rollbook`",
    r"^Install rollbook from its folder, and": "Install rollbook, and",
    r"pip install -e \. &&": "pip install rollbook &&",
}
"""Sentences about a checkout, and those that take their place."""


def pages(root: Path) -> list[Path]:
    """Pages that people read before they have rollbook, and the module that sentences have the command from."""
    deploy = [path for path in (root / "deploy").iterdir() if path.suffix in (".service", ".md", ".yaml")]
    return [root / "README.md", *sorted((root / "docs").rglob("*.md")), *sorted(deploy), root / SENTENCES]


def publish(root: Path) -> list[Path]:
    """Change what lies in a checkout. Returns the files that were changed; none, if it was done before."""
    changed = []
    for path in pages(root):
        said = path.read_text(encoding="utf-8")
        says = said
        for pattern, instead in CHANGES.items():
            says = re.sub(pattern, instead, says, flags=re.MULTILINE)
        if says != said:
            path.write_text(says, encoding="utf-8")
            changed.append(path)
    return changed


if __name__ == "__main__":
    for each in publish(ROOT):
        sys.stdout.write(f"{each.relative_to(ROOT)}\n")
