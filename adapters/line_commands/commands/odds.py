"""odds: the exact chances of an action before it is taken."""

from collections.abc import Iterable, Mapping
from fractions import Fraction

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import Words, argument, command
from rollbook.adapters.line_commands.moments import Moment
from rollbook.adapters.line_commands.options import at_option
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.odds import odds_json
from rollbook.adapters.line_commands.views.table import dotted, sparkline, success_mark
from rollbook.adapters.presentation.chance_words import average, fraction, percent, percent_and_fraction, small_percent
from rollbook.adapters.presentation.plain_text import names_in, printable
from rollbook.application.lines.verb_line import LineError, find_seat, is_players, parse, read_parameters
from rollbook.application.verbs import verb_of
from rollbook.domain.dice.odds import Distribution
from rollbook.domain.forecast import chances
from rollbook.domain.rules.action import parameters

OUT_OF_TURN = "out_of_turn"
"""The parameter by which a GM lets an action be taken out of turn, where a verb has one."""
BLOCKS = " ▏▎▍▌▋▊▉█"
WIDTH = 20
MOST_STORIES = 8
MOST_TOTALS = 24
"""Largest number of totals of a roll that are listed or drawn."""
GREEN, RED, PLAIN = "green", "red", "cyan"
Names = Mapping[str, str]


@command(before_verb=True, without=("dice", "why"))
@argument("said", nargs=-1, required=True, metavar="VERB ...")
@at_option
def odds(context: CommandContext, *, said: Words, moment: Moment) -> None:
    """The exact chances of everything that may come of an action, before a die falls.

    \b
    rollbook odds attack robin guard longbow --distance 40     the line is that of: rollbook do ...
    rollbook odds check robin dex --target hard
    rollbook odds --at 20 attack robin guard longbow           as it was when action 20 had been taken

    The action is played out by its own rules for all that its dice may show. Nothing is recorded, no die is drawn from the
    session's stream, and no session need be open.
    """
    verb, campaign, before = verb_of(context.campaign(), said[0]), moment.campaign, moment.state()
    spoken = parse(verb, said[1:])
    if spoken.dice is not None:
        raise LineError("Odds are asked for before the dice fall: leave the dice out.")
    if campaign.session.damage:
        context.warn(campaign.session.damage)
    given = read_parameters(
        verb, spoken.given, before, known_only=is_players(before, spoken.seat), side=campaign.session.rulebook.side
    )
    if spoken.seat is None and any(parameter.name == OUT_OF_TURN for parameter in parameters(verb)):
        given = {OUT_OF_TURN: True, **given}  # a question asked as the GM is answered as if the turn had come
    seat = None if spoken.seat is None or verb.anonymous else find_seat(before, spoken.seat)
    with context.bar("Counting every way"):
        found = campaign.odds(verb.verb, given, seat=seat, secret=spoken.secret, state=before)
    if context.json:
        context.data(odds_json(found, campaign=campaign.id, verb=verb.verb))
    else:
        with context.paged():
            show_odds(context, verb.verb, found, names_in(before))


def show_odds(context: CommandContext, verb: str, found: chances.Forecast, names: Names) -> None:
    """Print a forecast: checks or rolls first, then what may change, and what may be refused."""
    said = verb.replace("-", " ")
    if len(found.checks) == 1:
        _one_check(context, said, found.checks[0], names)
    elif found.checks:
        _many_checks(context, found, names)
    elif found.first:
        _bars(context, "Who begins", [(Text(_name(who, names)), each, PLAIN) for who, each in found.first.items()])
    elif not (found.amounts or found.turned):
        _rolls(context, said, found.rolls, names)
    context.print_columns(_touched(context, found, names))
    for refusal in found.refusals:
        chance = percent_and_fraction(refusal.chance)
        context.print(Text.assemble(("Refused ", "yellow"), chance, f"  {printable(refusal.sentence)}"))
    if found.not_followed:
        left = f"Not followed: {small_percent(found.not_followed)}, endless chains of dice. All else is a share of what is left."
        context.print(Text(left, "dim"))


def _check_text(check: chances.CheckChance, what: str, names: Names) -> Text:
    against = f" against {_name(check.against, names)}" if check.against else ""
    return Text(_name(check.character, names), "magenta").append(f"  {printable(what)}{against}", "default")


def _one_check(context: CommandContext, verb: str, check: chances.CheckChance, names: Names) -> None:
    """Print every outcome, successes first, then the chance of success if several outcomes share it."""
    title = _check_text(check, verb if verb == check.check else f"{verb}: {check.check}", names)
    title.append(f"   if it comes to that: {percent_and_fraction(check.made)}" if check.made < 1 else "", "dim")
    rows = []
    for each in sorted(check.outcomes, key=lambda each: not each.success):
        word = {"yes": "succeeds", "no": "fails"}.get(each.outcome, printable(each.outcome))
        what = success_mark(1 if each.success else -1).append(word, "not bold default")
        rows.append((what, each.chance, GREEN if each.success else RED))
    if len({each.success for each in check.outcomes}) < len(check.outcomes):
        rows.append((Text("succeeds", "bold"), check.success, ""))
    _bars(context, title, rows)


