"""What must follow from the entries before, and which outcome of each action counts (docs/proving.md)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tests.oracle.stored import INSERTED, REDONE, TAKEN, UNDONE, ZEROS, Entry, Event


class Counting:
    """The actions of a history, in the order of play, and which outcome of each counts."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.entries: list[Entry] = []
        self.outcomes: dict[int, dict[int, Entry]] = {}
        self.counts: dict[int, Entry | None] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """One more entry."""
        self.entries.append(entry)
        known = self.outcomes.setdefault(entry.action, {})
        if entry.kind == UNDONE:
            self.counts[entry.action] = None
        elif entry.kind == REDONE:
            self.counts[entry.action] = known[entry.public["restores"]]
        else:
            known[entry.public["revision"]] = self.counts[entry.action] = entry
        if entry.kind == INSERTED:
            order = [action for action in self.counts if action != entry.action]
            order.insert(order.index(entry.private["before"]), entry.action)
            self.counts = {action: self.counts[action] for action in order}

    def effective(self, until: int | None = None) -> list[Event]:
        """The events of all outcomes that count, up to an action (0: of none) or of all, in the order of play."""
        order = list(self.counts)
        last = len(order) if until is None else order.index(until) + 1 if until else 0
        counting = [self.counts[action] for action in order[:last]]
        return [event for entry in counting if entry is not None for event in entry.events]


class Shown:
    """How much of a history the whole table has seen."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self.hash, self.entries, self.has_secrets = ZEROS, 0, False
        self.numbers: dict[int, int] = {}
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """One more entry."""
        self.has_secrets |= bool(entry.visibility or entry.private["hidden_events"])
        if not entry.visibility:
            self.hash, self.entries = entry.hash, self.entries + 1
        if entry.is_first:
            self.numbers[entry.action] = 0 if entry.visibility else max(self.numbers.values(), default=0) + 1

    def public_number(self, entry: Entry) -> int:
        """The number of an action of which this is the next entry, as the table counts it."""
        if entry.visibility:
            return 0
        if not entry.is_first:
            return self.numbers[entry.action]
        return max(self.numbers.values(), default=0) + 1 if self.hides(entry) else 0

    def hides(self, entry: Entry) -> bool:
        """Whether there are secrets once this is the next entry."""
        return self.has_secrets or bool(entry.visibility or entry.private["hidden_events"])


def broken(entries: Sequence[Entry]) -> Iterator[str]:
    """What of a history does not follow from what comes before it: a sentence for each."""
    counting, shown, previous, corrections = Counting(), Shown(), ZEROS, dict[str, int]()
    for at, entry in enumerate(entries, 1):
        wrong = [text for text, right in _links(entry, at, previous, shown) if not right]
        wrong += [text for text, right in _places(entry, counting) if not right]
        wrong += [text for text, right in _correction(entry, counting, corrections) if not right]
        yield from (f"@{at}: {text}" for text in wrong)
        if wrong:
            return
        counting.add(entry)
        shown.add(entry)
        previous = entry.hash


def _links(entry: Entry, at: int, previous: str, shown: Shown) -> Iterator[tuple[str, bool]]:
    yield f"it is entry {entry.number}", entry.number == at
    yield "it has another hash", entry.hash == entry.right_hash
    yield "it does not follow the entry before", entry.previous_hash == previous
    seen = shown.hash if shown.hides(entry) else ""
    yield "the table had not seen what it names", entry.public["previous_public_hash"] == seen
    yield "it has another public number", entry.public["public_number"] == shown.public_number(entry)
    is_told = entry.kind == INSERTED and not entry.visibility
    told = shown.numbers.get(entry.private["before"], 0) if is_told else 0
    yield "the table is told another place", entry.public["public_before"] == told and bool(told) == is_told
    places = entry.private["hidden_events"]
    yield "it hides what is not there", places == sorted(set(places) & set(range(-1, len(entry.events))))
    salts = bool(entry.public["public_salt"]), bool(entry.private["salt"])
    yield "it lacks its salt", salts == (bool(entry.visibility), shown.hides(entry))


def _places(entry: Entry, counting: Counting) -> Iterator[tuple[str, bool]]:
    actions = len(counting.counts)
    before = entry.private["before"]
    yield "it stands before nothing", 1 <= before <= actions if entry.kind == INSERTED else before == 0
    if entry.is_first:
        yield "it is not the next action", entry.action == actions + 1
        yield "it is not the first of its action", entry.public["revision"] == 1
    else:
        yield "its action was never taken", 1 <= entry.action <= actions
        said = [each.public["revision"] for each in counting.entries if each.action == entry.action]
        yield "it is not the next revision", entry.public["revision"] == said[-1] + 1
    known = counting.outcomes.get(entry.action, {})
    restores = entry.public["restores"]
    yield "it redoes what never was", restores in known if entry.kind == REDONE else restores == 0


def _correction(entry: Entry, counting: Counting, corrections: dict[str, int]) -> Iterator[tuple[str, bool]]:
    id_, cause = entry.private["correction"], entry.private["causation"]
    yield "it is of no correction, or of one and is none", bool(id_) == (entry.kind != TAKEN)
    last = counting.entries[-1].private["correction"] if counting.entries else ""
    yield "its correction was over", id_ in ("", last) or id_ not in corrections
    if id_:
        corrections.setdefault(id_, entry.number)
        yield "it follows from another correction", cause in (0, corrections[id_])
    else:
        yield "it follows from no correction", cause == 0 or cause in corrections.values()
