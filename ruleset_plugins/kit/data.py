"""Data files beside the rules: JSON rows read into classes; a bad one is refused by file, row and field."""

import json
from importlib import resources
from typing import TypeVar, cast

import attrs
import msgspec

from domain.errors import RulesetBroken

_Row = TypeVar("_Row")


def load(package: str, file: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows of ``data/FILE`` of the nearest package at or above ``package`` that has it; ``package`` is ``__package__``.

    Raises RulesetBroken with the file, the row and the field that is wrong.
    """
    return parse(file, _text(package, file), row)


def _text(package: str, file: str) -> str:
    while package:
        found = resources.files(package).joinpath("data", file)
        if found.is_file():
            return found.read_text(encoding="utf-8")
        package = package.rpartition(".")[0]
    raise RulesetBroken(f"There is no data file {file}.")


def parse(file: str, text: str, row: type[_Row]) -> tuple[_Row, ...]:
    """The rows in the text of a data file, each as a ``row``; see ``load``."""
    try:
        raw = json.loads(text)
    except ValueError as fault:
        raise RulesetBroken(f"{file} is not JSON: {fault}.") from None
    if not isinstance(raw, list):
        raise RulesetBroken(f"{file} is not a list of rows.")
    rows = tuple(structure(f"{file}, row {number}", entry, row) for number, entry in enumerate(raw, 1))
    keys = [key for each in rows if (key := getattr(each, "key", None)) is not None]
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise RulesetBroken(f"{file} has the key {', '.join(sorted(twice))} more than once.")
    return rows


def structure(place: str, entry: object, row: type[_Row]) -> _Row:
    """An object of plain values as a ``row``. Raises RulesetBroken with the ``place`` and the field that is wrong."""
    if not isinstance(entry, dict):
        raise RulesetBroken(f"{place}: expected an object with the row's fields, found {entry!r}.")
    try:
        found = msgspec.convert(entry, row)
        is_exact = _is_exact(entry, found)
    except ValueError:
        is_exact = False
    return found if is_exact else _explained(place, entry, row)


def _is_exact(raw: object, found: object) -> bool:
    """Whether a value is what was read and nothing besides: no unknown field, no number in the place of another type.

    Raises ValueError if a validator of a class says no.
    """
    cls = found.__class__
    if attrs.has(cls):
        attrs.validate(cast("attrs.AttrsInstance", found))
        fields = attrs.fields_dict(cls)
        if not isinstance(raw, dict) or any(field.converter for field in fields.values()):
            return False
        return all(name in fields and _is_exact(value, getattr(found, name)) for name, value in raw.items())
    if isinstance(raw, dict):
        return isinstance(found, dict) and all(_is_exact(value, found[name]) for name, value in raw.items())
    if isinstance(raw, list):
        return isinstance(found, (list, tuple)) and all(map(_is_exact, raw, found))
    return type(raw) is cls


def _explained(place: str, entry: object, row: type[_Row]) -> _Row:
    """The same by cattrs, which says what is wrong; its import and the code that it makes would slow down every start."""
    import cattrs  # noqa: PLC0415 - late, see above
    from cattrs.v import format_exception  # noqa: PLC0415

    def exactly(value: object, wanted: type) -> object:
        if type(value) is not wanted:
            raise ValueError(f"expected {wanted.__name__}, found {value!r}")
        return value

    def said(fault: BaseException, wanted: type | None) -> str:
        return str(fault) if type(fault) is ValueError else format_exception(fault, wanted)

    reader = cattrs.Converter(forbid_extra_keys=True)
    for plain in (int, str, bool):
        reader.register_structure_hook(plain, exactly)
    try:
        return reader.structure(entry, row)
    except (cattrs.BaseValidationError, ValueError, TypeError) as fault:
        lines = cattrs.transform_error(fault, "$", format_exception=said)
        text = "; ".join(line.replace(" @ $.", " in the field ").removesuffix(" in the field ") for line in lines)
        raise RulesetBroken(f"{place}: {text}.") from None
