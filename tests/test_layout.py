"""Where things are: test modules share helpers through tests/support and tests/oracle only, and pages keep within bounds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ROOT / "tests"
SUPPORT = "tests.support"
ATTACKS = "tests.attacks"
"""A suite that is also run by hand: its modules, except for those of tests, import one another."""
ORACLE = "tests.oracle"
"""The second implementation of the history: what is compared with it may import it."""
FOLDERS = ("domain", "projections", "application", "adapters", "ruleset_plugins", "rollbook", "benchmarks")
LONGEST_README = 120
LONGEST_FILE = 400


SUSPECT = re.compile(
    r"^\s*(?:from\s+\.|(?:from|import)\s.*(?:\btests\b(?!\.support|\.oracle)|conftest|\btest_))", re.MULTILINE
)
"""A line that imports something of the tests beside what is shared, perhaps by a relative name: few files are parsed."""


def imported_by(path: Path) -> Iterator[str]:
    """The full names of all modules that a file imports, wherever in the file, if one may be of the tests."""
    text = path.read_text(encoding="utf-8")
    if not SUSPECT.search(text):
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = ".".join(path.relative_to(ROOT).parts[: -node.level]) if node.level else ""
            yield from (".".join(filter(None, (package, node.module, alias.name))) for alias in node.names)


def is_of_tests(module: str) -> bool:
    """Whether it is a test module or a conftest, under whatever name it was imported."""
    parts = module.split(".")
    return parts[0] == "tests" or any(part == "conftest" or part.startswith("test_") for part in parts[:2])


def is_attack(module: str | Path) -> bool:
    """Whether it is a module of the attacks that is no test module."""
    name = ".".join(module.relative_to(ROOT).parts) if isinstance(module, Path) else module
    return name.startswith(f"{ATTACKS}.")


def test_no_file_of_the_tests_imports_a_test_module() -> None:
    files = sorted(TESTS.rglob("*.py"))
    assert len(files) > 200
    wrong = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in files
        for name in imported_by(path)
        if is_of_tests(name) and not name.startswith((SUPPORT, ORACLE)) and not (is_attack(path) and is_attack(name))
    ]
    assert wrong == [], f"move what is shared to {SUPPORT}"


def test_no_part_of_rollbook_imports_its_tests() -> None:
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 300
    named = [path for path in files if re.search(r"\b(tests|conftest|test_)", path.read_text(encoding="utf-8"))]
    assert [path for path in named if any(map(is_of_tests, imported_by(path)))] == []


def test_no_file_is_longer_than_one_reads_in_one_go() -> None:
    code = [path for folder in (*FOLDERS, "tests") for path in (ROOT / folder).rglob("*.py")]
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in code}
    verifier = ROOT / "adapters" / "exports" / "verify_rollbook.py"  # one file, so that it can be handed on
    assert {path for path, length in lengths.items() if length > LONGEST_FILE} == {
        ROOT / "domain" / "events.py",
        verifier,
    }


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= LONGEST_README


def test_every_link_from_one_page_to_another_leads_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "changelog").glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    missing = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert missing == []


def heading_anchors(page: Path) -> set[str]:
    """What follows the # in links to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_to_a_heading_leads_to_one() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    links = [
        (page, page.parent / target if target else page, anchor)
        for page in pages
        for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", page.read_text(encoding="utf-8"))
        if "://" not in target
    ]
    assert len(links) > 10
    missing = [(page.name, to.name, anchor) for page, to, anchor in links if anchor not in heading_anchors(to)]
    assert missing == []


def test_every_module_that_is_run_by_name_is_there() -> None:
    """In code, docstrings, pages and scripts: ``python -m benchmarks.one_audit``, or ``"-m", "benchmarks.one_audit"``."""
    places = [path for folder in (*FOLDERS, "tests") for path in (ROOT / folder).rglob("*.py")]
    places += [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / ".ci" / "run"]
    named = [
        (path, module)
        for path in places
        for module in re.findall(r"""-m["']?,? ["']?((?:benchmarks|tests)[.\w]*)""", path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 20
    missing = [(path.name, module) for path, module in named if not is_module(module.rstrip("."))]
    assert missing == []


def is_module(name: str) -> bool:
    """Whether this is a module or package of the project."""
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").exists()
