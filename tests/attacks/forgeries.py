"""Forgeries of a history, by name: what is changed, and where that shows once every hash was made again.

``NUMBERS`` change what follows from the entries before, ``SHAPES`` what an entry is, ``WORDS`` what was removed or put back: they
show in the chain. ``CLAIMS`` say something else that might be: of these the dice or the rules may know, a receipt always does.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from rollbook.domain.history.chain import canonical, mark
from tests.attacks.forging import Forged

Entries = list[Forged]
Forgery = Callable[[Entries], object]


def of(entries: Entries, *, kind: str = "", verb: str = "", event: str = "", which: int = -1) -> Forged:
    """The last entry (or the one ``which``) of a kind, of a verb, with an event."""
    return [
        entry
        for entry in entries
        if kind in entry.kind and verb in ("", entry.verb) and (not event or entry.has(event))
    ][which]


def change(where: str, name: str, value: object, /, **wanted: Any) -> Forgery:
    """Another value of a field in the "public" or "private" envelope, or in an event of that name."""

    def forge(entries: Entries) -> None:
        entry = of(entries, **wanted)
        fields = getattr(entry, where) if where in ("public", "private") else entry.event(where)
        fields[name] = value(fields.get(name)) if callable(value) else value

    return forge


def drop(where: str, name: str, /, **wanted: Any) -> Forgery:
    """A field of an envelope left out."""
    return lambda entries: getattr(of(entries, **wanted), where).pop(name, None)


def by(many: int) -> Callable[[int | None], int]:
    """So many more than it is."""
    return lambda was: (was or 0) + many


TAKEN, REVISED, UNDONE, REDONE = "ActionTaken", "ActionRevised", "ActionVoided", "ActionRestored"
JOIN, ROLLED, OPENED = "CharacterJoined", "DiceRolled", "SessionOpened"


def _swap_actions(entries: Entries) -> None:
    one, other = (of(entries, kind=TAKEN, which=which) for which in (-1, -3))
    one.private["action"], other.private["action"] = other.private["action"], one.private["action"]


def _again(entries: Entries) -> None:
    """An entry with the number of an action that was taken before, at the end: attack A."""
    more = deepcopy(of(entries, verb="gain-token"))
    more.number = len(entries) + 1
    entries.append(more)


def _two_campaigns(entries: Entries) -> None:
    more = deepcopy(entries[0])
    more.number, more.private["action"] = len(entries) + 1, len([e for e in entries if TAKEN in e.kind]) + 1
    more.public["public_number"], more.public["previous_public_hash"] = 0, "x"
    entries.append(more)


NUMBERS: dict[str, Forgery] = {
    "an action's number is used again": change("private", "action", by(-1), kind=TAKEN),
    "an action's number is left out": change("private", "action", by(1), kind=TAKEN),
    "two actions' numbers are swapped": _swap_actions,
    "an action is appended once more": _again,
    "an action has the number 0": change("private", "action", 0, kind=TAKEN),
    "an action has a number below 0": change("private", "action", -4, kind=TAKEN),
    "an action's number is text": change("private", "action", "7", kind=TAKEN),
    "an action's number is a fraction": change("private", "action", 7.5, kind=TAKEN),
    "an action's number is true": change("private", "action", True, which=0),
    "an action's number is huge": change("private", "action", 10**30, kind=TAKEN),
    "an action has no number": drop("private", "action", kind=TAKEN),
    "a correction is of an action that was never taken": change("private", "action", by(900), kind=UNDONE),
    "a correction is of another action": change("private", "action", by(-1), kind=UNDONE),
    "an action is taken as its second revision": change("public", "revision", 2, kind=TAKEN),
    "a revision is used again": change("public", "revision", by(-1), kind=REVISED),
    "a revision is left out": change("public", "revision", by(1), kind=REVISED),
    "an undoing has the revision that it undoes": drop("public", "revision", kind=UNDONE),
    "what never was is redone": change("public", "restores", 9, kind=REDONE),
    "an undoing is redone": change("public", "restores", 2, kind=REDONE),
    "nothing is redone": drop("public", "restores", kind=REDONE),
    "an action is taken and redone": change("public", "restores", 1, kind=TAKEN),
    "the table counts an action twice": change("public", "public_number", by(-1), kind=TAKEN),
    "the table counts on by two": change("public", "public_number", by(1), kind=TAKEN),
    "the table does not count an action": drop("public", "public_number", kind=TAKEN),
    "the table counts what it did not see": change("public", "public_number", 3, verb="note", which=-3),
    "the table counts the correction of another action": change("public", "public_number", by(-1), kind=UNDONE),
    "an entry follows from one that comes later": change("private", "causation", 28, kind=TAKEN, which=-9),
    "an entry follows from one that began no correction": change("private", "causation", 2, kind=REVISED),
    "a correction has the id of an earlier one": lambda entries: of(entries, kind=REVISED).private.update(
        correction=of(entries, kind=UNDONE).private["correction"]
    ),
    "a correction has no id": drop("private", "correction", kind=UNDONE),
    "an action has the id of a correction": change("private", "correction", "0123456789abcdef", kind=TAKEN),
    "an event is hidden that is not there": change("private", "hidden_events", [7], kind=TAKEN),
    "an event is hidden twice": change("private", "hidden_events", [0, 0], kind=TAKEN),
    "a session's number is used again": change(OPENED, "session", 1, event=OPENED),
    "a session is left out": change(OPENED, "session", 3, event=OPENED),
    "another session is closed": change("SessionClosed", "session", 1, event="SessionClosed"),
    "a seed is revealed of a session that never was": change("DiceRevealed", "session", 5, event="DiceRevealed"),
    "two seats have one number": change("SeatTaken", "number", 0, event="SeatTaken"),
    "a seat's number is below 0": change("SeatTaken", "number", -1, event="SeatTaken"),
    "somebody acts who has no seat": change("public", "seat", "nobody", kind=TAKEN),
    "a note is for somebody who has no seat": change("public", "visibility", "nobody", verb="note", which=-2),
    "somebody acts who has not joined": change("public", "actor", "ghost", verb="gain-token"),
    "an entry is revealed that comes later": change("EntriesRevealed", "entries", [99], event="EntriesRevealed"),
    "an entry is redacted that comes later": change("NoteRedacted", "entries", [99], event="NoteRedacted"),
    "the campaign begins twice": _two_campaigns,
    "the table had seen something else": lambda entries: entries[-1].public.pop("previous_public_hash"),
}


def _renumbered(entries: Entries, number: int) -> None:
    entries[-1].number = number


def _doubled_line(entries: Entries) -> None:
    entries[-1].lines.append(deepcopy(entries[-1].lines[-1]))


def _removed(entries: Entries) -> None:
    del entries[len(entries) // 2]


def _swapped(entries: Entries) -> None:
    at = len(entries) // 2
    entries[at], entries[at + 1] = entries[at + 1], entries[at]
    entries[at].number, entries[at + 1].number = at + 1, at + 2


def _named(line: int, name: str) -> Forgery:
    def forge(entries: Entries) -> None:
        entries[-1].lines[line][0] = name

    return forge


SHAPES: dict[str, Forgery] = {
    "an entry's place is used again": lambda entries: _renumbered(entries, len(entries) - 1),
    "a place is left out": lambda entries: _renumbered(entries, len(entries) + 1),
    "an entry is removed": _removed,
    "two entries change places": _swapped,
    "an entry is there twice": lambda entries: entries.insert(9, deepcopy(entries[8])),
    "the id of a correction is a number": change("private", "correction", 7, kind=UNDONE),
    "the kind of an entry is unknown": _named(0, "ActionForged@1"),
    "the kind of an entry is of a later version": _named(0, "ActionTaken@2"),
    "the private envelope is called otherwise": _named(1, "Privat@1"),
    "an event is unknown": _named(2, "GoldFound@1"),
    "an event is of a later version": _named(2, "PoolGained@9"),
    "a time is text": change("public", "at", "yesterday", kind=TAKEN),
    "an amount is text": change("PoolGained", "amount", "many", event="PoolGained"),
    "an event has lost a field": lambda entries: of(entries, event="PoolGained").event("PoolGained").pop("amount"),
    "an event is a list": lambda entries: entries[-1].lines[2].__setitem__(1, [1, 2]),
    "an envelope is a list": lambda entries: entries[-1].lines[0].__setitem__(1, [1, 2]),
    "an event is there in the place of the private envelope": lambda entries: entries[-1].lines.pop(1),
}


def _note(entries: Entries) -> Forged:
    return of(entries, verb="note", which=0)


def _put_back(entries: Entries) -> None:
    _note(entries).lines[2:] = [["NoteWritten@1", {"about": "", "salt": "00", "text": "words that were removed"}]]


def _other_words(entries: Entries) -> None:
    _note(entries).lines.append(["NoteWritten@1", {"about": "", "salt": "00", "text": "other words"}])


def _marked(**wanted: Any) -> Forgery:
    """A mark in the place of an event that can not be removed, or without a record."""

    def forge(entries: Entries) -> None:
        line = of(entries, **wanted).lines
        name, digest = mark(canonical(line[2]))[2:-2].decode().split('@1","')
        line[2] = [f"{name}@1", digest]

    return forge


WORDS: dict[str, Forgery] = {
    "other words stand beside a mark": _other_words,
    "words that were removed are there again": _put_back,
    "a removal has no record": change("NoteRedacted", "entries", [], event="NoteRedacted"),
    "a removal is on record for another entry": change("NoteRedacted", "entries", [2], event="NoteRedacted"),
    "a note is marked as removed without a record": _marked(verb="note"),
    "a roll is marked as removed": _marked(event=ROLLED),
    "tokens are marked as removed": _marked(event="PoolGained"),
    "a mark stands in what is no note": lambda entries: _note(entries).public["intent"].update(verb="hide"),
}


def _face(entries: Entries) -> None:
    roll = of(entries, event=ROLLED).event(ROLLED)
    roll["dice"][0][1] = roll["dice"][0][1] % roll["dice"][0][0] + 1


def _copied(entries: Entries) -> None:
    """The last entry shows the first roll of the campaign once more: its place in the stream is used."""
    entries[-1].lines.append(
        deepcopy(next(line for line in of(entries, event=ROLLED, which=0).events if ROLLED in line[0]))
    )


def _more_dice(entries: Entries) -> None:
    roll = of(entries, event=ROLLED).event(ROLLED)
    roll["dice"].append(deepcopy(roll["dice"][0]))


def _left_out(event: str, name: str) -> Forgery:
    """A field of an event left out that may be: it says the same as before, with another hash."""
    return lambda entries: of(entries, event=event).event(event).pop(name)


def _with_odd_identity(entries: Entries) -> None:
    entries[0].event("CampaignStarted")["identity"] = "robin"
    del entries[2:]


def _moved_in(entries: Entries) -> None:
    """The last entry says what another campaign's says."""
    entries[-1].public["intent"]["params"] = {"who": "marian"}
    entries[-1].public["actor"] = entries[-1].event("PoolGained")["holder"] = "marian"


