"""Outcomes of an entry, event by event: the subject of each, and its words.

Several events of one kind about one character are joined, and so are the same words about several characters.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rollbook.domain import events
from rollbook.domain.base.number_words import counted
from rollbook.domain.events import CharacterJoined, Event
from rollbook.domain.rules.sentences import with_article
from rollbook.projections.acts import Act, Names, subject_of
from rollbook.projections.phrases import grouped, key, listed, people
from rollbook.projections.phrases import in_words as number_in_words

BROUGHT = (
    *(events.CharacterJoined, events.GearGained, events.GearLost, events.LevelGained),
    *(events.PoolBecame, events.PoolGained, events.ExperienceAwarded, events.Moved),
)
"""Kinds of events that a newcomer brings along: they are in the sentence, or on the sheet."""


def arrival_of(happened: Sequence[Event], names: Names) -> Act | None:
    """The sentence of the characters who join in these events; None if none does."""
    arrived = [event for event in happened if isinstance(event, CharacterJoined)]
    if not arrived:
        return None
    who = [names.get(event.character, event.name) for event in arrived]
    if len(arrived) == 1:
        level = sum(event.levels for event in happened if isinstance(event, events.LevelGained))
        gear = things([event for event in happened if isinstance(event, events.GearGained)], _thing)
        brings = (f" at level {level}" if level > 0 else "") + (f" with {gear}" if gear else "")
        by = f", played by {arrived[0].seat}" if arrived[0].seat else ""
        return Act(who[0], f"comes in{by}{',' if by and brings else ''}{brings}")
    together = people(who)
    group = grouped(who)
    return Act(together[:1].upper() + together[1:] if len(group) == 1 else together, "join")


def is_brought(event: Event, among: Iterable[Event] = ()) -> bool:
    """True for an event that a newcomer brings along: also a choice that is offered and made ``among`` the same events."""
    if isinstance(event, (events.ChoiceOffered, events.ChoiceMade)):
        other = events.ChoiceMade if isinstance(event, events.ChoiceOffered) else events.ChoiceOffered
        return any(isinstance(each, other) and _choice(each) == _choice(event) for each in among)
    return isinstance(event, BROUGHT)


def _choice(event: events.ChoiceOffered | events.ChoiceMade) -> tuple[str, str]:
    return event.character, event.choice


def _thing(gained: events.GearGained) -> str:
    """The name of a thing; a weapon has an article, unless it is plural or a proper name."""
    is_one = gained.use[:1] == ("weapon",) and not gained.item.endswith("s")
    return with_article(gained.item) if is_one and gained.item[:1] != gained.item[:1].upper() else gained.item


FEW_THINGS = 2
"""Most things that are all named; of more, one is named and the rest counted."""


class Phrase(NamedTuple):
    """A subject and its predicate: ``text`` follows the name in ``who``, "" if it is about no one in particular."""

    who: str
    text: str

    @property
    def whole(self) -> str:
        """The text with its subject."""
        return f"{self.who} {self.text}" if self.who else self.text


_MATTERS = {"zone": "days and hours in"}

_SETTLED: dict[str, str] = {
    "stream": "from the stream",
    "physical": "real, typed in",
    "either": "from the stream or real",
    "gm": "only behind the screen",
    "open": "allowed",
}
"""Words for the agreements of a table about dice."""

GOES_ON = {
    "resume": "the scene goes on",
    "skip": "the scene is passed over",
    "adjust": "the scene goes on in another way",
    "rewind": "the scene is undone and played again",
    "mistake": "it was a mistake, and the scene goes on",
}
"""Words for the ways in which a table goes on after an X-card."""

_OF_THE_TABLE: dict[type[Event], Callable[[Any], str]] = {
    events.CampaignStarted: lambda e: f"the campaign {e.name} begins",
    events.RulesetAdopted: lambda e: f"by {e.ruleset} {e.version}",
    events.SessionOpened: lambda e: f"session {e.session} begins" + (f": {e.title}" if e.title else ""),
    events.EntropyAdded: lambda e: f"“{e.text}”",
    events.SessionClosed: lambda e: f"session {e.session} ends",
    events.DiceRevealed: lambda e: f"session {e.session}’s {'secret' if e.screen else 'open'} dice are revealed",
    events.ScreenCounted: lambda e: (
        f"{counted(sum(each.rolls for each in e.counts), 'roll')} fell behind the screen in session {e.session}"
    ),
    events.FreshDiceGranted: lambda e: f"may be rolled again: {e.why}",
    events.TableAgreed: lambda e: (
        f"agreed: {_MATTERS.get(e.matter, e.matter)}{f' of {e.seat}' if e.seat else ''} {_SETTLED.get(e.value, e.value)}"
    ),
    events.SceneFramed: lambda e: e.title,
    events.SceneSetAside: lambda _: "the scene before waits",
    events.SceneResumed: lambda e: f"back to {e.title or f'scene {e.scene}'}",
    events.SceneEnded: lambda e: f"scene {e.scene} is over",
    events.NoteWritten: lambda e: e.text or "(its words were removed)",
    events.PictureShown: lambda e: (
        ((e.alt or "a picture") if e.on_board else f"a picture{f': {e.alt}' if e.alt else ''}")
        if e.digest
        else ("(its picture was removed)" if e.media else f"no {'map' if e.on_board else 'portrait'} any more")
    ),
    events.NoteRedacted: lambda e: f"the words of #{e.action} are removed for good",
    events.EntriesRevealed: lambda e: f"what was hidden from the table is revealed ({_entries(e.entries)})",
    events.XCardRaised: lambda _: "the scene pauses",
    events.XCardAnswered: lambda e: GOES_ON.get(e.how, e.how),
    events.RulingMade: lambda e: f"ruling: {e.reason}" if e.reason else "ruling",
    events.TimePassed: lambda e: passes(e.seconds) if e.seconds else "",
    events.CharacterRenamed: lambda e: f"called {e.name} from now on",
    events.EncounterBegan: lambda e: e.title or "an encounter begins",
    events.EncounterEnded: lambda _: "the encounter is over",
    events.RoundBegan: lambda _: "a new round",
}
"""Words for each kind of event that is about no one in particular."""

_OF_A_SEAT: dict[type[Event], Callable[[Any], str]] = {
    events.SeatTaken: lambda e: f"sits down as {e.role}",
    events.SeatLeft: lambda _: "leaves the table",
    events.SeatRenamed: lambda e: f"is called {e.name} from now on",
    events.SeatNamed: lambda e: f"is called {e.name} from now on" if e.name else "(the name was removed)",
}
"""Words for each kind of event about a seat."""

_OF_SOMEBODY: dict[type[Event], Callable[[Any, Names], str]] = {
    events.CharacterHidden: lambda _, __: "is hidden from the table",
    events.CharacterRevealed: lambda _, __: "comes into the open",
    events.CharacterJoined: lambda _, __: "joins",
    events.CharacterLeft: lambda e, _: "leaves" + (f" ({e.reason})" if e.reason else ""),
    events.ControlPassed: lambda e, _: f"is played by {e.seat or 'the GM'}",
    events.DamageTaken: lambda e, _: f"−{e.amount} HP",
    events.HitPointsRestored: lambda e, _: f"+{e.amount} HP",
    events.HitPointsCorrected: lambda e, _: f"{signed(e.amount)} HP, corrected",
    events.ConditionBegan: lambda e, names: f"is {condition(e.condition, names)}",
    events.ConditionEnded: lambda e, names: f"is no longer {condition(e.condition, names)}",
    events.PoolGained: lambda e, names: f"+{e.amount} {key(e.pool, names)}",
    events.PoolSpent: lambda e, names: f"−{e.amount} {key(e.pool, names)}" + (f" ({e.reason})" if e.reason else ""),
    events.PoolBecame: lambda e, names: f"now has {e.amount} {key(e.pool, names)}",
    events.ExperienceAwarded: lambda e, _: f"+{e.amount:,} XP",
    events.ChoiceMade: lambda e, names: f"chooses {key(e.picked, names)}",
    events.SheetSetAside: lambda e, _: f"sets the sheet of {e.ruleset} aside",
    events.SheetTakenUp: lambda e, _: f"takes the sheet of {e.ruleset} up again",
}
"""Words for each kind of event about a character."""

_TOGETHER: dict[type[Event], Callable[[Sequence[Any], Names], str]] = {
    events.LevelGained: lambda all_, _: _levels(sum(each.levels for each in all_)),
    events.GearGained: lambda all_, _: _things("gets", all_),
    events.GearLost: lambda all_, _: _things("loses", all_),
    events.ChoiceOffered: lambda all_, names: (
        f"may choose: {listed([key(each.choice, names) for each in all_], FEW_THINGS + 1)}"
    ),
    events.Moved: lambda all_, _: f"moves {cost}" if (cost := sum(each.cost for each in all_)) else "moves",
}
"""Words for several events of a kind about one character."""

SAID = frozenset((*_OF_THE_TABLE, *_OF_A_SEAT, *_OF_SOMEBODY, *_TOGETHER, events.CheckResolved, events.TurnBegan))
"""The kinds of events that have words; the others are details of these."""

WORDED: Mapping[type[Event], str] = {
    events.DamageTaken: "loses hit points",
    events.HitPointsRestored: "regains hit points",
    events.HitPointsCorrected: "has other hit points, corrected",
}
"""Words for changes of hit points where no number is shown."""


def phrases(
    happened: Sequence[Event], names: Names, in_words: Collection[str], check: Callable[[events.CheckResolved], Phrase]
) -> Iterator[Phrase]:
    """Yield the words of events, those of checks by ``check``. Characters ``in_words`` get no number of hit points."""
    gathered: set[tuple[type[Event], str]] = set()
    for event in without_repeats(happened):
        kind: type[Event] = event.__class__
        if isinstance(event, events.CheckResolved):
            yield check(event)
        elif isinstance(event, events.TurnBegan):
            yield Phrase("", f"{named(event.character, names)}’s turn")
        elif kind in _OF_THE_TABLE:
            yield Phrase("", _OF_THE_TABLE[kind](event))
        elif kind in _OF_A_SEAT:
            yield Phrase(getattr(event, "seat", ""), _OF_A_SEAT[kind](event))
        elif kind in _OF_SOMEBODY:
            about = subject_of(event)
            said = WORDED[kind] if about in in_words and kind in WORDED else _OF_SOMEBODY[kind](event, names)
            yield Phrase(named(about, names), said)
        elif kind in _TOGETHER and (kind, about := subject_of(event)) not in gathered:
            gathered.add((kind, about))
            same = [each for each in happened if each.__class__ is kind and getattr(each, "character", "") == about]
            yield Phrase(named(about, names), _TOGETHER[kind](same, names))


def without_repeats(happened: Iterable[Event]) -> Iterator[Event]:
    """Events without those that begin what has begun before among them: it only grows."""
    begun: set[tuple[str, str]] = set()
    for event in happened:
        if isinstance(event, events.ConditionBegan):
            if (event.character, event.condition) in begun:
                continue
            begun.add((event.character, event.condition))
        elif isinstance(event, events.ConditionEnded):
            begun.discard((event.character, event.condition))
        yield event


def is_told(phrase: Phrase, act: Act) -> bool:
    """True if the sentence has the phrase already, word for word or in the words of its verb."""
    sentence = f"{act.who} {act.what}"
    verb, _, rest = phrase.text.partition(" ")
    if not phrase.who:
        return (phrase.text in _THE_SAME and _THE_SAME[phrase.text] in sentence) or sentence.endswith(
            f": {phrase.text}"
        )
    if verb == "chooses":
        return sentence.startswith(f"{phrase.who} chooses ") or sentence.endswith(f" {rest}")
    if verb in ("gets", "loses"):
        return phrase.who in sentence and sentence.endswith(f" {rest}")
    return phrase.whole in sentence


_THE_SAME = {"an encounter begins": "begins an encounter", "the encounter is over": "ends the encounter"}
"""Phrases about no one in particular, and the words of a sentence that say the same."""


def joined(found: Iterable[Phrase], who: str) -> str:
    """Join phrases as one text, after a sentence about ``who``: a name is not repeated while it stays the same."""
    said, last = list[str](), who
    for phrase in _of_several(found):
        said.append(phrase.text if phrase.who == last else phrase.whole)
        last = phrase.who
    return "; ".join(said)


def _of_several(found: Iterable[Phrase]) -> Iterator[Phrase]:
    for text, some in groupby(found, key=lambda phrase: phrase.text):
        same = list(some)
        who = {phrase.who for phrase in same}
        if len(same) == 1 or len(who) < len(same) or "" in who or not text.startswith(("+", "−", "is ")):
            yield from same
        else:
            plural = f"are {text.removeprefix('is ')}" if text.startswith("is ") else text
            yield Phrase(people([phrase.who for phrase in same]), plural)


def named(who: str, names: Names) -> str:
    """A character's name; the GM for no character."""
    return names.get(who, who) or "GM"


