"""A layer knows nothing of those above it, not even by the name of a module in a text that is imported later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = ("domain", "projections", "application", "adapters")
"""From the innermost to the outermost."""


def texts_in(path: Path) -> Iterator[str]:
    """Every text in the code of a file, docstrings and pieces of f-strings among them."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("layer", LAYERS[:-1])
def test_no_text_names_a_module_of_a_layer_above(layer: str) -> None:
    above = LAYERS[LAYERS.index(layer) + 1 :]
    modules = {".".join(path.relative_to(ROOT).with_suffix("").parts) for name in above for path in _files_of(name)}
    named = re.compile(rf"\b(?:{'|'.join(above)})(?:\.\w+)+")
    files = _files_of(layer)
    assert len(files) > 40
    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in files
        for text in texts_in(path)
        for found in named.finditer(text)
        if any(module == found[0] or module.startswith(f"{found[0]}.") for module in modules)
    ] == []


def _files_of(layer: str) -> list[Path]:
    return sorted((ROOT / layer).rglob("*.py"))
