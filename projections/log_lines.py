"""One entry as a line of text: who, what, the dice small, the result big.

It follows from the events alone, so it needs no ruleset and reads the same in ten years.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple, cast

from domain import events
from domain.counted import counted
from domain.dice.place import RollCount
from domain.dice.record import IMPORTED
from domain.entries import Entry
from domain.events import DiceRolled, Event
from domain.plain_sheet import MAX_HP
from domain.records import field_names
from domain.state import NOTHING
from projections.roll_lines import roll_text

Names = Mapping[str, str]


class LogText(NamedTuple):
    """A line of the log. ``success`` is 1 for ✓, -1 for ✗, 0 where nothing was at stake."""

    who: str = ""
    what: str = ""
    dice: str = ""
    result: str = ""
    success: int = 0
    actors: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class _Places(NamedTuple):
    """Where among the events of an entry is what its line needs: checks, rolls, what is said, and what is about a character."""

    checks: tuple[int, ...]
    rolls: tuple[int, ...]
    said: tuple[int, ...]
    about: tuple[int, ...]
    has_adoption: bool
    has_maximum: bool


@lru_cache(maxsize=4_096)
def _places(kinds: tuple[type[Event], ...]) -> _Places:
    """The places for kinds of events; the same few sequences of them come again and again."""

    def where(wanted: Callable[[type[Event]], bool]) -> tuple[int, ...]:
        return tuple(place for place, kind in enumerate(kinds) if wanted(kind))

    return _Places(
        checks=where(lambda kind: kind is events.CheckResolved),
        rolls=where(lambda kind: kind is DiceRolled),
        said=where(_PHRASES.__contains__),
        about=where(lambda kind: "character" in field_names(kind)),
        has_adoption=events.RulesetAdopted in kinds,
        has_maximum=events.StatChanged in kinds,
    )


_CHARACTER: Callable[[Event], str] = attrgetter("character")


def describe(entry: Entry, names: Names, in_words: Collection[str] = (), seats: Mapping[str, str] = NOTHING) -> LogText:
    """What an entry says. ``names`` are the characters' names by id; of those ``in_words`` no number of hit points is said.

    ``seats`` are people's other names.
    """
    recorded = entry.events
    places = _places(tuple([event.__class__ for event in recorded]))
    checks = cast("list[events.CheckResolved]", [recorded[place] for place in places.checks])
    rolls = cast("list[DiceRolled]", [recorded[place] for place in places.rolls])
    befell = [_CHARACTER(recorded[place]) for place in places.about]
    several = len(checks) > 1 and len({check.character for check in checks}) > 1
    several = several or _is_answered(entry, checks, names)
    maxima = _maxima(recorded, in_words) if places.has_maximum and entry.provenance == IMPORTED else {}
    phrases = (places.has_adoption and _crossing(recorded)) or [
        *(
            _phrase(recorded[place], names, several=several, in_words=in_words)
            for place in places.said
            if not (maxima and _is_of_maximum(recorded[place], maxima))
        ),
        *(f"{names.get(who, who)}: {said}" for who, said in maxima.items()),
    ]
    actor, others = _actor_and_targets(entry, names, befell)
    return LogText(
        who=_who(entry, names, befell) or seats.get(entry.seat, entry.seat),
        what=_what(entry.intent.verb, checks, names),
        dice="; ".join(
            [_whose(rolls, roll, names, actor=entry.actor) + dice for roll in rolls if (dice := roll_text(roll))]
        ),
        result="; ".join(filter(None, phrases)),
        success=_success(checks),
        actors=(actor,) if actor else (),
        targets=others,
    )


def _maxima(recorded: tuple[Event, ...], in_words: Collection[str]) -> dict[str, str]:
    """What became of the maximum of somebody's hit points in an imported entry, and of the hit points, by character.

    A maximum takes the hit points along. A correction that holds them back would, alone, look like hit points that were lost.
    """
    grown: dict[str, int] = {}
    moved: dict[str, int] = {}
    for event in recorded:
        if isinstance(event, events.StatChanged) and event.stat == MAX_HP and event.character not in in_words:
            grown[event.character] = grown.get(event.character, 0) + event.amount
        elif isinstance(event, events.HitPointsCorrected):
            moved[event.character] = moved.get(event.character, 0) + event.amount
    joined = {event.character for event in recorded if isinstance(event, events.CharacterJoined)}
    return {
        who: f"maximum {_signed(more)} HP, "
        + (f"{_signed(by)} HP" if (by := more + moved.get(who, 0)) else "hit points stay")
        for who, more in grown.items()
        if who in moved or who not in joined
    }


def _is_of_maximum(event: Event, maxima: Mapping[str, str]) -> bool:
    """Whether an event is said with the maximum that it belongs to."""
    return isinstance(event, events.HitPointsCorrected) and event.character in maxima


def _signed(amount: int) -> str:
    return f"{amount:+d}".replace("-", "−")


def _crossing(recorded: tuple[Event, ...]) -> list[str]:
    """A whole campaign that changes its rules, in short: the sheets say the rest. Nothing for any other entry."""
    adopted = [event for event in recorded if event.__class__ is events.RulesetAdopted]
    aside = sum(isinstance(event, events.SheetSetAside) for event in recorded) if adopted else 0
    if not aside:
        return []
    return [_phrase(adopted[0], {}), f"{counted(aside, 'sheet')} converted"]


def _actor_and_targets(entry: Entry, names: Names, befell: list[str]) -> tuple[str, tuple[str, ...]]:
    """Who acted, by id, or else whom it befell first; and everybody else whom it was about: as meant, then whom it befell."""
    about: dict[str, None] = {}
    for value in entry.intent.params.values():
        if value.__class__ is str and value in names:
            about[value] = None
        elif value.__class__ is tuple:
            about.update((str(who), None) for who in value if who in names)
    known = [who for who in befell if who in names]
    about.update(dict.fromkeys(known))
    actor = entry.actor if entry.actor in names else next(iter(known), "")
    about.pop(actor, None)
    return actor, tuple(about)


def _who(entry: Entry, names: Names, befell: list[str]) -> str:
    """Who a line is about, "" for who did it: if the same thing befell several characters, or it is about none."""
    if entry.actor in names:
        return names[entry.actor]
    if not entry.is_outcome:
        rollers = {event.roller for event in entry.events if isinstance(event, DiceRolled)}
        if len(rollers) == 1 and rollers <= names.keys():
            return names[rollers.pop()]
    for event in entry.events:
        who = getattr(event, "roller", "") or getattr(event, "character", "")
        if who in names:
            return names[who] if befell.count(who) == len(befell) else ""
    return ""


def _what(verb: str, checks: list[events.CheckResolved], names: Names) -> str:
    said = verb.replace("-", " ")
    if len(checks) == 1:
        check = checks[0]
        against = names.get(check.against, check.against)
        what = said if said == check.check else f"{said}: {check.check}"
        return f"{what} against {against}" if against else what
    return said


def _is_answered(entry: Entry, checks: list[events.CheckResolved], names: Names) -> bool:
    """Whether somebody other than the one who acts rolled, as an enemy does who takes an opening: then it is said who."""
    return entry.actor in names and any(check.character not in ("", entry.actor) for check in checks)


def _success(checks: list[events.CheckResolved]) -> int:
    if len(checks) != 1:
        return 0
    return 1 if checks[0].success else -1


def _whose(rolls: list[DiceRolled], roll: DiceRolled, names: Names, *, actor: str) -> str:
    """Whose dice they are, where several rolled, or another character than the one who acts."""
    roller = roll.roller
    is_other = actor in names and roller in names and roller != actor
    several = is_other or (len(rolls) > 1 and any(each.roller != roller for each in rolls))
    level = " (tie)" if _breaks_tie(rolls, roll) else ""
    return f"{names.get(roller, roller)}{level} " if roller and several else ""


def _breaks_tie(rolls: list[DiceRolled], roll: DiceRolled) -> bool:
    """Whether a roll of initiative comes once more, or says that it breaks a tie."""
    if _TIE.search(roll.purpose):
        return True
    same = (each for each in rolls if (each.roller, each.purpose) == (roll.roller, roll.purpose))
    return roll.purpose == "initiative" and next(same) is not roll


_TIE = re.compile(r"\btied?\b")


_Phrase = Callable[[Any, str], str]

_MATTERS = {"zone": "days and hours in"}

_SETTLED: dict[str, str] = {
    "stream": "from the stream",
    "physical": "real, typed in",
    "either": "from the stream or real",
    "gm": "only behind the screen",
    "open": "allowed",
}
"""What a table agreed on about dice, in words."""

_GOES_ON = {
    "resume": "the scene goes on",
    "skip": "the scene is passed over",
    "adjust": "the scene goes on in another way",
    "rewind": "the scene is undone and played again",
}
"""How a table goes on after an X-card, in words."""

_PHRASES: dict[type[Event], _Phrase] = {
    events.CampaignStarted: lambda e, who: f"the campaign {e.name} begins",
    events.RulesetAdopted: lambda e, who: f"by {e.ruleset} {e.version}",
    events.SeatTaken: lambda e, who: f"{e.seat} sits down as {e.role}",
    events.SeatLeft: lambda e, who: f"{e.seat} leaves the table",
    events.SeatRenamed: lambda e, who: f"{e.seat} is called {e.name} from now on",
    events.SessionOpened: lambda e, who: f"session {e.session} begins" + (f": {e.title}" if e.title else ""),
    events.EntropyAdded: lambda e, who: f"mixes in “{e.text}”",
    events.SessionClosed: lambda e, who: f"session {e.session} ends",
    events.DiceRevealed: lambda e, who: f"session {e.session}’s {'secret' if e.screen else 'open'} dice are revealed",
    events.ScreenCounted: lambda e, who: f"{_rolls(e.counts)} fell behind the screen in session {e.session}",
    events.FreshDiceGranted: lambda e, who: f"may be rolled again: {e.why}",
    events.TableAgreed: lambda e, who: (
        f"agreed: {_MATTERS.get(e.matter, e.matter)}{f' of {e.seat}' if e.seat else ''} {_SETTLED.get(e.value, e.value)}"
    ),
    events.SceneFramed: lambda e, who: e.title,
    events.NoteWritten: lambda e, who: e.text or "(its words were removed)",
    events.NoteRedacted: lambda e, who: f"the words of #{e.action} are removed for good",
    events.EntriesRevealed: lambda e, who: f"what was hidden from the table is revealed ({_entries(e.entries)})",
    events.CharacterHidden: lambda e, who: f"{who} is hidden from the table",
    events.CharacterRevealed: lambda e, who: f"{who} comes into the open",
    events.XCardRaised: lambda e, who: "the X-card is raised; the scene pauses",
    events.XCardAnswered: lambda e, who: _GOES_ON.get(e.how, e.how),
    events.RulingMade: lambda e, who: f"ruling: {e.reason}" if e.reason else "ruling",
    events.TimePassed: lambda e, who: f"{_duration(e.seconds)} pass" if e.seconds else "",
    events.CharacterJoined: lambda e, who: f"{e.name if who == e.character else who} joins",
    events.CharacterRenamed: lambda e, who: f"{e.character} is called {e.name} from now on",
    events.CharacterLeft: lambda e, who: f"{who} leaves" + (f" ({e.reason})" if e.reason else ""),
    events.ControlPassed: lambda e, who: f"{who} is played by {e.seat or 'the GM'}",
    events.Moved: lambda e, who: f"{who} moves" + (f" {e.cost}" if e.cost else ""),
    events.CheckResolved: lambda e, who: f"{e.total} against {e.target}: {e.outcome or ('yes' if e.success else 'no')}",
    events.DamageTaken: lambda e, who: f"{who} −{e.amount} HP",
    events.HitPointsRestored: lambda e, who: f"{who} +{e.amount} HP",
    events.HitPointsCorrected: lambda e, who: f"{who} {e.amount:+d} HP, corrected",
    events.ConditionBegan: lambda e, who: f"{who} is {e.condition}",
    events.ConditionEnded: lambda e, who: f"{who} is no longer {e.condition}",
    events.PoolGained: lambda e, who: f"{who} +{e.amount} {e.pool}",
    events.PoolSpent: lambda e, who: f"{who} −{e.amount} {e.pool}" + (f" ({e.reason})" if e.reason else ""),
    events.PoolBecame: lambda e, who: f"{who}: {e.pool} {e.amount}",
    events.ExperienceAwarded: lambda e, who: f"{who} +{e.amount:,} XP",
    events.LevelGained: lambda e, who: f"{who} {'gains' if e.levels > 0 else 'loses'} a level",
    events.ChoiceOffered: lambda e, who: f"{who} may choose: {e.choice}",
    events.ChoiceMade: lambda e, who: f"{who} chooses {e.picked}",
    events.GearGained: lambda e, who: f"{who} gets {_many(e)}" if e.count else "",
    events.SheetSetAside: lambda e, who: f"{who}’s sheet of {e.ruleset} is set aside",
    events.SheetTakenUp: lambda e, who: f"{who} takes the sheet of {e.ruleset} up again",
    events.GearLost: lambda e, who: f"{who} loses {_many(e)}",
    events.EncounterBegan: lambda e, who: "an encounter begins" + (f": {e.title}" if e.title else ""),
    events.EncounterEnded: lambda e, who: "the encounter is over",
    events.RoundBegan: lambda e, who: "a new round",
    events.TurnBegan: lambda e, who: f"{who}’s turn",
}
"""How each kind of event is said of the character that it is about; the kinds that are not here are details of others."""


def _phrase(event: Event, names: Names, *, several: bool = False, in_words: Collection[str] = ()) -> str:
    """What an event says; of ``several`` who rolled, each result names whose it is."""
    about: str = getattr(event, "character", "") or getattr(event, "holder", "")
    phrase = (_WORDED.get(event.__class__) if about in in_words else None) or _PHRASES[event.__class__]
    who = names.get(about, about) or "GM"
    said = phrase(event, who)
    return f"{who}: {said}" if several and isinstance(event, events.CheckResolved) else said


_WORDED: dict[type[Event], Callable[[Any, str], str]] = {
    events.DamageTaken: lambda e, who: f"{who} loses hit points",
    events.HitPointsRestored: lambda e, who: f"{who} regains hit points",
    events.HitPointsCorrected: lambda e, who: f"hit points of {who} corrected",
}
"""What is said of somebody whose hit points are in words."""


def _rolls(counts: Sequence[RollCount]) -> str:
    return counted(sum(count.rolls for count in counts), "roll")


def _entries(numbers: tuple[int, ...]) -> str:
    return f"{'entry' if len(numbers) == 1 else 'entries'} {', '.join(f'@{number}' for number in numbers)}"


def _many(event: events.GearGained | events.GearLost) -> str:
    return f"{event.count} × {event.item}" if event.count > 1 else event.item


def _duration(seconds: int) -> str:
    units = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next(each for each in units if seconds % each[0] == 0)
    return counted(seconds // size, unit)
