"""Making of cards from a log: each action once, as it counts today; each correction once; beginnings as headings.

Cards are made of rows of the session log and their entries: of a whole campaign for the GM, and of an edition for all
other readers, so nothing is in them that the reader may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

import attrs

from rollbook.adapters.web.table.cards import Card, CardKind, Consequence, Outcome, roll_view
from rollbook.application.view import CampaignView
from rollbook.domain import events
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, Event
from rollbook.projections.acts import own_check
from rollbook.projections.database import CORRECTION, COUNTS, UNDONE
from rollbook.projections.session_log import TABLE, LogLine, SqlCondition

MOST_AT_ONCE = 400
"""Most numbers in one query of the read model; SQLite takes a few hundred more."""
MOST_CONSEQUENCES = 60
"""Most consequences of a correction that its card lists; the others are counted."""


def cards_of(campaign: CampaignView, rows: Sequence[LogLine], *, are_last: bool = False) -> list[Card]:
    """The cards of rows of the log, in their order: an action with several rows gets one card.

    A row that takes an action gives its card, after those of the actions that were inserted just before it. Any other row
    gives that of the correction that it begins, or none; to insert an action is a correction.

    ``are_last``: the rows are the end of the log. Then they have all that is about the actions taken in them.
    """
    near = _Rows(campaign, rows if are_last else None)
    taken = [row for row in rows if is_taken(row) and not is_inserted(row)]
    played = {row.action: (*before, row) for row, before in zip(taken, near.just_before(taken), strict=True)}
    made = {each.first.action: each for each in _cards(near, _actions(*played.values()))}
    found: list[Card] = []
    for row in rows:
        if is_taken(row) and not is_inserted(row):
            found += [made[action] for action in _actions(played[row.action])]
        elif is_inserted(row) or begins_correction(campaign, row):
            found.append(_correction_card(campaign, row))
    return found


def cards_of_actions(campaign: CampaignView, actions: Iterable[ActionNumber]) -> list[Card]:
    """The cards of actions, in the given order; none for a number that is not in the log."""
    return _cards(_Rows(campaign), actions)


def _cards(near: _Rows, actions: Iterable[ActionNumber]) -> list[Card]:
    known = {action: rows for action, rows in near.of_actions(actions).items() if rows}
    correcting = {row.corrected_by for found in known.values() for row in found if row.corrected_by}
    by_entry = {row.entry: row for row in near.where(ENTRIES, sorted(correcting))}
    before = near.just_before([rows[0] for rows in known.values()])
    return [
        attrs.evolve(
            _action_card(near.campaign, rows, by_entry), inserted=_actions(row for row in them if row.before == action)
        )
        for (action, rows), them in zip(known.items(), before, strict=True)
    ]


def _actions(*rows: Iterable[LogLine]) -> tuple[ActionNumber, ...]:
    return tuple(row.action for some in rows for row in some)


def is_taken(row: LogLine) -> bool:
    """True if a row is the first of its action."""
    return row.revision == 1 and row.status != CORRECTION


def is_inserted(row: LogLine) -> bool:
    """True if a row inserts its action among earlier ones."""
    return is_taken(row) and row.before > 0


def begins_correction(campaign: CampaignView, row: LogLine) -> bool:
    """True if a correcting row is the first of its correction: all entries of one have one seat and one time."""
    before = campaign.read_model.line(campaign.id, row.entry - 1)
    if before is None or (is_taken(before) and not is_inserted(before)):
        return True
    return (before.at, before.seat) != (row.at, row.seat)


class ByNumber(NamedTuple):
    """A question for rows by a number of theirs: its condition in SQL, for a campaign and some numbers, and that number."""

    condition: str
    number: Callable[[LogLine], int]


_OF_TABLE = f"entry IN (SELECT entry FROM {TABLE} WHERE campaign = ? AND {{}})"  # noqa: S608 - a constant
ENTRIES = ByNumber("campaign = ? AND entry IN ({})", lambda row: row.entry)
OF_ACTIONS = ByNumber(_OF_TABLE.format("action IN ({})"), lambda row: row.action)
"""The rows of actions, found by the table's index of actions. By action alone, SQLite would scan every row."""
INSERTED_AT = ByNumber(_OF_TABLE.format("before > 0 AND place IN ({})"), lambda row: row.place if row.before else 0)
"""The rows of actions that were inserted at these places in the order of play."""


