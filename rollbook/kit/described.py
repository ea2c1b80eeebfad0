"""Types of rows that are themselves described as data, so that a catalogue with hundreds of fields needs no code for them.

A file ``types.json`` has an object for each type by its name: the ``kind`` of a ``data.Kinds``, or the type that it is ``like``;
the fields that it ``needs`` and those that it ``may`` have, each with its type; what they are as ``usual``, if not empty (no
text, no number, nothing listed); and a ``doc``, with ``more`` of it.
"""

import json
from collections.abc import Mapping
from types import MappingProxyType, new_class
from typing import Any

import attrs

from rollbook.kit import data

__all__ = ["describe"]

NO_BASES: Mapping[str, Any] = MappingProxyType({})
EMPTY = {"str": "", "int": 0, "float": 0.0, "bool": False, "tuple": (), "Mapping": attrs.field(factory=dict)}


def describe(
    space: dict[str, Any], file: str, *, of_kinds: type[data.Kinds], bases: Mapping[str, Any] = NO_BASES
) -> None:
    """Make the types of a file in a module: ``describe(globals(), "types.json", of_kinds=Effect)``.

    The names in the types of fields are those of the ``space``, the module's own. What a type is ``like`` is another one of
    the file that stands before it, one of the ``bases``, or else a plain value (``data.Frozen``).
    """
    rows: dict[str, Any] = json.loads(data.text(space["__package__"], file))
    for name, row in rows.items():
        base = (
            of_kinds if "kind" in row else space.get(row.get("like", ""), bases.get(row.get("like", ""), data.Frozen))
        )
        space[name] = _made(space["__name__"], name, row, base)


def _made(module: str, name: str, row: Mapping[str, Any], base: type[data.Frozen]) -> type[data.Frozen]:
    """The type that a row describes."""
    may, usual = row.get("may", {}), row.get("usual", {})
    doc = "\n\n".join(row[part] for part in ("doc", "more") if part in row)
    fields = {"__module__": module, "__doc__": doc, "__annotations__": {**row.get("needs", {}), **may}}
    fields |= {field: usual.get(field, _empty(of)) for field, of in may.items()}
    kind = {"kind": row["kind"]} if "kind" in row else {}
    return new_class(name, (base,), kind, lambda names: names.update(fields))


def _empty(of: str) -> Any:
    """The value of a field that is not given, by its type."""
    return None if of.endswith("None") else EMPTY[of.partition("[")[0].partition(" |")[0]]
