"""The exact chances of an action before its dice fall, as a page shows them: a bar, all outcomes and all effects."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import attrs

from rollbook.adapters.presentation.chance_words import average, fraction, percent, small_percent
from rollbook.adapters.presentation.plain_text import names_in, printable
from rollbook.adapters.web.acting.seat_context import SeatContext
from rollbook.application.forms.verb_form import Filled, read
from rollbook.application.lines.performing import turn_of
from rollbook.application.lines.verb_line import ParsedLine
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import Refused, RollbookError
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.forecast.chances import Amount, CheckChance, Forecast
from rollbook.domain.forecast.roll_outcomes import TooMany
from rollbook.domain.forecast.search import MOST_STEPS
from rollbook.domain.rules.action import Action, actors_of, parameters
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.projections.in_words import forecast_in_words

AT_ONCE = 150_000
"""Most dice results counted while a page waits: about a fifth of a second. Longer counts are a request of their own."""
MOST_ROWS = 24
"""Most totals of a roll that are listed."""


@attrs.frozen(kw_only=True)
class ChanceRow(Record):
    """One outcome: ``success`` is None if nothing succeeds or fails. ``start`` and ``width`` are percent of the bar."""

    label: str
    percent: str
    fraction: str = ""
    success: bool | None = None
    is_extreme: bool = False
    start: str = "0"
    width: str = "0"

    @property
    def kind(self) -> str:
        """The style that it is drawn in."""
        if self.success is None:
            return "miss"
        return ("crit" if self.is_extreme else "hit") if self.success else "fumble" if self.is_extreme else "miss"


@attrs.frozen(kw_only=True)
class OddsView(Record):
    """A forecast. ``chance`` of success is "" unless there is one check; ``gap`` is where success ends on the bar."""

    chance: str = ""
    fraction: str = ""
    title: str = ""
    rows: tuple[ChanceRow, ...] = ()
    has_bar: bool = False
    gap: str = ""
    touched: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Weighed(Record):
    """The odds and dice of an action that is filled in, before it is taken.

    ``reason`` is the rules' reason against it, ``dice`` the dice that it takes. ``is_long``: counting takes longer.
    ``is_certain``: it was weighed, and no die falls.
    """

    odds: OddsView | None = None
    reason: str = ""
    dice: str = ""
    is_long: bool = False
    is_certain: bool = False


def weigh(
    seat_context: SeatContext, verb: type[Action], filled: Filled, *, is_last: bool = False, asks_dice: bool = True
) -> Weighed:
    """The odds of an action and the dice it takes, from what the seat sees. Nothing is recorded and no die is drawn.

    Odds that take longer than a page can wait are only counted if ``is_last``: some seconds at most. The dice are left out
    unless they are asked for.
    """
    edition = seat_context.edition
    try:
        found = read(edition, verb, filled, known_only=not seat_context.is_gm)
        if not found.is_sound:
            return Weighed()
        foreseen = foresee(
            seat_context, verb, found.spoken, most_steps=MOST_STEPS if is_last else AT_ONCE, asks_dice=asks_dice
        )
    except RollbookError as reason:
        return Weighed(reason=str(reason))
    dice, told = foreseen.dice, foreseen.forecast
    if told is None:
        return Weighed(is_long=not is_last, reason=foreseen.too_many if is_last else "", dice=dice)
    odds = _odds_view(told, edition.state) if told.rolls or told.checks else None
    return Weighed(odds=odds, dice=dice, is_certain=not dice)


@attrs.frozen(kw_only=True)
class Foreseen(Record):
    """The dice that an action takes, and its forecast; None if more may come of it than was counted (``too_many`` says so)."""

    dice: str
    forecast: Forecast | None = None
    too_many: str = ""


def foresee(
    seat_context: SeatContext, verb: type[Action], spoken: ParsedLine, *, most_steps: int, asks_dice: bool = True
) -> Foreseen:
    """Forecast an action as the seat sees it: no die is drawn. Raises RollbookError with what is against it.

    The dice are left out unless they are asked for. What the rules say against the actor alone is asked of them, and not tried.
    """
    edition = seat_context.edition
    turn = turn_of(edition, verb, attrs.evolve(spoken, dice=None), seat=seat_context.seat, said=lambda _: None)
    seat = "" if turn.action.anonymous else edition.seat(turn.seat)
    if against := _known_against(edition, turn.action, seat):
        raise Refused(against)
    dice = edition.session.wanted_dice(turn) if asks_dice else ""
    action = edition.session.rulebook.speller(edition.state, seat).spelled_action(turn.action)
    foresight = edition.session.turns.foresight
    try:
        found = foresight.forecast(edition.state, action, seat=seat, secret=turn.secret, most_steps=most_steps)
    except TooMany as reason:
        return Foreseen(dice=dice, too_many=str(reason))
    return Foreseen(dice=dice, forecast=forecast_in_words(found, edition.session.in_words))


def _known_against(edition: CampaignView, action: Action, seat: SeatName) -> str:
    """The reason against an action that its actor alone gives, "" for none; with a ruling of the GM's none is known."""
    has_ruling = any(each.gm_only and getattr(action, each.name) != each.default for each in parameters(type(action)))
    who = next(iter(actors_of(action)), "")
    return "" if has_ruling else edition.session.rulebook.refusal(edition.state, type(action), who, seat=seat)


