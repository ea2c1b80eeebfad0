"""An entry as a sentence: who did what, and the outcome; the dice apart.

It follows from the entry and the words that its verb gives. The log, cards, the chronicle and the vault all take it
from here. A verb whose ruleset is not installed appears by its name, so no ruleset is needed.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import attrs

from rollbook.domain import events
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.domain.base.seat_words import NO_NAME
from rollbook.domain.dice.record import IMPORTED
from rollbook.domain.entries import Entry
from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import MAX_HP
from rollbook.domain.state.sealing import NOTHING
from rollbook.projections.acts import Act, Names, act_of, is_own, own_check
from rollbook.projections.called_by_name import with_people
from rollbook.projections.outcomes import Phrase, arrival_of, is_brought, is_told, joined, named, phrases, signed
from rollbook.projections.phrases import key, sentence
from rollbook.projections.roll_lines import roll_text

NO_RULES = Rulebook({})
"""A rulebook without rulesets, in whose sentences verbs appear by their names."""
CONDITIONS = (events.ConditionBegan, events.ConditionEnded)


class LogText(NamedTuple):
    """A line of the log; ``who`` and ``what`` form a sentence. ``success`` is 1 for ✓, -1 for ✗, 0 with no check."""

    who: str = ""
    what: str = ""
    dice: str = ""
    result: str = ""
    success: int = 0
    actors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The sentence with its outcome."""
        return sentence(self.who, self.what, self.result)


@attrs.frozen
class Teller(Record):
    """Writer of log lines: ``names`` are the characters' by id, ``seats`` new names of seats.

    ``rulebook`` has the sentences of verbs and the words of conditions. For characters ``in_words``, no number of hit
    points is given.
    """

    names: Names
    rulebook: Rulebook = NO_RULES
    in_words: Collection[str] = ()
    seats: Mapping[str, str] = NOTHING

    def person(self, seat: SeatName) -> str:
        """The name that a person has by now."""
        return self.seats.get(seat, seat)

    def act(self, entry: Entry) -> Act:
        """The subject and predicate of an entry; only the subject of one that undoes or redoes."""
        if not entry.is_outcome:
            act = Act(self.names.get(entry.actor) or entry.seat, "")
        else:
            act = arrival_of(entry.events, self.names) or act_of(entry, self.names, self.rulebook.words(entry))
        return act._replace(who=self.seats[act.who]) if act.who == entry.seat and act.who in self.seats else act

    def worded(self, entry: Entry) -> Entry:
        """The entry, in whose events people have the names of today, and conditions the words of the rules."""
        entry = with_people(entry, self.seats)
        words = condition_words(entry, self.rulebook)
        if not words:
            return entry
        said = (
            attrs.evolve(event, condition=words.get(event.condition, event.condition))
            if isinstance(event, CONDITIONS)
            else event
            for event in entry.events
        )
        return entry._replace(events=tuple(said))

    def text(self, entry: Entry) -> LogText:
        """The log line of an entry."""
        entry = self.worded(entry)
        act, names, check = self.act(entry), self.names, own_check(entry)
        rolls = [event for event in entry.events if isinstance(event, DiceRolled)]
        dice = [_whose(rolls, roll, names, actor=entry.actor) + said for roll in rolls if (said := roll_text(roll))]
        actor, others = _actor_and_targets(entry, names)
        return LogText(
            who=act.who,
            what=act.what,
            dice="; ".join(dice),
            result=joined(_phrases(entry, act, names, self.in_words), act.who),
            success=0 if check is None else 1 if check.success else -1,
            actors=(actor,) if actor else (),
            targets=others,
        )


def sentence_behind(entry: Entry, rulebook: Rulebook) -> str:
    """The words of a verb that the line of an entry is made of; "" where it is made without."""
    return rulebook.words(entry) if entry.is_outcome and not is_arrival(entry) else ""


def condition_words(entry: Entry, rulebook: Rulebook) -> dict[str, str]:
    """The words of the conditions that begin or end in an entry, by name: of those whose words are not their name."""
    names = [event.condition for event in entry.events if isinstance(event, CONDITIONS)]
    words = {name: rulebook.condition_words(entry.ruleset, name) for name in names}
    return {name: said for name, said in words.items() if said != name}


# Outcomes.


def _phrases(entry: Entry, act: Act, names: Names, in_words: Collection[str]) -> Iterator[Phrase]:
    """Yield the outcomes of an entry, without those that its sentence has already."""
    crossing = _crossing(entry.events)
    if crossing:
        yield from crossing
        return
    happened = (
        [event for event in entry.events if not is_brought(event, entry.events)] if is_arrival(entry) else entry.events
    )
    maxima = _maxima(happened, names, in_words) if entry.provenance == IMPORTED else {}
    rest = [event for event in happened if not _is_said_otherwise(event, act, maxima)]
    several = sum(isinstance(event, events.CheckResolved) and is_own(event, entry) for event in rest) > 1

    def check(event: events.CheckResolved) -> Phrase:
        return _check(event, entry, names, is_one_of_several=several)

    every = [phrase for phrase in phrases(rest, names, in_words, check) if phrase.text]
    yield from (phrase for phrase in every if not is_told(phrase, act))
    yield from maxima.values()
    if not (every or maxima or is_arrival(entry)):
        yield from (Phrase("", f"{roll.total}".replace("-", "−")) for roll in rest if isinstance(roll, DiceRolled))


