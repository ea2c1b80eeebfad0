"""Digest of a file of rules: of Python, its syntax without comments, docstrings, layout and names of modules.

Moving a module, sorting imports or rewording a docstring does not change it; every other change of the code does. It is
the same under every Python that rollbook runs on.
"""

import ast
import json
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import NamedTuple

IsOurs = Callable[[str], bool]
"""Predicate: a text is the full name of a module that counts, so that the name itself decides nothing."""

FOLLOWS = frozenset(("type_comment", "kind", "type_ignores", "ctx"))
"""Fields of a syntax tree that decide nothing, or follow from the others."""
WITHOUT_MEANING = (".md", ".pyi", ".typed")


class Decided(NamedTuple):
    """A file's digest, and each name that it ``imports``, as (module, name in it, name here)."""

    digest: str
    imports: tuple[tuple[str, str, str], ...] = ()


def decided(name: str, content: bytes, is_ours: IsOurs) -> Decided | None:
    """Digest a file by its kind: Python by its syntax, JSON by its values, other data by name and bytes.

    None for a file that decides nothing, such as documentation. Raises ValueError or SyntaxError for code or JSON that
    cannot be read.
    """
    if name.endswith(WITHOUT_MEANING):
        return None
    if name.endswith(".py"):
        tree = ast.parse(content)
        imports = tuple(sorted({each for node in ast.walk(tree) for each in _imported(node)}))
        return Decided(_digest(b"".join(_written(tree.body, is_ours))), imports)
    if name.endswith(".json"):
        content = json.dumps(json.loads(content), separators=(",", ":")).encode()
    return Decided(_digest(b"%s\0%s" % (name.encode(), content)))


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _imported(node: ast.AST) -> Iterator[tuple[str, str, str]]:
    """The names that an import statement imports. Its place among the others does not matter."""
    if isinstance(node, ast.Import):
        yield from ((each.name, "", each.asname or "") for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = "." * node.level + (node.module or "")
        yield from ((module, each.name, each.asname or each.name) for each in node.names)


def _written(value: object, is_ours: IsOurs) -> Iterator[bytes]:
    """Write a value of a syntax tree, each node with its kind, so that no two trees are written alike."""
    if isinstance(value, ast.AST):
        yield b"(%s" % type(value).__name__.encode()
        for field in value._fields:
            inner = getattr(value, field, None)
            if inner is not None and inner != [] and field not in FOLLOWS:
                yield b" %s=" % field.encode()
                yield from _written(inner, is_ours)
        yield b")"
    elif isinstance(value, list):
        yield b"["
        for each in value:
            if not _decides_nothing(each):
                yield from _written(each, is_ours)
        yield b"]"
    else:
        is_module = isinstance(value, str) and "." in value and is_ours(value)
        yield b"<module>" if is_module else f"<{type(value).__name__} {value!r}>".encode(errors="surrogatepass")


def _decides_nothing(node: object) -> bool:
    is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    return is_text or isinstance(node, (ast.Import, ast.ImportFrom))
