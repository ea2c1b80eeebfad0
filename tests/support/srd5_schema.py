"""The JSON schemas beside the data files, made from the types, for editors and for programs that read the files.

So is ``kinds.pyi``, from which programs that check types know the fields of every row.

``python -m tests.support.srd5_schema`` writes them again.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import attrs

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import effect, kinds
from rollbook.rulesets.srd5.catalogue.effect import Effect, Part
from tests.support import srd5_vocabulary as vocabulary

DATA = Path(catalogue.__file__).parents[1] / "data"
FILES: Mapping[str, type[Part]] = {
    "spells": kinds.Spell,
    "monsters": kinds.Monster,
    "equipment": kinds.Item,
    "magic_items": kinds.MagicItem,
    "masteries": kinds.Mastery,
    "classes": kinds.CharacterClass,
    "species": kinds.Species,
    "backgrounds": kinds.Background,
    "feats": kinds.Feat,
    "advancement": kinds.Advancement,
    "creation": kinds.Creation,
    "challenges": kinds.Challenge,
    "rarities": kinds.Rarity,
    "scrolls": kinds.ScrollLevel,
    "hazards": kinds.Hazard,
    "conditions": kinds.State,
    "skills": kinds.Skill,
    "objects": kinds.Substance,
    "terrains": kinds.Terrain,
    "heroes": kinds.Hero,
    "kinds": kinds.TraitKind,
}
STUB = Path(catalogue.__file__).with_name("kinds.pyi")
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def hints(kind: type[Part]) -> dict[str, Any]:
    """The fields of a type with their annotations."""
    found = get_type_hints(kind)
    return {field.name: found[field.name] for field in attrs.fields(kind)}  # type: ignore[arg-type]


def schema(kind: type[Part]) -> dict[str, Any]:
    """The schema of a file that is a list of these."""
    defined: dict[str, Any] = {}
    items = _of(kind, defined, kind.__name__, "")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "array",
        "items": items,
        "$defs": dict(sorted(defined.items())),
    }


def text(kind: type[Part]) -> str:
    """The schema as it lies beside the data, a type on each line."""
    made = schema(kind)
    defined = made.pop("$defs")
    lines = [f'  "{name}": {json.dumps(each, ensure_ascii=False)}' for name, each in defined.items()]
    return json.dumps(made)[:-1] + ', "$defs": {\n' + ",\n".join(lines) + "\n}}\n"


def _of(kind: Any, defined: dict[str, Any], owner: str, field: str) -> dict[str, Any]:
    origin, inside = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if origin in (Union, UnionType):
        return {"anyOf": [_of(each, defined, owner, field) for each in inside if each is not NoneType]}
    if origin is tuple:
        return {"type": "array", "items": _of(inside[0], defined, owner, field)}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of(inside[1], defined, owner, field)}
    if kind in PLAIN:
        return _plain(kind, owner, field)
    return _reference(kind, defined)


def _plain(kind: type, owner: str, field: str) -> dict[str, Any]:
    words, pattern = vocabulary.words_for(owner, field), vocabulary.PATTERNS.get(field)
    if kind is not str or (words is None and pattern is None):
        return {"type": PLAIN[kind]}
    listed = [{"enum": list(words)}] if words else []
    shaped = [{"type": "string", "pattern": f"^({pattern})$"}] if pattern else []
    both = listed + shaped
    return both[0] if len(both) == 1 else {"anyOf": both}


def _reference(kind: type[Part], defined: dict[str, Any]) -> dict[str, Any]:
    if kind.__name__ not in defined:
        defined[kind.__name__] = {}
        defined[kind.__name__] = _any_effect(defined) if kind is Effect else _object(kind, defined)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _any_effect(defined: dict[str, Any]) -> dict[str, Any]:
    """One schema for each kind, chosen by the kind, so that a fault is said of that one alone."""
    chosen = [
        {"if": {"properties": {"kind": {"const": name}}}, "then": _reference(kind, defined)}
        for name, kind in sorted(Effect.KINDS.items())
    ]
    kinds = {"kind": {"enum": sorted(Effect.KINDS)}}
    return {"type": "object", "required": ["kind"], "properties": kinds, "allOf": chosen}


def _object(kind: type[Part], defined: dict[str, Any]) -> dict[str, Any]:
    fields = {name: _of(each, defined, kind.__name__, name) for name, each in hints(kind).items()}
    required = [field.name for field in attrs.fields(kind) if field.default is attrs.NOTHING]  # type: ignore[arg-type]
    if issubclass(kind, Effect):
        fields, required = {"kind": {"const": kind.kind}, **fields}, ["kind", *required]
    return {
        "description": (kind.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }


def stub() -> str:
    """The types of ``types.json`` as a stub."""
    listed: dict[str, dict[str, Any]] = json.loads((DATA / "types.json").read_text(encoding="utf-8"))
    of_effect = "from rollbook.rulesets.srd5.catalogue.effect import Effect, Part"
    heads = ("from collections.abc import Mapping", "from typing import Any", "", f"{FROM_ROWS}\n{of_effect}", "")
    return "\n".join((*heads, *(_class(name, row) for name, row in listed.items())))


FROM_ROWS = "from rollbook.rulesets.srd5.catalogue import effect"


def _class(name: str, row: dict[str, Any]) -> str:
    base = row.get("like", "Part")
    if "kind" in row:
        base = f'Effect, kind="{row["kind"]}"'
    elif hasattr(effect, base) and base != "Part":
        base = f"effect.{base}"
    fields = [f"    {field}: {of}" for field, of in row.get("needs", {}).items()]
    fields += [f"    {field}: {of} = ..." for field, of in row.get("may", {}).items()]
    return "\n".join((f"class {name}({base}):", *fields, "")) if fields else f"class {name}({base}): ...\n"


def write() -> None:
    """Writes the schemas beside the data, and the stub."""
    STUB.write_text(stub(), encoding="utf-8")
    for name, kind in FILES.items():
        (DATA / f"{name}.schema.json").write_text(text(kind), encoding="utf-8")


if __name__ == "__main__":
    write()
