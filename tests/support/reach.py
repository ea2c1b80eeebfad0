"""Reach of a change: test files, and in how many steps; by imports, and by name where things are loaded by name.

A step is an import, a test that uses the fixtures of a conftest, or a name in a text: a command, a plug-in, a file. Imports of
the packages are those that grimp finds; imports for type checkers alone are none.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from rollbook.adapters.cli.app import COMMANDS
from rollbook.adapters.line_commands.declared import MODULES

ROOT = Path(__file__).parents[2]
PACKAGES = {name: f"rollbook.{name}" for name in ("domain", "projections", "application", "adapters")}
PACKAGES |= {"ruleset_plugins": "rollbook.rulesets"}
"""The folders, and the packages that they are."""
OF_THE_WEB = ("tests/adapters/web/", "tests/web/")
FOLDERS: Mapping[str, tuple[str, ...]] = {
    "adapters/web/": OF_THE_WEB,
    "docs/": ("tests/test_words.py", "tests/test_layout.py"),
    "docs/rulesets/": ("tests/ruleset_plugins/test_docs.py",),
    "deploy/": ("tests/hosting/test_deploy.py",),
    "changelog/": ("tests/test_habits.py",),
    ".github/": ("tests/test_habits.py",),
}
"""Folders of files that no module imports, and the tests of what is in them."""
OF_ALL_FILES = ("tests/test_words.py", "tests/test_layout.py")
"""Tests that read every file."""
FROM_IMPORT = re.compile(r"^[ \t]*from ([\w.]+) import (?:\(([^)]*)\)|([^\n#]*))", re.MULTILINE)
PLAIN_IMPORT = re.compile(r"^[ \t]*import ([\w., \t]+)", re.MULTILINE)
DOTTED = re.compile(r"""["']((?:rollbook|tests)(?:\.\w+)+)""")
CACHE = ".import_linter_cache"
FAR = 4
"""So many steps away is what reads every file."""


def module_of(path: str) -> str:
    """The module in a file, "" if it is none of the packages and tests: ``adapters/cli/app.py`` is rollbook.adapters.cli.app."""
    folder, _, rest = path.partition("/")
    if not path.endswith(".py") or folder not in (*PACKAGES, "rollbook", "tests"):
        return ""
    parts = f"{PACKAGES.get(folder, folder)}/{rest}".removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts)


def is_test_file(path: str) -> bool:
    """True if pytest collects it."""
    return path.startswith("tests/") and path.rpartition("/")[2].startswith("test_") and path.endswith(".py")


def said_in(source: str) -> frozenset[str]:
    """The words of the texts in a source, as they stand between blanks: ``"undo 3"`` says undo, ``"--to html"`` html."""
    lines = (re.split("[\"']", line)[1:] for line in source.splitlines())
    return frozenset(word for texts in lines for text in texts for word in text.split())