def condition(text: str, names: Names) -> str:
    """The words for a condition; an id at its end becomes the character's name: ``at range to Jory Tamm``."""
    before, _, last = text.rpartition(" ")
    is_about = last in names and before.endswith(_ABOUT)
    return f"{before} {names[last]}" if is_about else text


_ABOUT = (" to", " from", " on", " of", " by", " against")


def signed(amount: int) -> str:
    """``+3``, ``−3``."""
    return f"{amount:+d}".replace("-", "−")


def _entries(numbers: tuple[int, ...]) -> str:
    return f"{'entry' if len(numbers) == 1 else 'entries'} {', '.join(f'@{number}' for number in numbers)}"


def _levels(levels: int) -> str:
    if not levels:
        return ""
    many = "a level" if abs(levels) == 1 else f"{number_in_words(abs(levels))} levels"
    return f"{'gains' if levels > 0 else 'loses'} {many}"


def _things(verb: str, all_: Sequence[events.GearGained | events.GearLost]) -> str:
    named_things = things(all_)
    return f"{verb} {named_things}" if named_things else ""


def things(
    all_: Sequence[events.GearGained | events.GearLost], said: Callable[[Any], str] = lambda each: each.item
) -> str:
    """``longbow and eight more things``; ``said`` gives the words for a single one."""
    found = [f"{each.count} × {each.item}" if each.count > 1 else said(each) for each in all_ if each.count]
    if len(found) <= FEW_THINGS:
        return " and ".join(found)
    return f"{found[0]} and {number_in_words(len(found) - 1)} more things"


def passes(seconds: int) -> str:
    """``3 hours pass``: a time in the largest unit that divides it evenly."""
    units = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))
    size, unit = next(each for each in units if seconds % each[0] == 0)
    return f"{counted(seconds // size, unit)} {'passes' if seconds == size else 'pass'}"
