"""What a handler is given is whole and frozen: services are made once, and nobody writes into what is another's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from starlette.requests import Request

import rollbook.adapters.web
from rollbook.adapters.web.pages.page import PageRequest, RequestContext
from rollbook.adapters.web.pages.requester_view import RequesterView
from rollbook.adapters.web.serving.app import WebTable

WEB = Path(rollbook.adapters.web.__file__).parent
ROOMS = ("acting", "board", "corrections", "gm", "lobby", "replay", "sheets", "table")


def nodes(folder: Path) -> Iterator[tuple[str, ast.AST]]:
    for module in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            yield f"{module.relative_to(WEB)}:{getattr(node, 'lineno', 0)}", node


def test_no_handler_fetches_a_service_from_the_application() -> None:
    reached = [
        at for at, node in nodes(WEB) if isinstance(node, ast.Attribute) and ast.unparse(node).endswith("app.state")
    ]
    assert not reached


def test_nobody_writes_into_the_cached_values_or_private_fields_of_another_object() -> None:
    written = [
        at
        for at, node in nodes(WEB)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and (node.func.id == "vars" or (node.func.id == "setattr" and ast.unparse(node.args[0]) != "self"))
    ]
    private = [
        at
        for at, node in nodes(WEB)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and node.attr.startswith("_")
        and ast.unparse(node.value) != "self"
    ]
    assert (written, private) == ([], [])


def test_no_room_changes_what_it_was_given() -> None:
    changed = [
        at
        for room in ROOMS
        for at, node in nodes(WEB / room)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value).partition(".")[0] == "context"
    ]
    assert not changed


@pytest.mark.parametrize("name", [field.name for field in attrs.fields(RequestContext)])
def test_a_context_is_frozen(app: WebTable, name: str) -> None:
    request = PageRequest(Request({"type": "http", "headers": []}))
    context = RequestContext(request, None, RequesterView("", None, {}), app.services)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        setattr(context, name, None)
