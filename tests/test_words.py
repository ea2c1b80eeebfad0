"""Code, messages, documentation and tests use the words of ``docs/words.md`` and none of those that it sets aside.

What people read is searched: pages, comments, docstrings and texts, and the names of files, classes and functions.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "words.md"
FOLDERS = (
    "domain",
    "projections",
    "application",
    "adapters",
    "ruleset_plugins",
    "rollbook",
    "benchmarks",
    "examples",
    "docs",
    "tests",
)

ALLOWED = {
    ("void", "domain/entries.py"): "EntryKind maps the words of the stores to those of people",
    ("evening", "examples/plugins/mousehole/README.md"): "a time of day",
    ("evening", "examples/plugins/mousehole/rollbook_mousehole/__init__.py"): "a time of day",
    **dict.fromkeys(
        [
            ("intervention", "ruleset_plugins/srd5/growth/rests.py"),
            ("intervention", "ruleset_plugins/srd5/magic/features_and_things.py"),
            ("intervention", "tests/ruleset_plugins/srd5/RULES.md"),
            ("intervention", "tests/ruleset_plugins/srd5/SPECIALS.md"),
            ("intervention", "tests/ruleset_plugins/srd5/test_devotees.py"),
        ],
        "the name of a feature of the game",
    ),
    ("fact", "tests/adapters/exports/test_revealing.py"): "a forged line that no exporter writes",
}
"""A word in a file where it is right, and why."""


def words_set_aside() -> list[str]:
    """The words in code type in the first column of the last table of the page."""
    rows = PAGE.read_text(encoding="utf-8").partition("| not | but |")[2].splitlines()
    return [word for row in rows for word in re.findall(r"`([^`]+)`", row.split("|")[1] if "|" in row else "")]


def files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.suffix == ".md")
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".md", ".py", ".session") and path != PAGE and path != Path(__file__):
                yield path


def texts(path: Path, pattern: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """What is read in a file, with the line on which it begins; only the name of a file in which the pattern is nowhere."""
    yield 0, spaced(path.stem)
    source = path.read_text(encoding="utf-8")
    if not pattern.search(source) and not pattern.search(spaced(source)):
        return
    if path.suffix != ".py":
        yield from enumerate(source.splitlines(), 1)
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.STRING):
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.lineno, spaced(node.name)


def spaced(name: str) -> str:
    """``DiceRoll`` and ``dice_roll`` as words."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_-]", " ", name)


@pytest.fixture(scope="module")
def found() -> set[tuple[str, str, str]]:
    """Every word set aside, with the file and what stands there."""
    words = words_set_aside()
    # "First evening" is the name of a page, and what newcomers call it.
    pattern = re.compile(rf"(?<![A-Za-z])(?<!first[ _-])({'|'.join(words)})(?:s|ed)?(?![A-Za-z])", re.IGNORECASE)
    return {
        (match[1].lower(), path.relative_to(ROOT).as_posix(), f"line {line}: {text[:200]}")
        for path in files()
        for line, text in texts(path, pattern)
        for match in pattern.finditer(text)
    }


def test_the_page_sets_words_aside() -> None:
    assert {"evening", "fact", "whoever"} <= set(words_set_aside())


def test_no_word_that_is_set_aside_is_used(found: set[tuple[str, str, str]]) -> None:
    assert sorted(hit for hit in found if hit[:2] not in ALLOWED) == []


def test_every_exception_is_still_needed(found: set[tuple[str, str, str]]) -> None:
    assert ALLOWED.keys() <= {hit[:2] for hit in found}