def _many_checks(context: CommandContext, found: chances.Forecast, names: Names) -> None:
    """Print a row for each check, then the likeliest combinations of their outcomes."""
    rows = []
    for check in found.checks:
        what = _check_text(check, check.check, names).append(f" ({check.ordinal + 1})" if check.ordinal else "", "dim")
        rows.append((what, check.success, GREEN))
    _bars(context, "Succeeds", rows)
    _bars(
        context, "All together", [(_story(story, names), story.chance, PLAIN) for story in found.stories[:MOST_STORIES]]
    )
    more = found.stories[MOST_STORIES:]
    if more:
        rest = percent_and_fraction(sum((story.chance for story in more), Fraction(0)))
        context.print(Text(f"  … and {len(more)} more: {rest}", "dim"))


def _story(story: chances.Consequences, names: Names) -> Text:
    text = Text()
    for each in story.checks:
        text.append("  " if text else "").append(success_mark(1 if each.success else -1))
        word = "" if each.outcome in ("yes", "no") else f" {printable(each.outcome)}"
        text.append(f"{_name(each.character, names)}{word}", "not bold default")
    return text if story.checks else Text("nothing is put to the test", "dim")


def _rolls(context: CommandContext, verb: str, rolls: tuple[chances.RollChance, ...], names: Names) -> None:
    """Print rolls that no check depends on: one in full, several a line each."""
    if not rolls:
        context.print("No die falls: what comes of it is certain.")
    if len(rolls) == 1 and len(rolls[0].totals) <= MOST_TOTALS:
        only = rolls[0]
        title = Text(_name(only.roll.roller, names), "magenta")
        title.append(f"  {verb} {printable(only.roll.expression)}", "default")
        _bars(context, title, [(Text(f"{total}"), chance, PLAIN) for total, chance in only.totals.items()])
        context.print(f"  {average(only.totals)} on average")
        return
    rows = [
        (
            Text(_name(each.roll.roller, names), "magenta"),
            printable(each.roll.purpose),
            printable(each.roll.expression),
            _spread(context, each.totals, f"{average(each.totals)} on average"),
        )
        for each in rolls
    ]
    context.print_columns(rows)


def _touched(context: CommandContext, found: chances.Forecast, names: Names) -> list[tuple[Text, Text]]:
    """A row for each character whose hit points, resources or conditions may change."""
    parts: dict[str, list[Text]] = {}
    for amount in found.amounts:
        if amount.of.kind in ("damage", "healing") or len(amount.totals) > 1:
            parts.setdefault(amount.of.character, []).append(_amount(context, amount))
    for each in found.turned:
        state = f"{'' if each.turned.began else 'no longer '}{printable(each.turned.condition)} "
        text = Text.assemble((state, "bold" if each.turned.began else "default"), percent_and_fraction(each.chance))
        parts.setdefault(each.turned.character, []).append(text)
    return [(Text(_name(who, names), "magenta"), dotted(texts)) for who, texts in parts.items()]


def _amount(context: CommandContext, amount: chances.Amount) -> Text:
    kind, totals = amount.of.kind, amount.totals
    of = {"damage": "HP", "healing": "HP", "experience": "XP"}.get(kind, printable(amount.of.name))
    sign = {"damage": "−", "healing": "+"}.get(kind, "+" if totals.mean > 0 else "−" if totals.mean < 0 else "")
    text = f"{sign}{average(totals).lstrip('−')} {of}"
    return Text(text) if len(totals) == 1 else _spread(context, totals, f"{text} on average")


def _spread(context: CommandContext, totals: Distribution, text: str) -> Text:
    """The range of totals, and in a terminal the shape of their distribution."""
    low, high = min(totals), max(totals)
    shown = Text(f"{text}, {low} to {high}".replace("-", "−") if low < high else text)
    if context.is_terminal and 2 < high - low < MOST_TOTALS:
        weights = [round(totals.get(at, Fraction(0)) * 10_000) for at in range(low, high + 1)]
        shown.append(f" {sparkline(weights)}", "green")
    return shown


def _bars(context: CommandContext, title: Text | str, rows: Iterable[tuple[Text, Fraction, str]]) -> None:
    """Print a title, and a row for each chance: what, bar, percent, fraction. In a pipe there are no bars."""
    context.print(Text(title, "bold yellow") if isinstance(title, str) else title)
    cells = []
    for what, chance, style in rows:
        drawn = [Text(chance_bar(chance) if style else "", style)] if context.is_terminal else []
        cells.append((what, *drawn, Text(percent(chance), "bold"), Text(fraction(chance), "dim")))
    context.print_columns(cells, right=(2,) if context.is_terminal else (1,), indent=2)


def chance_bar(chance: Fraction) -> str:
    """A chance as a bar of up to twenty columns, never an empty one."""
    eighths = max(round(chance * WIDTH * 8), 1)
    return "█" * (eighths // 8) + BLOCKS[eighths % 8].strip()


def _name(who: str, names: Names) -> str:
    return printable(names.get(who, who)) or "GM"
