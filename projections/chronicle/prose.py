"""An entry as prose: who did what to whom, and the outcome. Its dice are for the margin.

Everything follows from the entry alone, whichever ruleset it was played by.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any

import attrs

from rollbook.domain import events
from rollbook.domain.entries import Entry
from rollbook.domain.events import DiceRolled
from rollbook.domain.rules.sentences import with_article
from rollbook.projections.acts import NOBODY, Act, Names
from rollbook.projections.chronicle.clauses import Clause, clause, is_fall
from rollbook.projections.log_lines import Teller, is_arrival
from rollbook.projections.outcomes import Phrase, is_brought, is_told, passes
from rollbook.projections.phrases import listed
from rollbook.projections.roll_lines import roll_text

_OUTCOMES: Mapping[str, str] = {
    "hit": "hits",
    "miss": "misses",
    "success": "succeeds",
    "yes": "succeeds",
    "failure": "fails",
    "no": "fails",
    "saved": "holds out",
    "not saved": "does not hold out",
    "fumble": "fumbles",
    "critical success": "succeeds brilliantly",
    "critical failure": "fails badly",
    "natural 20": "hits with a natural 20",
    "natural 1": "misses with a natural 1",
}


def outcome(word: str, *, success: bool) -> str:
    """The verb for an outcome: "hits", "fails badly"."""
    known = _OUTCOMES.get(word)
    if known:
        return known
    came = "succeeds" if success else "fails"
    return f"{came} ({word})" if word else came


_MINUS = re.compile(r"(?<!\w)-(?=[ \d(a-z])")


def dice_beside(entry: Entry, checks: list[events.CheckResolved], names: Names) -> Iterator[str]:
    """Yield a line for each roll: the roller if several rolled, the dice as they lay, and the target of its check."""
    waiting = list(checks)
    rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
    several = len({roll.roller for roll in rolls}) > 1
    for roll in rolls:
        lay = _MINUS.sub("−", roll_text(roll))
        if lay:
            met = _met(roll, waiting)
            is_said = roll.roller and (several or roll.roller != entry.actor)
            whose = f"{names.get(roll.roller, roll.roller)} " if is_said else ""
            yield f"{whose}{lay}{f' against {met.target}' if met is not None else ''}"


def _met(roll: DiceRolled, waiting: list[events.CheckResolved]) -> events.CheckResolved | None:
    """Take the check that a roll decided out of the waiting ones; None if there is none."""
    found = next((check for check in waiting if check.character == roll.roller and check.total == roll.total), None)
    if found is not None:
        waiting.remove(found)
    return found


LONGEST_REMARK = 160
"""Most letters of a remark; the log has all of it."""
QUOTED = ("note", "say", "whisper", "handout")
"""Verbs of speech: their words become a quotation of their own."""
_STORY = ("text", "complication", "what", "task", "reason", "why", "source", "personality")
"""Parameters with a person's own words about the action."""
_OFF_STAGE = frozenset(
    (
        "begin-encounter",
        "end-encounter",
        "end-turn",
        "next-turn",
        "x-card",
        "after-x-card",
        "withdraw-x-card",
        "imported",
    )
)
"""Verbs that begin no sentence: a fight has its heading, and an X-card a line of its own."""


@attrs.frozen
class Prose:
    """Prose of an entry: the sentence ("" if nothing in it is worth one), its dice, and lines about those who fell."""

    text: str
    dice: tuple[str, ...]
    success: int
    fallen: tuple[str, ...]


def prose(entry: Entry, teller: Teller) -> Prose:
    """Write an entry as prose: the sentence of the log, and its outcome in full words."""
    entry = teller.worded(entry)
    names, act = teller.names, teller.act(entry)
    checks = [event for event in entry.events if isinstance(event, events.CheckResolved)]
    rest = [
        each
        for each in _rest(_without_reasons(entry, act), checks, names)
        if not is_told(Phrase(each.who, each.one), act)
    ]
    begins = act.who != NOBODY and entry.intent.verb not in _OFF_STAGE
    clauses = [Clause(act.who, act.what), *rest] if begins else rest
    if len(clauses) <= 1:
        clauses += _totals(entry, act, names)
    groups = (list(group) for _, group in groupby(_together(clauses), key=lambda each: each.who))
    said = [f"{group[0].who} {listed([each.one for each in group], len(group))}" for group in groups]
    said += _of_nobody(entry)
    text = "; ".join(said)
    return Prose(
        text=" ".join(filter(None, (_sentence(text + _story(entry, text)), *_remarks(entry)))),
        dice=tuple(dice_beside(entry, checks, names)),
        success=(1 if checks[0].success else -1) if len(checks) == 1 else 0,
        fallen=tuple(
            f"{names.get(event.character, event.character)} is {event.condition}"
            for event in entry.events
            if isinstance(event, events.ConditionBegan) and is_fall(event)
        ),
    )


