"""What an examination finds: of each thing whether it is well, in a sentence, and if it is not, what to do."""

from collections.abc import Callable, Iterable, Iterator
from typing import ParamSpec

import attrs

from rollbook.domain.base.errors import note_failure
from rollbook.domain.base.records import Record


@attrs.frozen
class Finding(Record):
    """One thing that was looked at. ``says`` is how it is; where it is not well, also what to do about it."""

    about: str
    well: bool
    says: str


def well(says: str) -> Finding:
    """It is as it should be."""
    return Finding("", well=True, says=says)


def ill(says: str) -> Finding:
    """Something is to be done."""
    return Finding("", well=False, says=says)


Given = ParamSpec("Given")


def looked_at(
    about: str, look: Callable[Given, Iterable[Finding]], *given: Given.args, **more: Given.kwargs
) -> Iterator[Finding]:
    """What a look finds; one that fails is a finding too, and the others go on."""
    try:
        for finding in look(*given, **more):
            yield attrs.evolve(finding, about=finding.about or about)
    except Exception as fault:  # noqa: BLE001 - an examination ends with an answer, whatever is broken
        note_failure("doctor", about, fault)
        said = " ".join(str(fault).split()) or type(fault).__name__
        yield Finding(
            about, well=False, says=f"this could not be looked at: {said if said.endswith('.') else f'{said}.'}"
        )
