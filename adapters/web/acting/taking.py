"""Taking an action that was filled in, in a form or by a program: it is read in the edition, and carried out in the campaign."""

import attrs

from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.verb_form import COMMAND, Filled, Read, read
from rollbook.application.lines.performing import turn_of, unused_dice
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.secrecy import may_see
from rollbook.domain.rules.action import Action


class Unsound(Refused):
    """A refusal of what was filled in, as it cannot be read; ``read`` has the faults, of which the first is the sentence."""

    def __init__(self, read: Read) -> None:
        parameter, sentence = next(iter(read.faults.items()), ("", read.dice_fault))
        super().__init__(sentence)
        self.read, self.parameter = read, parameter


@attrs.frozen
class Taken(Record):
    """An action that was taken, and remarks on what it did not use, as far as the seat may see it."""

    entry: RecordedEntry
    remarks: tuple[str, ...]


def sound(seat_context: SeatContext, verb: type[Action], filled: Filled) -> Read:
    """Read what was filled in, in the seat's edition. Raises Unsound."""
    found = read(seat_context.edition, verb, filled, known_only=not seat_context.is_gm)
    if not found.is_sound:
        raise Unsound(found)
    return found


def take_filled(seat_context: SeatContext, verb: type[Action], filled: Filled) -> Taken:
    """Take the action. Raises Unsound, and what ``SeatContext.take`` raises."""
    found, unused = sound(seat_context, verb, filled), list[str]()
    turn = turn_of(seat_context.edition, verb, found.spoken, seat=seat_context.seat, said=unused.append)
    entry = seat_context.take(turn, command=filled.text(COMMAND))
    if seat_context.is_gm or may_see(seat_context.seat or "", entry):
        unused.extend(unused_dice(turn, entry))
    return Taken(entry, tuple(unused))