def _remarks(entry: Entry) -> Iterator[str]:
    """Yield the notes that rules add to an action; the words of a note verb are a quotation instead."""
    if entry.intent.verb not in QUOTED:
        for event in entry.events:
            if isinstance(event, events.NoteWritten):
                yield _sentence(_in_short(event.text, str(entry.intent.params.get("what", ""))))


def _in_short(text: str, title: str) -> str:
    """The beginning of a long text, such as the card of a spell, without the title, which the sentence has already."""
    words = " ".join(text.removeprefix(title).split()) if title else " ".join(text.split())
    return words if len(words) <= LONGEST_REMARK else f"{words[:LONGEST_REMARK].rsplit(' ', 1)[0]} …"


def _sentence(text: str) -> str:
    if not text:
        return ""
    said = " ".join(text.split())
    end = "" if said[-1:] in ".!?…”" else "."
    return f"{said[:1].upper()}{said[1:]}{end}"


# Outcomes.


def _without_reasons(entry: Entry, act: Act) -> Entry:
    """The entry, its events without a reason that its sentence gives already."""
    said = [
        attrs.evolve(event, **_NO_REASON) if (reason := getattr(event, "reason", "")) and reason in act.what else event
        for event in entry.events
    ]
    return entry._replace(events=tuple(said))


_NO_REASON: dict[str, Any] = {"reason": ""}


def _rest(entry: Entry, checks: list[events.CheckResolved], names: Names) -> Iterator[Clause]:
    arrival, moved = is_arrival(entry), set[str]()
    for event in entry.events:
        if isinstance(event, events.PoolGained) and event.reason == "as recorded":
            continue  # an importer only notes what there was already
        if isinstance(event, events.CheckResolved):
            yield from _check(event, entry, checks, names)
        elif isinstance(event, events.Moved):
            is_said = entry.intent.verb == "move" and event.character == entry.actor
            if event.character not in moved and not arrival and not is_said:
                moved.add(event.character)
                yield Clause(names.get(event.character, event.character), "moves", "move")
        elif is_fall(event) or (arrival and is_brought(event, entry.events)):
            continue
        elif (said := clause(event, names)) is not None:
            yield said


def _totals(entry: Entry, act: Act, names: Names) -> Iterator[Clause]:
    """Yield the totals of the actor's rolls, if no check gives an outcome."""
    if not entry.actor or any(isinstance(event, events.CheckResolved) for event in entry.events):
        return
    verb = "gets" if act.what.startswith("rolls") else "rolls"
    for event in entry.events:
        if isinstance(event, DiceRolled) and event.roller == entry.actor:
            yield Clause(names.get(event.roller, event.roller), f"{verb} {event.total}".replace("-", "−"))


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
    """True for a check of an attack on several targets, false for another check on the way."""
    named = [value.casefold() for value in entry.intent.params.values() if isinstance(value, str)]
    return check.check.casefold() in ("attack", "spell attack", *named)


def _together(clauses: list[Clause]) -> list[Clause]:
    found: list[Clause] = []
    for _, several in groupby(clauses, key=lambda each: (each.one, each.many) if each.many else id(each)):
        first, *others = several
        who = list(dict.fromkeys(each.who for each in (first, *others)))
        found.append(Clause(listed(who, len(who)), first.one if len(who) == 1 else first.many))
    return found


def _of_nobody(entry: Entry) -> Iterator[str]:
    for event in entry.events:
        if isinstance(event, events.TimePassed) and event.seconds >= _A_MINUTE:
            yield passes(event.seconds)
        elif isinstance(event, events.RulesetAdopted):
            yield f"from here on the game is {event.ruleset} {event.version}"
        elif isinstance(event, events.EntriesRevealed):
            yield "what was hidden from the table is revealed"
        elif isinstance(event, events.NoteRedacted):
            yield "the words of a note are removed for good"


_A_MINUTE = 60


def _story(entry: Entry, text: str) -> str:
    """The person's own words about the action, if the text does not have them yet."""
    words = [entry.reason if not entry.is_correction else ""]
    words += [value for name in _STORY if isinstance(value := entry.intent.params.get(name), str)]
    noted = [event.text for event in entry.events if isinstance(event, events.NoteWritten)]
    for each in words:
        if each and text and each not in text and each not in noted:
            return f": {each}"
    return ""