def is_arrival(entry: Entry) -> bool:
    """True if a character joins in this entry."""
    return any(isinstance(event, events.CharacterJoined) for event in entry.events)


def _check(event: events.CheckResolved, entry: Entry, names: Names, *, is_one_of_several: bool) -> Phrase:
    """``17 against 15: hit``; for one of several, or another character's, also the check and its opponent."""
    came = f"{event.total} against {event.target}: {event.outcome or ('yes' if event.success else 'no')}"
    against = names.get(event.against, event.against)
    tried = f"{event.check} against {against}" if against else event.check
    if not is_own(event, entry):
        return Phrase("", f"{named(event.character, names)}’s {tried}: {came}")
    return Phrase("", f"{tried}: {came}" if is_one_of_several else came)


def _maxima(happened: Sequence[Event], names: Names, in_words: Collection[str]) -> dict[str, Phrase]:
    """The changes of maximum hit points in an imported entry, and of the hit points with them, by character.

    A new maximum moves the hit points too. A correction that keeps them in place would, alone, look like a loss.
    """
    grown: dict[str, int] = {}
    moved: dict[str, int] = {}
    for event in happened:
        if isinstance(event, events.StatChanged) and event.stat == MAX_HP and event.character not in in_words:
            grown[event.character] = grown.get(event.character, 0) + event.amount
        elif isinstance(event, events.HitPointsCorrected):
            moved[event.character] = moved.get(event.character, 0) + event.amount
    joined_ = {event.character for event in happened if isinstance(event, events.CharacterJoined)}
    return {
        who: Phrase(
            named(who, names),
            f"maximum {signed(more)} HP, "
            + (f"{signed(by)} HP" if (by := more + moved.get(who, 0)) else "hit points stay"),
        )
        for who, more in grown.items()
        if who in moved or who not in joined_
    }


def _is_said_otherwise(event: Event, act: Act, maxima: Collection[str]) -> bool:
    """True if an event is part of a new maximum, names who sits down, or only counts a use in the sentence: ``cast:sleep``."""
    if isinstance(event, events.HitPointsCorrected):
        return event.character in maxima
    if isinstance(event, events.SeatNamed):
        return act.who in (event.name, NO_NAME)
    if not isinstance(event, events.PoolGained):
        return False
    _, found, what = event.pool.partition(":")
    return bool(found) and key(what, {}) in act.what


def _crossing(recorded: Sequence[Event]) -> list[Phrase]:
    """A campaign's change of rules, in short: the sheets show the rest. Empty for any other entry."""
    adopted = [event for event in recorded if isinstance(event, events.RulesetAdopted)]
    aside = sum(isinstance(event, events.SheetSetAside) for event in recorded) if adopted else 0
    if not aside:
        return []
    return [
        Phrase("", f"by {adopted[0].ruleset} {adopted[0].version}"),
        Phrase("", f"{counted(aside, 'sheet')} converted"),
    ]


# Actor and targets.


def _actor_and_targets(entry: Entry, names: Names) -> tuple[str, tuple[str, ...]]:
    """The id of the actor, else of the first one affected, and the others: targets as intended, then those affected."""
    about: dict[str, None] = {}
    for value in entry.intent.params.values():
        if value.__class__ is str and value in names:
            about[value] = None
        elif value.__class__ is tuple:
            about.update((str(who), None) for who in value if who in names)
    befell = [event.character for event in entry.events if hasattr(event, "character")]
    known = [who for who in befell if who in names]
    about.update(dict.fromkeys(known))
    actor = entry.actor if entry.actor in names else next(iter(known), "")
    about.pop(actor, None)
    return actor, tuple(about)


def _whose(rolls: list[DiceRolled], roll: DiceRolled, names: Names, *, actor: str) -> str:
    """The roller of the dice, if several rolled or it is not the actor."""
    roller = roll.roller
    is_other = actor in names and roller in names and roller != actor
    several = is_other or (len(rolls) > 1 and any(each.roller != roller for each in rolls))
    level = " (tie)" if _breaks_tie(rolls, roll) else ""
    return f"{names.get(roller, roller)}{level} " if roller and several else ""


def _breaks_tie(rolls: list[DiceRolled], roll: DiceRolled) -> bool:
    """True for a second roll of initiative, or a purpose that names a tie."""
    if _TIE.search(roll.purpose):
        return True
    same = (each for each in rolls if (each.roller, each.purpose) == (roll.roller, roll.purpose))
    return roll.purpose == "initiative" and next(same) is not roll


_TIE = re.compile(r"\btied?\b")
