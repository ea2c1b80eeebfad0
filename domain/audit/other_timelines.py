"""What a timeline may have from the histories that it left: dice that fell there since, for the same requests."""

from collections.abc import Iterable, Mapping

import attrs

from rollbook.domain.base.identifiers import EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.dice.ledger import places_of
from rollbook.domain.dice.place import StreamPlace
from rollbook.domain.dice.record import RequestKey
from rollbook.domain.events import DiceRolled


@attrs.frozen
class Elsewhere(Record):
    """Timeline number ``fork`` left another history at entry ``forked_at``; 0 and 0 for canon.

    Since then other histories asked the ``requests``, and at each of the ``places`` of a session, by its identity, dice fell for
    some of them.
    """

    fork: int = 0
    forked_at: EntryNumber = 0
    requests: frozenset[RequestKey] = frozenset()
    places: Mapping[tuple[str, StreamPlace], frozenset[RequestKey]] = attrs.field(factory=dict)

    @classmethod
    def of(
        cls, fork: int, forked_at: EntryNumber, rolls: Iterable[tuple[Mapping[int, str], DiceRolled]]
    ) -> "Elsewhere":
        """What was rolled elsewhere: each roll with the identities of the sessions there, by their numbers."""
        places: dict[tuple[str, StreamPlace], frozenset[RequestKey]] = {}
        requests = set[RequestKey]()
        for identities, roll in rolls:
            requests.add(roll.request)
            for session, place in places_of((roll,)):
                at = identities.get(session, ""), place
                places[at] = places.get(at, frozenset()) | {roll.request}
        return cls(fork, forked_at, frozenset(requests), places)

    def is_own(self, entry: EntryNumber) -> bool:
        """Whether an entry is the timeline's own, and not one that it shares."""
        return bool(self.fork) and entry > self.forked_at


CANON = Elsewhere()
"""Canon has nothing from elsewhere."""
