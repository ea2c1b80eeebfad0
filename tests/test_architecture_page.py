"""The overview of the architecture and the decisions behind it are true of the folders, short, and complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OVERVIEW = (DOCS / "architecture.md").read_text(encoding="utf-8")
DECISIONS = sorted((DOCS / "decisions").glob("[0-9]*.md"))
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]
MOST_WORDS = 1_820
MOST_WORDS_OF_ALL = 50_900
GENERATED = re.compile(r"written by\s+`python -m")
"""The sentence by which a page says that a command writes it: such lists are looked up, not read."""
FOLDERS = ("domain", "projections", "application", "adapters", "rollbook", "ruleset_plugins")
NAMED = re.compile(rf"`(?!rollbook/\w+/\d)((?:{'|'.join(FOLDERS)}|benchmarks)/[\w./]*)`")
"""A file or folder in code type; ``rollbook/dice/1`` is a format."""


def rooms() -> dict[str, dict[str, str]]:
    """The tree of the page: what it names in each folder, and what it says of that."""
    tree = OVERVIEW.partition("## The rooms")[2].split("```")[1]
    found: dict[str, dict[str, str]] = {}
    folder = ""
    for line in filter(str.strip, tree.splitlines()):
        if not line.startswith(" "):
            folder = line.split("/")[0]
            found[folder] = {}
        elif folder == "ruleset_plugins":
            found[folder] |= dict.fromkeys(line.split(), "")
        else:
            name, _, said = line.strip().partition(" ")
            found[folder][name] = said
    return found


def subfolders(folder: str) -> set[str]:
    """The packages of a folder, without the links that lead to others."""
    inside = (ROOT / folder).iterdir()
    return {f"{path.name}/" for path in inside if (path / "__init__.py").exists() and not path.is_symlink()}


@pytest.mark.parametrize("folder", FOLDERS)
def test_the_tree_names_every_room_and_no_other(folder: str) -> None:
    named = rooms()[folder]
    assert {name for name in named if name.endswith("/")} == subfolders(folder)
    assert [name for name in named if not (ROOT / folder / name).exists()] == []


def test_what_the_tree_says_is_in_a_room_is_there() -> None:
    inside = [
        Path(folder, name, inner)
        for folder, named in rooms().items()
        for name, said in named.items()
        for inner in re.findall(r"\b([a-z_]+)/", said)
    ]
    assert len(inside) > 20
    assert [path for path in inside if not (ROOT / path).is_dir()] == []


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_file_and_folder_that_a_page_names_is_there(document: Path) -> None:
    assert [name for name in NAMED.findall(document.read_text(encoding="utf-8")) if not (ROOT / name).exists()] == []


def test_the_overview_is_read_in_ten_minutes() -> None:
    assert len(OVERVIEW.split()) <= MOST_WORDS


def test_all_that_is_to_be_read_stays_within_a_limit() -> None:
    texts = {page: page.read_text(encoding="utf-8") for page in (ROOT / "README.md", *DOCS.rglob("*.md"))}
    written = {page: text for page, text in texts.items() if not GENERATED.search(text)}
    assert len(written) > 40
    assert sum(map(words_in, written.values())) <= MOST_WORDS_OF_ALL


def words_in(text: str) -> int:
    """The number of words, which have a letter or a digit: bars of tables are none."""
    return sum(any(map(str.isalnum, word)) for word in text.split())


def test_what_proves_rules_lies_beside_the_tests() -> None:
    assert [
        page.name for page in (DOCS / "rulesets").glob("*.md") if ".py::test_" in page.read_text(encoding="utf-8")
    ] == []


def test_decisions_are_numbered_in_order_and_all_in_the_index() -> None:
    index = (DOCS / "decisions" / "README.md").read_text(encoding="utf-8")
    assert [int(path.name[:3]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    assert re.findall(r"^\* \[\d{3}\]\((\S+)\)", index, re.MULTILINE) == [path.name for path in DECISIONS]


@pytest.mark.parametrize("document", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_has_a_status_a_context_a_decision_and_consequences(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    assert re.match(rf"# {document.name[:3]}\. \S", text)
    assert re.findall(r"^(Status: \w+|## .+)$", text, re.MULTILINE)[0].startswith("Status: ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


def anchors(document: Path) -> set[str]:
    """What the headings of a page are linked by."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_to_a_heading_finds_it(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s:]*)#([^)\s]+)\)", document.read_text(encoding="utf-8"))
    lost = [
        f"{target}#{anchor}"
        for target, anchor in links
        if anchor not in anchors(document.parent / target if target else document)
    ]
    assert lost == []