def _without_last(many: int) -> Forgery:
    return lambda entries: entries.__delitem__(slice(-many, None))


CLAIMS: dict[str, Forgery] = {
    "a die shows another face": _face,
    "a roll has another total": change(ROLLED, "total", by(3), event=ROLLED),
    "a roll is of another place in the stream": lambda entries: (
        of(entries, event=ROLLED).event(ROLLED)["sources"][0][3].__setitem__(3, 8)
    ),
    "a roll is shown once more in another entry": _copied,
    "a roll has a die that comes from nowhere": _more_dice,
    "a roll comes from more dice than it has": lambda entries: (
        of(entries, event=ROLLED).event(ROLLED)["sources"][0].__setitem__(1, 9)
    ),
    "a roll does not say whether it was secret": _left_out(ROLLED, "secret"),
    "a roll does not say how often it was asked for": _left_out(ROLLED, "repeat"),
    "a reveal does not say of which dice": _left_out("DiceRevealed", "screen"),
    "a note has no salt": _left_out("NoteWritten", "salt"),
    "of a campaign with an odd identity all but the beginning is cut off": _with_odd_identity,
    "a session has committed to what is no digest": change(OPENED, "commit_table", "x", event=OPENED),
    "another seed is revealed": change("DiceRevealed", "seed", "00" * 32, event="DiceRevealed"),
    "another number of rolls is counted": change("SessionClosed", "counts", [[False, 0, 1, 9]], event="SessionClosed"),
    "somebody set out to do something else": lambda entries: entries[-1].public["intent"].update(verb="spend-token"),
    "another seat did it": change("public", "seat", "mira", kind=TAKEN),
    "it was done at another time": change("public", "at", by(1), kind=TAKEN, which=5),
    "it was done for another reason": change("public", "reason", "out of spite", kind=UNDONE),
    "everybody sees what was the GM's": drop("public", "visibility", verb="note", which=-3),
    "a token more was gained": change("PoolGained", "amount", by(1), event="PoolGained"),
    "a note says something else": change("NoteWritten", "text", "to be read by nobody", event="NoteWritten"),
    "who removed words is another": change("public", "seat", "mira", verb="redact"),
    "a removed note was written at another time": change("public", "at", by(60), verb="note", which=0),
    "a removed note was written by somebody else": change("public", "seat", "Ana", verb="note", which=0),
    "the last entry is what another campaign's was": _moved_in,
    "the last entry is cut off": _without_last(1),
    "the last nine entries are cut off": _without_last(9),
    "all but the first entry is cut off": lambda entries: entries.__delitem__(slice(1, None)),
}

FORGERIES = {**NUMBERS, **SHAPES, **WORDS, **CLAIMS}