@attrs.frozen
class _Rows(Record):
    """The rows of a log by their numbers: out of the read model, or out of the rows at its ``end``, which have them all."""

    campaign: CampaignView
    end: Sequence[LogLine] | None = None

    def of_actions(self, actions: Iterable[ActionNumber]) -> dict[ActionNumber, list[LogLine]]:
        found: dict[ActionNumber, list[LogLine]] = {action: [] for action in actions}
        for row in self.where(OF_ACTIONS, list(found)):
            found[row.action].append(row)
        return found

    def just_before(self, rows: Sequence[LogLine]) -> list[tuple[LogLine, ...]]:
        """For each row, the inserted ones that stand between it and the action before, in the order of play."""
        found: list[tuple[LogLine, ...]] = [()] * len(rows)
        places = {row.place - 1: at for at, row in enumerate(rows)}
        while places:
            there = [row for row in self.where(INSERTED_AT, list(places)) if is_inserted(row)]
            for row in there:
                found[places[row.place]] = (row, *found[places[row.place]])
            places = {row.place - 1: places[row.place] for row in there}
        return found

    def where(self, asked: ByNumber, numbers: Sequence[int]) -> Iterator[LogLine]:
        if self.end is not None:
            yield from (row for row in self.end if asked.number(row) in numbers)
            return
        for begin in range(0, len(numbers), MOST_AT_ONCE):
            some = tuple(numbers[begin : begin + MOST_AT_ONCE])
            only = SqlCondition(asked.condition.format(", ".join("?" * len(some))), (self.campaign.id, *some))
            yield from self.campaign.read_model.log(self.campaign.id, where=only, everything=True)


# Cards of actions.


def _action_card(campaign: CampaignView, rows: Sequence[LogLine], by_entry: Mapping[EntryNumber, LogLine]) -> Card:
    first = rows[0]
    outcomes = [row for row in rows if row.status != CORRECTION]
    shown = next((row for row in reversed(outcomes) if row.status in (COUNTS, UNDONE)), outcomes[-1])
    entry = _entry(campaign, shown.entry)
    now = _outcome(campaign, shown, entry, is_later=shown is not first)
    before = (_outcome(campaign, row, None, is_later=row is not first) for row in outcomes if row is not shown)
    is_undone = shown.status == UNDONE
    by = by_entry.get(shown.corrected_by)
    card = Card(
        id=f"a{first.action}",
        kind=CardKind.ACTION,
        first=first,
        shown=shown,
        now=now,
        before=tuple(was for was in before if was.is_other_than(now)),
        is_undone=is_undone,
        undone_by=by.seat if is_undone and by else "",
        is_final=entry is None or campaign.session.rulebook.is_final(campaign.state, entry.intent),
    )
    return _of_its_kind(campaign, card, entry.events if entry is not None else ())


def _of_its_kind(campaign: CampaignView, card: Card, recorded: Sequence[Event]) -> Card:
    """The card with its kind: a heading only if it was never corrected, a line if there is nothing to unfold."""
    if any(isinstance(event, events.XCardRaised) for event in recorded):
        return attrs.evolve(card, kind=CardKind.X_CARD)
    is_plain = not (card.is_undone or card.before or card.shown.visibility or card.first.before)
    if is_plain and (heading := _heading(campaign, card, recorded)):
        kind, title, subtitle = heading
        return attrs.evolve(card, kind=kind, title=title, subtitle=subtitle)
    is_short = is_plain and not (card.now.success or card.now.rolls or len(card.now.phrases) > 1 or card.first.reason)
    return attrs.evolve(card, kind=CardKind.LINE, title=_turn(campaign, recorded)) if is_short else card


def _turn(campaign: CampaignView, recorded: Sequence[Event]) -> str:
    """The name of the character whose turn begins with these events, "" if none does."""
    who = next((event.character for event in recorded if isinstance(event, events.TurnBegan)), "")
    known = campaign.state.characters.get(who)
    return known.name if known else ""


def _heading(campaign: CampaignView, card: Card, recorded: Sequence[Event]) -> tuple[CardKind, str, str] | None:
    """Kind, title and subtitle of the heading that an action begins; None for most."""
    order = _order(campaign, recorded)
    for event in recorded:
        match event:
            case events.SessionOpened():
                return CardKind.SESSION, event.title or f"Session {event.session}", f"session {event.session}"
            case events.SceneFramed() | events.SceneResumed():
                return CardKind.SCENE, event.title or "A new scene", f"scene {card.shown.scene_number}"
            case events.EncounterBegan():
                return CardKind.ROUND, event.title or "The fight begins", order
            case events.RoundBegan() if not card.now.success:
                return CardKind.ROUND, "A new round", order
    return None


