"""What an examination finds: of each thing whether it is well, in a sentence, and if it is not, what to do."""

from collections.abc import Callable, Iterable, Iterator

import attrs

from rollbook.domain.base.debug_log import note_failure
from rollbook.domain.base.records import Record


@attrs.frozen
class Finding(Record):
    """One thing that was looked at. ``says`` is how it is; where it is not well, also what to do about it."""

    about: str
    well: bool
    says: str


def well(about: str, says: str) -> Finding:
    """It is as it should be."""
    return Finding(about, well=True, says=says)


def ill(about: str, says: str) -> Finding:
    """Something is to be done."""
    return Finding(about, well=False, says=says)


def looked_at(about: str, look: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """What a look finds; one that fails is a finding too, and the others go on."""
    try:
        yield from look()
    except Exception as fault:  # noqa: BLE001 - an examination ends with an answer, whatever is broken
        note_failure("doctor", about, fault)
        said = " ".join(str(fault).split()) or type(fault).__name__
        yield ill(about, f"this could not be looked at: {said if said.endswith('.') else f'{said}.'}")
