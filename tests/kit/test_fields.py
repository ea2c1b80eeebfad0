"""Fields of data are read as their type, and as nothing where they are missing or of another type."""

from __future__ import annotations

from rollbook.kit import fields

DATA = {"item": "torch", "rounds": 3, "shared": True, "lit": ("ida", "bram")}


def test_every_field_is_read_as_its_type() -> None:
    assert fields.text(DATA, "item") == "torch"
    assert fields.number(DATA, "rounds") == 3
    assert fields.flag(DATA, "shared")
    assert fields.names(DATA, "lit") == ("ida", "bram")


def test_what_is_missing_reads_as_nothing() -> None:
    assert (fields.text({}, "a"), fields.number({}, "a"), fields.flag({}, "a"), fields.names({}, "a")) == (
        "",
        0,
        False,
        (),
    )


def test_what_is_of_another_type_reads_as_nothing() -> None:
    assert fields.text(DATA, "rounds") == ""
    assert fields.number(DATA, "item") == 0
    assert not fields.flag(DATA, "item")
    assert fields.names(DATA, "item") == ()
