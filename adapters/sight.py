"""Which entries a seat may see, and what of them: for its file, and for the questions that it asks."""

import attrs

from adapters.entry_log import EntryLog
from domain.chain import NUMBERS, PRIVATE, lines_of
from domain.entries import REASON, RecordedEntry
from domain.history import History
from domain.secrecy import hidden_names, may_see, revealed, stored_names_somebody


class Sight:
    """What a seat may see of a history. The seat "" is the table as such."""

    def __init__(self, log: EntryLog, history: History, seat: str) -> None:
        self._log = log
        self._seat = seat
        self._revealed = {number for entry in history.entries for number in revealed(entry.events)}
        self._names = hidden_names(history.state)

    def sees(self, entry: RecordedEntry) -> bool:
        """Whether the seat may see an entry, with or without the events that it hides."""
        return may_see(self._seat, entry) or self.is_revealed(entry)

    def is_revealed(self, entry: RecordedEntry) -> bool:
        """Whether an entry was revealed, and names nobody who is hidden to this day. Nobody sees its private envelope."""
        if entry.number not in self._revealed:
            return False
        (stored,) = self._log.stored(entry.number - 1, entry.number)
        shown = (line for place, line in enumerate(lines_of(stored.data)) if place != PRIVATE)
        return not any(stored_names_somebody(self._names, line) for line in shown)

    def shown(self, entry: RecordedEntry) -> RecordedEntry:
        """An entry that the seat may see, without what it hides."""
        hidden = () if self.is_revealed(entry) else entry.hidden_events
        params = {name: value for name, value in entry.intent.params.items() if name not in NUMBERS}
        return entry._replace(
            events=tuple(event for place, event in enumerate(entry.events) if place not in hidden),
            reason="" if REASON in entry.hidden_events else entry.reason,
            intent=attrs.evolve(entry.intent, params=params),
            causation=0,
            correction="",
            reads=(),
            fingerprint="",
            command="",
            command_digest="",
        )