class Reach:
    """The graph of who would notice a change of whom."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root

    @cached_property
    def tests(self) -> Mapping[str, str]:
        """The Python files of the tests by path, with what is in them."""
        files = sorted((self._root / "tests").rglob("*.py"))
        return {path.relative_to(self._root).as_posix(): path.read_text(encoding="utf-8") for path in files}

    @cached_property
    def code(self) -> Mapping[str, str]:
        """The Python files of the packages, the same."""
        files = sorted(path for name in (*PACKAGES, "rollbook") for path in (self._root / name).rglob("*.py"))
        return {path.relative_to(self._root).as_posix(): path.read_text(encoding="utf-8") for path in files}

    @cached_property
    def _modules(self) -> frozenset[str]:
        return frozenset(filter(None, map(module_of, (*self.tests, *self.code))))

    @cached_property
    def _noticed_by(self) -> Mapping[str, set[str]]:
        """Modules and tests, each with those that import, use or name it."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for imported, importer in (*self._imports(), *self._fixtures(), *self._names()):
            found[imported].add(importer)
        return found

    def _imports(self) -> Iterator[tuple[str, str]]:
        import grimp  # noqa: PLC0415 - it comes with import-linter, and nothing but this needs it

        graph = grimp.build_graph("rollbook", exclude_type_checking_imports=True, cache_dir=str(self._root / CACHE))
        for module in graph.modules:
            yield from ((imported, module) for imported in graph.find_modules_directly_imported_by(module))
        for path, source in (*self.tests.items(), *self.code.items()):
            named = set(DOTTED.findall(source))
            if path in self.tests:
                named |= set(_imported_names(source))
            for name in filter(None, map(self._known, named)):
                if name != module_of(path):
                    yield name, module_of(path)

    def _known(self, name: str) -> str:
        """The module that a dotted name is, or is in; "" if there is none."""
        while name and name not in self._modules:
            name = name.rpartition(".")[0]
        return name if "." in name or name == "rollbook" else ""

    def _fixtures(self) -> Iterator[tuple[str, str]]:
        """A conftest is noticed by all tests below its folder."""
        for path in self.tests:
            if path.endswith("conftest.py"):
                below = path.removesuffix("conftest.py")
                users = (test for test in self.tests if is_test_file(test) and test.startswith(below))
                yield from ((module_of(path), module_of(test)) for test in users)

    def _names(self) -> Iterator[tuple[str, str]]:
        """Commands and plug-ins are noticed by the tests that call them by name."""
        loaded = list(loaded_by_name(self._root))
        for path in filter(is_test_file, self.tests):
            said = said_in(self.tests[path])
            yield from ((module, module_of(path)) for name, module in loaded if name in said)

    def reached(self, changed: Iterable[str]) -> dict[str, int]:
        """The test files that these changed files reach, with the fewest steps to each; nearest first."""
        steps: dict[str, int] = {}
        for path in changed:
            for begun, distance in self._beginnings(path):
                steps[begun] = min(distance, steps.get(begun, distance))
        self._go_on(steps)
        found = {path: steps[module_of(path)] for path in self.tests if is_test_file(path) and module_of(path) in steps}
        return dict(sorted(found.items(), key=lambda each: (each[1], each[0])))

    def _go_on(self, steps: dict[str, int]) -> None:
        """From where it begins, step by step."""
        distance = 0
        while any(step >= distance for step in steps.values()):
            for module in [each for each, step in steps.items() if step == distance]:
                for noticing in self._noticed_by.get(module, ()):
                    steps[noticing] = min(distance + 1, steps.get(noticing, distance + 1))
            distance += 1

    def _beginnings(self, path: str) -> Iterator[tuple[str, int]]:
        """Modules where a file's change begins: its own, or those that name the file and the tests of its folder."""
        yield from ((module_of(test), FAR) for test in OF_ALL_FILES)
        if module := module_of(path):
            yield module, 0
            return
        for folder, tests in FOLDERS.items():
            if path.startswith(folder):
                yield from (
                    (module_of(test), 1) for test in self.tests if is_test_file(test) and test.startswith(tests)
                )
        said = re.compile(rf"(?<![\w-]){re.escape(Path(path).name)}(?!\w)")
        yield from ((module_of(test), 1) for test, source in self.tests.items() if said.search(source))
        package = self._package_of(path)
        naming_it = [
            each for each, text in self.code.items() if package and each.startswith(package) and said.search(text)
        ]
        yield from (
            (module_of(each), 1) for each in naming_it or filter(None, [f"{package}__init__.py" if package else ""])
        )

    def _package_of(self, path: str) -> str:
        """The folder of the innermost package that a file is in, with a slash at its end; "" if it is in none."""
        folders = (
            folder.as_posix() for folder in Path(path).parents if f"{folder.as_posix()}/__init__.py" in self.code
        )
        return next((f"{folder}/" for folder in folders), "")


def _imported_names(source: str) -> Iterator[str]:
    for module, several, one in FROM_IMPORT.findall(source):
        names = (part.split()[0] for part in (several or one).replace("\n", " ").split(",") if part.strip())
        yield from (f"{module}.{name}" for name in names)
    for names in PLAIN_IMPORT.findall(source):
        yield from (part.split()[0] for part in names.split(",") if part.strip())


def module_of_command(name: str) -> str:
    """The module that defines a command."""
    if name in MODULES:
        return f"rollbook.adapters.line_commands.commands.{MODULES[name]}"
    return f"rollbook.adapters.cli.commands.{COMMANDS[name][0].partition(':')[0]}"


def loaded_by_name(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """Names that the program loads, with the modules that it then imports: commands, rulesets, importers, exporters."""
    for name in COMMANDS:
        yield name, module_of_command(name)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for points in project["entry-points"].values():
        yield from ((name, value.partition(":")[0]) for name, value in points.items())
