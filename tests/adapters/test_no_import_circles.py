"""No module imports itself by way of others; imports that only type checkers see count too."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

from tests.support.stores import ROOT


def circle(found: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(found).prepare()
    except CycleError as cycle:
        return list(cycle.args[1])
    return []


def imports() -> Iterator[tuple[str, set[str]]]:
    graph = grimp.build_graph("rollbook", cache_dir=None)
    for module in graph.modules:
        yield module, graph.find_modules_directly_imported_by(module) - {"rollbook"}


def test_no_module_imports_itself_by_way_of_others() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("a source archive has no links in rollbook/, by which its parts are found")
    found = dict(imports())
    assert {"rollbook.domain.events", "rollbook.adapters.cli.app"} <= found.keys()
    assert circle(found) == []


@pytest.mark.parametrize("found", [{"a": {"b"}, "b": {"a"}}, {"a": {"b"}, "b": {"c"}, "c": {"b"}}])
def test_a_circle_would_be_found(found: dict[str, set[str]]) -> None:
    assert {"b"} < set(circle(found))
