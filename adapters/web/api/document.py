"""The OpenAPI document, made from the endpoints and the types of what they take and answer."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from rollbook.adapters.web.api.answers import Problem
from rollbook.adapters.web.api.endpoint import JSON, KEY, Endpoint, QueryParameter
from rollbook.adapters.web.api.problems import MEDIA
from rollbook.application.ports.seat_tokens import Scope

VERSION = "3.1.1"
REFERENCE = "#/components/schemas/{name}"
REFUSED: Mapping[str, str] = {
    "400": "The request cannot be read.",
    "401": "No good token.",
    "403": "The seat or the token may not do that.",
    "404": "There is nothing of that name, as far as the seat knows.",
    "409": "Somebody was faster.",
    "413": "The body is too large.",
    "414": "The address is too long.",
    "415": "The body is no JSON.",
    "422": "The rules, or the table, say no.",
    "429": "Too much at once.",
    "503": "Not now: the history is being read, or the store does not answer.",
}
ABOUT = (
    "The table of rollbook for programs. Every answer is made of what the token's seat may see, and every refusal is a problem "
    "(RFC 9457) whose detail is a sentence for the person who asked."
)
_PARAMETER = re.compile(r"\{(\w+)\}")


def document(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """The document of these endpoints, as plain values."""
    known = tuple(endpoints)
    types = dict.fromkeys(each for endpoint in known for each in _types(endpoint))
    _, schemas = msgspec.json.schema_components((*types, Problem), ref_template=REFERENCE)
    for kind in {endpoint.body for endpoint in known if endpoint.body}:
        schemas[kind.__name__]["additionalProperties"] = False
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in sorted(known, key=lambda each: each.path):
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": VERSION,
        "info": {"title": "rollbook", "version": "1", "description": ABOUT, "license": {"name": "MIT"}},
        "paths": paths,
        "components": {
            "schemas": {name: _plain(schema) for name, schema in sorted(schemas.items())},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": _scopes()}},
        },
        "security": [{"token": []}],
    }


def _types(endpoint: Endpoint) -> Iterable[type]:
    return (kind for kind in (endpoint.body, endpoint.answer, *endpoint.also.values()) if kind is not None)


def _scopes() -> str:
    return f"A token of a seat. Its scopes are some of: {', '.join(Scope)}."


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    found: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "security": [{"token": [str(endpoint.scope)]}],
        "parameters": list(_parameters(endpoint)),
        "responses": _responses(endpoint),
    }
    if endpoint.body is not None:
        found["requestBody"] = {"required": True, "content": {JSON: {"schema": _reference(endpoint.body)}}}
    return found


def _parameters(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    yield from map(_of_path, _PARAMETER.findall(endpoint.path))
    yield from map(_of_query, endpoint.query)
    if endpoint.records:
        yield {"name": KEY, "in": "header", "description": "As command in the body.", "schema": {"type": "string"}}


def _of_path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}


def _of_query(parameter: QueryParameter) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer" if parameter.kind is int else "string"}
    more: dict[str, Any] = {}
    if parameter.is_open:
        schema = {"type": "object", "additionalProperties": {"type": "string"}}
        more = {"style": "form", "explode": True}
    bounds = {"minimum": parameter.least, "maximum": parameter.most}
    schema |= {name: value for name, value in bounds.items() if value is not None}
    return {"name": parameter.name, "in": "query", "description": parameter.help, "schema": schema, **more}


def _responses(endpoint: Endpoint) -> dict[str, Any]:
    schema = {"type": "string"} if endpoint.answer is None else _reference(endpoint.answer)
    done = {str(endpoint.status): {"description": endpoint.summary, "content": {endpoint.media: {"schema": schema}}}}
    done |= {
        str(status): {"description": _first(kind), "content": {JSON: {"schema": _reference(kind)}}}
        for status, kind in endpoint.also.items()
    }
    problem = {MEDIA: {"schema": _reference(Problem)}}
    return {**done, **{status: {"description": said, "content": problem} for status, said in REFUSED.items()}}


def _reference(kind: type) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def _first(kind: type) -> str:
    return " ".join((kind.__doc__ or "").split()).partition(". ")[0]


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema whose description is one paragraph of plain text."""
    said = " ".join(str(schema.get("description", "")).replace("``", "").split())
    return {**schema, **({"description": said} if said else {})}
