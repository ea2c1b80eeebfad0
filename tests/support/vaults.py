"""A vault as Obsidian and Dataview read it: front matter with types, and links by the names of notes."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

LINK = re.compile(r"(?<!\\)(!?)\[\[([^\]|\n]+)(?:\|([^\]\n]*))?\]\]")


def notes(folder: Path) -> dict[str, str]:
    """The text of every note, by its path in the vault."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.md"))
    }


def front_matter(text: str) -> dict[str, Any]:
    """The fields of a note that Dataview knows."""
    _, head, _ = text.split("---\n", 2)
    fields: dict[str, Any] = yaml.safe_load(head)
    return fields


def odd_links(folder: Path) -> list[str]:
    """The links that lead nowhere, or to more than one file: a note is known by its name, any other file with its ending."""
    known: dict[str, list[Path]] = defaultdict(list)
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith("."):
            known[(path.stem if path.suffix == ".md" else path.name).casefold()].append(path)
    return [
        f"{name}: {found[0]}"
        for name, text in notes(folder).items()
        for found in LINK.finditer(text)
        if len(known[found[2].casefold()]) != 1
    ]


def links(text: str) -> list[str]:
    """The links of a note."""
    return [found[2] for found in LINK.finditer(text)]