def _order(campaign: CampaignView, recorded: Sequence[Event]) -> str:
    """The order of a round as it was rolled: ``19 Robin Hood, 14 Count Dracula``; or the character who begins."""
    names = {key: who.name for key, who in campaign.state.characters.items()}
    for event in recorded:
        if isinstance(event, events.TurnOrderSet) and event.order:
            scores = [f"{score} " for score in event.scores] + [""] * len(event.order)
            named = [f"{score}{names.get(who, who)}" for who, score in zip(event.order, scores, strict=False)]
            return ", ".join(named)
    whose = _turn(campaign, recorded)
    return f"{whose} begins" if whose else ""


def _outcome(campaign: CampaignView, row: LogLine, entry: RecordedEntry | None, *, is_later: bool) -> Outcome:
    """The outcome in a row, with its entry's check and dice. ``is_later``: seat and reason are a correction's."""
    entry = entry if entry is not None else _entry(campaign, row.entry)
    recorded = entry.events if entry is not None else ()
    check = own_check(entry) if entry is not None else None
    rolls = [event for event in recorded if isinstance(event, DiceRolled)]
    totals = "; ".join(f"{roll.total}".replace("-", "−") for roll in rolls)
    loose = [_loose(roll, len(rolls)) for roll in rolls] if row.result in ("", totals) else []
    return Outcome(
        phrases=(" and ".join(loose),) if loose else tuple(_once(_phrases(row, check))),
        success=row.success,
        total=check.total if check else rolls[0].total if len(loose) == 1 else None,
        target=check.target if check else None,
        rolls=tuple(roll_view(roll, campaign.state) for roll in rolls),
        seat=row.seat if is_later else "",
        reason=row.reason if is_later else "",
        revision=row.revision,
    )


def _loose(roll: DiceRolled, many: int) -> str:
    """The words for a roll without a check: its total is the result."""
    return str(roll.total) if many > 1 else f"{roll.total} ({roll.typed or roll.expression})"


SPOKEN_VERBS = ("note", "say", "whisper", "handout", "ruling", "entropy", "redact")
"""Verbs whose result is a seat's own words, which are not split."""


def _phrases(row: LogLine, check: events.CheckResolved | None) -> Iterator[str]:
    """The results of a row: first the outcome of its check, whose numbers are shown elsewhere."""
    if row.verb in SPOKEN_VERBS:
        yield row.result
        return
    numbers = f"{check.total} against {check.target}: " if check else ""
    phrases = [phrase for phrase in row.result.split("; ") if phrase]
    if numbers:
        yield from (phrase.removeprefix(numbers) for phrase in phrases if phrase.startswith(numbers))
    yield from (phrase for phrase in phrases if not numbers or not phrase.startswith(numbers))


def _once(phrases: Iterable[str]) -> Iterator[str]:
    """Phrases, with equal neighbours joined into one and counted."""
    for phrase, same in groupby(phrases):
        many = len(list(same))
        yield f"{phrase} ({many} times)" if many > 1 else phrase


def _entry(campaign: CampaignView, number: EntryNumber) -> RecordedEntry | None:
    """An entry as it was recorded; None if a damaged history ends before it."""
    return campaign.session.history.looking_back(
        lambda history: history.entry(number) if number <= history.head else None
    )


# Cards of corrections.


def _correction_card(campaign: CampaignView, row: LogLine) -> Card:
    follows, more = _consequences(campaign, row)
    text = row.sentence if is_inserted(row) else row.result if row.status != CORRECTION else ""
    return Card(
        id=f"e{row.entry}",
        kind=CardKind.CORRECTION,
        first=row,
        shown=row,
        now=Outcome(phrases=(text,) if text else (), success=row.success),
        title=_done(row),
        consequences=follows,
        more=more,
        is_final=True,
    )


def _consequences(campaign: CampaignView, row: LogLine) -> tuple[tuple[Consequence, ...], int]:
    """The consequences of a correction, and the number of those not listed."""
    near = SqlCondition("entry > ? AND entry <= ?", (row.entry, row.entry + MOST_AT_ONCE))
    after = campaign.read_model.log(campaign.id, where=near, everything=True)
    same = takewhile(lambda each: not is_taken(each) and (each.at, each.seat) == (row.at, row.seat), after)
    found = [Consequence(action=each.action, done=_done(each), text=each.result) for each in same]
    return tuple(found[:MOST_CONSEQUENCES]), len(found) - MOST_CONSEQUENCES if len(found) > MOST_CONSEQUENCES else 0


def _done(row: LogLine) -> str:
    if is_inserted(row):
        return f"is inserted before #{row.before}"
    if row.status != CORRECTION:
        return "is changed"
    return "is undone" if row.verb == "undo" else "counts again"
