"""No module imports itself by way of others; imports that only type checkers see do not count."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

import grimp
import pytest


def circle(imports: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return list(found.args[1])
    return []


def imports_at_run_time() -> Iterator[tuple[str, set[str]]]:
    graph = grimp.build_graph("rollbook", exclude_type_checking_imports=True, cache_dir=None)
    for module in graph.modules:
        yield module, graph.find_modules_directly_imported_by(module)


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circle(dict(imports_at_run_time())) == []


@pytest.mark.parametrize("imports", [{"a": {"b"}, "b": {"a"}}, {"a": {"b"}, "b": {"c"}, "c": {"b"}}])
def test_a_circle_would_be_found(imports: dict[str, set[str]]) -> None:
    assert {"b"} < set(circle(imports))
