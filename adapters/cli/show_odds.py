"""What may come of an action: a row for each outcome with a small bar, then a line for everybody whom it touches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from rich.text import Text

from adapters.cli import show
from adapters.cli.faults import clean
from domain.dice.odds import Distribution

if TYPE_CHECKING:
    from adapters.cli.desk import Desk
    from domain.forecast import Amount, CheckChance, Forecast, Outcome, RollChance, Story

BLOCKS = " ▏▎▍▌▋▊▉█"
WIDTH = 20
SMALL = 400
"""Fractions are shown up to this denominator: 1/400 is two twenties in a row."""

MOST_STORIES = 8
MOST_TOTALS = 24
"""So many totals of a roll are listed, or drawn."""

GREEN, RED, PLAIN = "green", "red", "cyan"

Names = Mapping[str, str]


def odds(desk: Desk, verb: str, found: Forecast, names: Names) -> None:
    """All of it."""
    said = verb.replace("-", " ")
    if len(found.checks) == 1:
        _one_check(desk, said, found.checks[0], names)
    elif found.checks:
        _many_checks(desk, found, names)
    elif found.first:
        _bars(desk, "Who begins", [(Text(_name(who, names)), each, PLAIN) for who, each in found.first.items()])
    elif not (found.amounts or found.turned):
        _rolls(desk, said, found.rolls, names)
    show.grid(desk, [(Text(_name(who, names), "magenta"), told) for who, told in _touched(desk, found)])
    for refusal in found.refusals:
        desk.say(Text.assemble(("Refused ", "yellow"), share(refusal.chance), f"  {clean(refusal.sentence)}"))
    if found.not_followed:
        left = (
            f"Not followed: {tiny(found.not_followed)}, chains of dice without an end. All else is a share of the rest."
        )
        desk.say(Text(left, style="dim"))


def _one_check(desk: Desk, verb: str, check: CheckChance, names: Names) -> None:
    """Every outcome, then how likely it is to succeed where that is more than one outcome."""
    what = verb if verb == check.check else f"{verb}: {check.check}"
    against = f" against {_name(check.against, names)}" if check.against else ""
    title = Text.assemble((_name(check.character, names), "magenta"), f"  {clean(what + against)}")
    title.append(f"   if it comes to that: {share(check.made)}" if check.made < 1 else "", style="dim")
    rows = [_outcome(each.outcome, success=each.success, chance=each.chance) for each in _good_first(check)]
    if len({each.success for each in check.outcomes}) < len(check.outcomes):
        rows.append((Text("succeeds", style="bold"), check.success, ""))
    _bars(desk, title, rows)


def _good_first(check: CheckChance) -> list[Outcome]:
    return sorted(check.outcomes, key=lambda each: not each.success)


def _outcome(word: str, *, success: bool, chance: Fraction) -> tuple[Text, Fraction, str]:
    told = "succeeds" if word == "yes" else "fails" if word == "no" else clean(word)
    return show.mark(1 if success else -1).append(told, style="not bold default"), chance, GREEN if success else RED


def _many_checks(desk: Desk, found: Forecast, names: Names) -> None:
    """A row for each check, then the likeliest ways in which they come out together."""
    rows = []
    for check in found.checks:
        who = Text(_name(check.character, names), style="magenta")
        who.append(f"  {clean(check.check)}", style="default")
        who.append(f" against {_name(check.against, names)}" if check.against else "", style="default")
        who.append(f" ({check.ordinal + 1})" if check.ordinal else "", style="dim")
        rows.append((who, check.success, GREEN))
    _bars(desk, "Succeeds", rows)
    together = [(_story(story, names), story.chance, PLAIN) for story in found.stories[:MOST_STORIES]]
    _bars(desk, "All together", together)
    more = len(found.stories) - MOST_STORIES
    if more > 0:
        rest = sum((story.chance for story in found.stories[MOST_STORIES:]), Fraction(0))
        desk.say(Text(f"  … and {more} more: {share(rest)}", style="dim"))


def _story(story: Story, names: Names) -> Text:
    text = Text()
    for each in story.checks:
        text.append("  " if text else "").append_text(show.mark(1 if each.success else -1))
        word = "" if each.outcome in ("yes", "no") else f" {clean(each.outcome)}"
        text.append(f"{_name(each.character, names)}{word}", style="not bold default")
    return text if story.checks else Text("nothing is put to the test", style="dim")


def _rolls(desk: Desk, verb: str, rolls: tuple[RollChance, ...], names: Names) -> None:
    """Rolls that no check hangs on: one in full, several a line each."""
    if not rolls:
        desk.say("No die falls: what comes of it is certain.")
    if len(rolls) == 1 and len(rolls[0].totals) <= MOST_TOTALS:
        only = rolls[0]
        who = Text(_name(only.roll.roller, names), style="magenta")
        title = who.append(f"  {verb} {clean(only.roll.expression)}", style="default")
        _bars(desk, title, [(Text(f"{total}"), chance, PLAIN) for total, chance in only.totals.items()])
        desk.say(f"  {average(only.totals)} on average")
        return
    show.grid(
        desk,
        [
            (
                Text(_name(each.roll.roller, names), style="magenta"),
                Text(clean(each.roll.purpose)),
                Text(clean(each.roll.expression)),
                _spread(desk, each.totals, f"{average(each.totals)} on average"),
            )
            for each in rolls
        ],
    )


def _touched(desk: Desk, found: Forecast) -> Iterator[tuple[str, Text]]:
    """A line for everybody who may be hurt or healed, gain or lose something, fall or rise."""
    told: dict[str, list[Text]] = {}
    for amount in found.amounts:
        if amount.of.kind in ("damage", "healing") or len(amount.totals) > 1:
            told.setdefault(amount.of.character, []).append(_amount(desk, amount))
    for each in found.turned:
        state = f"{'' if each.turned.began else 'no longer '}{clean(each.turned.condition)} "
        style = "bold" if each.turned.began else "default"
        told.setdefault(each.turned.character, []).append(Text.assemble((state, style), share(each.chance)))
    for who, parts in told.items():
        yield (
            who,
            Text().join((part if not at else Text.assemble((" · ", "dim"), part)) for at, part in enumerate(parts)),
        )


def _amount(desk: Desk, amount: Amount) -> Text:
    kind, totals = amount.of.kind, amount.totals
    of = {"damage": "HP", "healing": "HP", "experience": "XP"}.get(kind, clean(amount.of.name))
    sign = {"damage": "−", "healing": "+"}.get(kind, "+" if totals.mean > 0 else "−" if totals.mean < 0 else "")
    mean = average(totals).lstrip("−")
    if len(totals) == 1:
        return Text(f"{sign}{mean} {of}")
    return _spread(desk, totals, f"{sign}{mean} {of} on average")


def _spread(desk: Desk, totals: Distribution, text: str) -> Text:
    """From where to where, and in a terminal how the chances lie between."""
    low, high = next(iter(totals)), next(reversed(list(totals)))
    told = Text(f"{text}, {low} to {high}".replace("-", "−") if low < high else text)
    if desk.out.is_terminal and 2 < high - low < MOST_TOTALS:
        weights = [round(totals.get(at, Fraction(0)) * 10_000) for at in range(low, high + 1)]
        told.append(f" {show.spark(weights)}", style="green")
    return told


def _bars(desk: Desk, title: Text | str, rows: Iterable[tuple[Text, Fraction, str]]) -> None:
    """A title, and a row for each chance: what, bar, percent, fraction. In a pipe there are no bars."""
    desk.say(Text(title, style="bold yellow") if isinstance(title, str) else title)
    cells = []
    for what, chance, style in rows:
        drawn = [Text(bar(chance) if style else "", style=style)] if desk.out.is_terminal else []
        cells.append((what, *drawn, Text(percent(chance), style="bold"), Text(fraction(chance), style="dim")))
    show.grid(desk, cells, right=(2,) if desk.out.is_terminal else (1,), indent=2)


def bar(chance: Fraction) -> str:
    """A chance as a bar of up to twenty columns; what is possible is never nothing."""
    eighths = max(round(chance * WIDTH * 8), 1)
    return "█" * (eighths // 8) + BLOCKS[eighths % 8].strip()


def percent(chance: Fraction) -> str:
    """``55.0 %``; neither what is possible is shown as 0 nor what is uncertain as 100."""
    if 0 < chance < Fraction(1, 2_000):
        return "<0.1 %"
    if Fraction(1_999, 2_000) < chance < 1:
        return ">99.9 %"
    tenths = int(chance * 1_000 + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10} %"


def fraction(chance: Fraction) -> str:
    """``11/20``, "" where the denominator is large or there is nothing to say."""
    return str(chance) if 1 < chance.denominator <= SMALL else ""


def share(chance: Fraction) -> str:
    """Percent, with the fraction behind it if that is small."""
    return f"{percent(chance)} {fraction(chance)}".strip()


def tiny(chance: Fraction) -> str:
    """A very small share with its first digit that is not 0."""
    places = next((places for places in range(1, 10) if chance * 100 * 10**places >= 1), 0)
    return f"{float(chance * 100):.{places}f} %" if places else "less than 0.000000001 %"


def average(totals: Distribution) -> str:
    """The mean with one decimal, or none if it is whole."""
    mean = totals.mean
    return (str(mean) if mean.denominator == 1 else f"{float(mean):.1f}").replace("-", "−")


def _name(who: str, names: Names) -> str:
    return clean(names.get(who, who)) or "GM"
