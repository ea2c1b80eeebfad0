"""The types of all entries, of effects by their kinds and of the values in them, as ``data/types.json`` lists them.

A row says the ``kind`` of an effect, or the type that it is ``like``, the fields that it ``needs``, and those that it
``may`` have, with their types. A field that is not given is as ``usual``, or else empty: no text, no number, nothing listed.
Programs that check types read the same in ``kinds.pyi``, which ``python -m tests.support.srd5_schema`` writes.
"""

import json
from collections.abc import Mapping
from pkgutil import get_data
from types import new_class
from typing import Any

import attrs

from rollbook.rulesets.srd5.catalogue import effect
from rollbook.rulesets.srd5.catalogue.effect import Effect, Part

EMPTY = {"str": "", "int": 0, "float": 0.0, "bool": False, "tuple": (), "Mapping": attrs.field(factory=dict)}


def _empty(of: str) -> Any:
    """The value of a field that is not given, by its type."""
    return None if of.endswith("None") else EMPTY[of.partition("[")[0].partition(" |")[0]]


def _type(name: str, row: Mapping[str, Any]) -> type[Part]:
    """The type that a row describes, for the fields of which ``Effect`` and ``Any`` are read here."""
    may, usual = row.get("may", {}), row.get("usual", {})
    doc = "\n\n".join(row[part] for part in ("doc", "more") if part in row)
    space = {"__module__": __name__, "__doc__": doc, "__annotations__": {**row.get("needs", {}), **may}}
    space |= {field: usual.get(field, _empty(of)) for field, of in may.items()}
    base, settings = (Effect, {"kind": row["kind"]}) if "kind" in row else (_base(row.get("like", "Part")), {})
    return new_class(name, (base,), settings, lambda names: names.update(space))


def _base(name: str) -> type[Part]:
    found: type[Part] = globals().get(name) or getattr(effect, name)
    return found


for _name, _row in json.loads(get_data("rollbook.rulesets.srd5", "data/types.json") or b"").items():
    globals()[_name] = _type(_name, _row)
