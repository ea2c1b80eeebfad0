"""Findings of an examination: a sentence for each check, with advice where something is wrong."""

from collections.abc import Callable, Iterable, Iterator
from typing import ParamSpec

import attrs

from rollbook.domain.base.errors import note_failure
from rollbook.domain.base.records import Record


@attrs.frozen
class Finding(Record):
    """The outcome of one check. ``says`` describes what was found and, where it is not well, what to do about it."""

    about: str
    well: bool
    says: str


def well(says: str) -> Finding:
    """A finding that all is well."""
    return Finding("", well=True, says=says)


def ill(says: str) -> Finding:
    """A finding that something is to be done."""
    return Finding("", well=False, says=says)


Given = ParamSpec("Given")


def looked_at(
    about: str, look: Callable[Given, Iterable[Finding]], *given: Given.args, **more: Given.kwargs
) -> Iterator[Finding]:
    """The findings of one check; a check that fails yields a finding too, so that the others continue."""
    try:
        for finding in look(*given, **more):
            yield attrs.evolve(finding, about=finding.about or about)
    except Exception as fault:  # noqa: BLE001 - an examination ends with an answer, whatever is broken
        note_failure("doctor", about, fault)
        said = " ".join(str(fault).split()) or type(fault).__name__
        yield Finding(
            about, well=False, says=f"this could not be looked at: {said if said.endswith('.') else f'{said}.'}"
        )
