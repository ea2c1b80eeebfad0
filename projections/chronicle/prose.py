"""One entry as prose: who did what to whom, and how it came out. Its dice are for the margin.

Everything follows from the entry alone, whichever ruleset it was played by.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.entries import Entry
from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.rules.sentences import with_article
from rollbook.projections.acts import NOBODY, Act
from rollbook.projections.arrivals import is_brought
from rollbook.projections.chronicle.clauses import Clause, Names, clause, duration, is_fall
from rollbook.projections.chronicle.margin import dice_beside
from rollbook.projections.chronicle.numbers import listed
from rollbook.projections.chronicle.words import outcome
from rollbook.projections.log_lines import Teller, is_arrival
from rollbook.projections.outcomes import Phrase, is_told

LONGEST_REMARK = 160
"""Letters of a remark; the log has all of it."""
QUOTED = ("note",)
"""The verbs by which people speak: what they said stands by itself."""
_STORY = ("text", "complication", "what", "task", "reason", "why", "source", "personality")
"""Parameters in which people say in their own words what something was about."""
_OFF_STAGE = frozenset(
    ("begin-encounter", "end-encounter", "end-turn", "next-turn", "x-card", "after-x-card", "imported")
)
"""Verbs that no sentence begins with: a fight has its heading, and an X-card a line of its own."""


@attrs.frozen
class Prose:
    """What an entry says: the sentence ("" if nothing happened that is worth one), its dice, and who fell or rose by it."""

    text: str
    dice: tuple[str, ...]
    success: int
    fallen: tuple[str, ...]


def prose(entry: Entry, teller: Teller) -> Prose:
    """An entry in words: the sentence of the log, and what came of it as it is said in a book."""
    names, act = teller.names, teller.act(entry)
    checks = [event for event in entry.events if isinstance(event, events.CheckResolved)]
    rest = [clause for clause in _rest(_without_reasons(entry, act), checks, names) if not _is_told(clause, act)]
    clauses = [*_first(entry, act), *rest]
    if len(clauses) <= 1:
        clauses += _totals(entry, act, names)
    said = [_joined(group) for group in _grouped(_together(clauses))]
    said += list(_of_nobody(entry))
    text = "; ".join(said)
    return Prose(
        text=" ".join(filter(None, (_sentence(text + _story(entry, text)), *_remarks(entry)))),
        dice=tuple(dice_beside(entry, checks, names)),
        success=(1 if checks[0].success else -1) if len(checks) == 1 else 0,
        fallen=tuple(_falls(entry.events, names)),
    )


def _remarks(entry: Entry) -> Iterator[str]:
    """What the rules note while something is done; the words of a note itself are a quotation."""
    if entry.intent.verb not in QUOTED:
        for event in entry.events:
            if isinstance(event, events.NoteWritten):
                yield _sentence(_in_short(event.text, str(entry.intent.params.get("what", ""))))


def _in_short(text: str, title: str) -> str:
    """The beginning of a long text, such as a card that describes a spell, without the name that was said already."""
    words = " ".join(text.removeprefix(title).split()) if title else " ".join(text.split())
    return words if len(words) <= LONGEST_REMARK else f"{words[:LONGEST_REMARK].rsplit(' ', 1)[0]} …"


def _sentence(text: str) -> str:
    """With a capital and a full stop."""
    if not text:
        return ""
    said = " ".join(text.split())
    end = "" if said[-1:] in ".!?…”" else "."
    return f"{said[:1].upper()}{said[1:]}{end}"


# Who did what.


def _first(entry: Entry, act: Act) -> Iterator[Clause]:
    """What the one who acts sets out to do, in the words of the log."""
    if act.who != NOBODY and entry.intent.verb not in _OFF_STAGE:
        yield Clause(act.who, act.what)


# What came of it.


def _without_reasons(entry: Entry, act: Act) -> Entry:
    """An entry whose events give no reason that its sentence has given."""
    said = [
        attrs.evolve(event, **_NO_REASON) if (reason := getattr(event, "reason", "")) and reason in act.what else event
        for event in entry.events
    ]
    return entry._replace(events=tuple(said))


_NO_REASON: dict[str, Any] = {"reason": ""}


def _is_told(clause: Clause, act: Act) -> bool:
    return is_told(Phrase(clause.who, clause.one), act)


def _rest(entry: Entry, checks: list[events.CheckResolved], names: Names) -> Iterator[Clause]:
    arrival, moved = is_arrival(entry), set[str]()
    for event in entry.events:
        if _is_noise(event):
            continue
        if isinstance(event, events.CheckResolved):
            yield from _check(event, entry, checks, names)
        elif isinstance(event, events.Moved):
            if event.character not in moved and not arrival and not (_moves(entry) and event.character == entry.actor):
                moved.add(event.character)
                yield Clause(names.get(event.character, event.character), "moves", "move")
        elif is_fall(event) or (arrival and is_brought(event)):
            continue
        elif (said := clause(event, names)) is not None:
            yield said


def _moves(entry: Entry) -> bool:
    return entry.intent.verb == "move"


def _totals(entry: Entry, act: Act, names: Names) -> Iterator[Clause]:
    """What was rolled, where nothing else is known of how it came out."""
    if not entry.actor or any(isinstance(event, events.CheckResolved) for event in entry.events):
        return
    verb = "gets" if act.what.startswith("rolls") else "rolls"
    for event in entry.events:
        if isinstance(event, DiceRolled) and event.roller == entry.actor:
            yield Clause(names.get(event.roller, event.roller), f"{verb} {event.total}".replace("-", "−"))


def _is_noise(event: Event) -> bool:
    """Whether an importer only notes by it what there was already."""
    return isinstance(event, events.PoolGained) and event.reason == "as recorded"


def _check(
    check: events.CheckResolved, entry: Entry, checks: list[events.CheckResolved], names: Names
) -> Iterator[Clause]:
    came = outcome(check.outcome, success=check.success)
    who = names.get(check.character, check.character) or "the GM"
    own = check.character == entry.actor
    against = names.get(check.against, check.against)
    whom = f" against {against}" if against else ""
    if own and len(checks) > 1 and _is_the_attack(entry, check):
        yield Clause(who, f"{came}{whom}")
        return
    if not own or len(checks) > 1:
        yield Clause(who, f"tries {with_article(check.check)}{whom}")
    yield Clause(who, came)


def _is_the_attack(entry: Entry, check: events.CheckResolved) -> bool:
    """Whether it is one of the rolls of somebody who attacks several, and not a roll for something else on the way."""
    named = [value.casefold() for value in entry.intent.params.values() if isinstance(value, str)]
    return check.check.casefold() in ("attack", "spell attack", *named)


def _together(clauses: list[Clause]) -> list[Clause]:
    """The same of several in a row as one clause."""
    found: list[Clause] = []
    for same, several in groupby(clauses, key=lambda each: (each.one, each.many) if each.many else id(each)):
        who = list(dict.fromkeys(each.who for each in several))
        first = next(each for each in clauses if ((each.one, each.many) if each.many else id(each)) == same)
        found.append(Clause(listed(who), first.one if len(who) == 1 else first.many))
    return found


def _grouped(clauses: Iterable[Clause]) -> list[list[Clause]]:
    """Neighbours of one subject."""
    found: list[list[Clause]] = []
    for each in clauses:
        if found and found[-1][0].who == each.who:
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _joined(group: list[Clause]) -> str:
    """``Robin attacks the guard, hits and gains 1 token``."""
    return f"{group[0].who} {listed([each.one for each in group])}"


def _of_nobody(entry: Entry) -> Iterator[str]:
    """What happens to the whole table."""
    for event in entry.events:
        if isinstance(event, events.TimePassed) and event.seconds >= _A_MINUTE:
            stretch = duration(event.seconds)
            yield f"{stretch} {'passes' if stretch.startswith('1 ') else 'pass'}"
        elif isinstance(event, events.RulesetAdopted):
            yield f"from here on the game is {event.ruleset} {event.version}"
        elif isinstance(event, events.EntriesRevealed):
            yield "what was hidden from the table is revealed"
        elif isinstance(event, events.NoteRedacted):
            yield "the words of a note are removed for good"


_A_MINUTE = 60


def _story(entry: Entry, text: str) -> str:
    """What it was about, in somebody's own words, if that was not said yet."""
    words = [entry.reason if not entry.is_correction else ""]
    words += [value for name in _STORY if isinstance(value := entry.intent.params.get(name), str)]
    noted = [event.text for event in entry.events if isinstance(event, events.NoteWritten)]
    for each in words:
        if each and text and each not in text and each not in noted:
            return f": {each}"
    return ""


def _falls(recorded: Iterable[Event], names: Names) -> Iterator[str]:
    for event in recorded:
        if isinstance(event, events.ConditionBegan) and is_fall(event):
            yield f"{names.get(event.character, event.character)} is {event.condition}"