def _odds_view(found: Forecast, state: CampaignState) -> OddsView:
    names = names_in(state)
    touched = tuple(_touched(found, names))
    remarks = tuple(f"Refused, {percent(each.chance)}: {printable(each.sentence)}" for each in found.refusals)
    if found.not_followed:
        remarks += (f"Not followed: {small_percent(found.not_followed)}, endless chains of dice.",)
    if len(found.checks) == 1:
        return _one_check(found.checks[0], names, touched, remarks)
    if found.checks:
        rows = [_row(_check_title(check, names), check.success, success=True) for check in found.checks]
        return OddsView(title="Succeeds", rows=tuple(rows), touched=touched, remarks=remarks)
    if found.first:
        rows = [_row(_name(who, names), chance) for who, chance in found.first.items()]
        return OddsView(title="Who begins", rows=tuple(rows), touched=touched, remarks=remarks)
    if found.amounts or found.turned:
        return OddsView(title="What it does", touched=touched, remarks=remarks)
    return _rolls(found, names, remarks)


def _one_check(
    check: CheckChance, names: Mapping[str, str], touched: tuple[str, ...], remarks: tuple[str, ...]
) -> OddsView:
    """A check with all its outcomes, successes first; the rarest of several successes, and of failures, are extreme."""
    outcomes = sorted(check.outcomes, key=lambda each: (not each.success, -each.chance))
    rows, start = [], Fraction(0)
    for each in outcomes:
        alike = [other for other in outcomes if other.success == each.success]
        label = {"yes": "succeeds", "no": "fails"}.get(each.outcome, printable(each.outcome))
        row = _row(label, each.chance, success=each.success)
        is_extreme = len(alike) > 1 and each is alike[-1]
        rows.append(attrs.evolve(row, is_extreme=is_extreme, start=_share(start), width=_share(each.chance)))
        start += each.chance
    made = (f"If it comes to that: {percent(check.made)}.",) if check.made < 1 else ()
    return OddsView(
        chance=percent(check.success),
        fraction=fraction(check.success),
        title=_check_title(check, names),
        rows=tuple(rows),
        has_bar=True,
        gap=_share(check.success) if 0 < check.success < 1 else "",
        touched=touched,
        remarks=(*made, *remarks),
    )


def _rolls(found: Forecast, names: Mapping[str, str], remarks: tuple[str, ...]) -> OddsView:
    """Rolls that belong to no check: one in full, several by their averages."""
    if not found.rolls:
        return OddsView(title="No die falls: what comes of it is certain.", remarks=remarks)
    if len(found.rolls) == 1 and len(found.rolls[0].totals) <= MOST_ROWS:
        roll = found.rolls[0]
        rows = tuple(_row(f"{total}".replace("-", "−"), chance) for total, chance in roll.totals.items())
        title = f"{printable(roll.roll.expression)}: {average(roll.totals)} on average"
        return OddsView(title=title, rows=rows, remarks=remarks)
    said = (
        f"{_name(each.roll.roller, names)}, {printable(each.roll.purpose)}: {_spread(each.totals, '', '')}"
        for each in found.rolls
    )
    return OddsView(title="The rolls", touched=tuple(said), remarks=remarks)


def _touched(found: Forecast, names: Mapping[str, str]) -> Iterator[str]:
    """Possible effects on each character, in words: damage, healing, other gains and losses, conditions."""
    parts: dict[str, list[str]] = {}
    for amount in found.amounts:
        if amount.of.kind in ("damage", "healing") or len(amount.totals) > 1:
            parts.setdefault(amount.of.character, []).append(_amount(amount))
    for each in found.turned:
        state = f"{'' if each.turned.began else 'no longer '}{printable(each.turned.condition)}"
        parts.setdefault(each.turned.character, []).append(f"{state} {percent(each.chance)}")
    yield from (f"{_name(who, names)}: {', '.join(texts)}" for who, texts in parts.items())


def _amount(amount: Amount) -> str:
    kind, totals = amount.of.kind, amount.totals
    of = {"damage": "HP", "healing": "HP", "experience": "XP"}.get(kind, printable(amount.of.name))
    mean = totals.mean
    return _spread(totals, {"damage": "−", "healing": "+"}.get(kind, "+" if mean > 0 else "−" if mean < 0 else ""), of)


def _spread(totals: Distribution, sign: str, of: str) -> str:
    """``−5.2 HP on average, 0 to 14``; a certain amount is the number alone."""
    low, high = min(totals), max(totals)
    said = f"{sign}{average(totals).lstrip('−') if sign else average(totals)}{f' {of}' if of else ''}"
    return f"{said} on average, {low} to {high}".replace("-", "−") if low < high else said


def _row(label: str, chance: Fraction, *, success: bool | None = None) -> ChanceRow:
    return ChanceRow(label=label, percent=percent(chance), fraction=fraction(chance), success=success)


def _check_title(check: CheckChance, names: Mapping[str, str]) -> str:
    against = f" against {_name(check.against, names)}" if check.against else ""
    again = f" ({check.ordinal + 1})" if check.ordinal else ""
    return f"{_name(check.character, names)}, {printable(check.check)}{against}{again}"


def _share(chance: Fraction) -> str:
    return f"{float(chance * 100):.3f}".rstrip("0").rstrip(".")


def _name(who: str, names: Mapping[str, str]) -> str:
    return printable(names.get(who, who)) or "GM"
