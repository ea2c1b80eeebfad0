"""Dice statistics as histograms, gauges and sentences."""

from collections.abc import Mapping, Sequence
from itertools import groupby

import attrs

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.json import json_shape, merged
from rollbook.adapters.line_commands.styled import Text
from rollbook.adapters.line_commands.views.table import BARS, NAME_WIDTH, sparkline
from rollbook.adapters.presentation.plain_text import printable
from rollbook.domain.base.identifiers import CampaignId
from rollbook.domain.base.number_words import counted
from rollbook.domain.base.records import Record
from rollbook.projections.luck import FaceSeries, Hits, Luck, Origin, Report, RollGroup, wording
from rollbook.projections.luck.against_odds import FEWEST
from rollbook.projections.luck.patterns import Count, Selectivity
from rollbook.projections.luck.report import Typed
from rollbook.projections.luck.wording import TOO_FEW

WIDTH = 36
"""The columns of the longest bar of a histogram."""

PICTURED = 30
"""Fewest dice of a size for a picture of their faces."""

GAUGE = 7
"""The columns to each side of the middle of a gauge: three standard deviations."""

ORIGINS = {
    Origin.STREAM: ("stream", "from the stream", "From the committed stream: proven once its seed is revealed"),
    Origin.TYPED: ("typed in", "typed in", "Typed in from real dice: nobody can prove those"),
    Origin.IMPORTED: ("imported", "from another program", "From another program: nobody can prove those"),
}
"""Names of an origin in a column and in a sentence, and the heading above its faces."""

EXPLAINED = "Two of three fair series have such a mean; 19 of 20 bars end inside ▏ and ▕."
FILTERED = "Rolls that were picked by a filter after they fell prove nothing, however they look."
GAUGED = "Totals by each roll’s exact odds: two of three fair series lie inside the ┊."


@attrs.frozen
class StatsView(Record):
    """View of a report: grouped ``by`` what, ``of`` whom ("" is the GM's page).

    ``party`` is the number of groups in the whole campaign with enough rolls to say anything.
    """

    by: str
    party: int
    names: Mapping[str, str]
    of: str = ""
    is_filtered: bool = False
    details: bool = False

    def called(self, key: str) -> str:
        """The name of a group."""
        if self.by == "session":
            return f"session {key}" if key != "0" else "between sessions"
        return printable(self.names.get(key, key) if self.by == "character" else key) or "nobody"


def show_stats(context: CommandContext, title: str, found: Report, view: StatsView) -> None:
    """Print the page of dice and luck: faces by origin, luck, typed dice, and what does not count."""
    if not found.rolls and not found.aside:
        context.print("No dice have fallen yet." if not (view.of or view.is_filtered) else "No dice fit.")
        return
    words = {origin: said for origin, (_, said, _) in ORIGINS.items()}
    counts = ", ".join(f"{many:,} {words.get(origin, origin)}" for origin, many in sorted(found.origins.items()))
    whose = f" · {printable(view.names.get(view.of, view.of))}" if view.of else ""
    context.print(Text.assemble((printable(title) + whose, "bold cyan"), f"  {counted(found.rolls, 'roll')}: {counts}"))
    for origin, (_, _, heading) in ORIGINS.items():
        _faces(context, heading, [faces for faces in found.faces if faces.origin is origin], view)
    _luck(context, found, view)
    _typed(context, found, view)
    _not_counted(context, found)
    if view.is_filtered:
        context.print_paragraph(FILTERED, "dim")


def _heading(context: CommandContext, title: str) -> None:
    context.print("", Text(title, "bold yellow"))


def _faces(context: CommandContext, title: str, found: Sequence[FaceSeries], view: StatsView) -> None:
    """Print the dice of one origin: a picture of the commonest size, or with details of each; a line for the rest."""
    if not found:
        return
    _heading(context, title)
    most = max(found, key=lambda faces: len(faces.faces))
    rest = []
    for faces in found:
        enough = len(faces.faces) >= PICTURED
        if enough and (faces is most or view.details):
            _histogram(context, faces)
        else:
            drawn = sparkline([many for _, many, _ in faces.rows])
            picture = Text(drawn if enough and context.is_terminal else "", "green")
            rest.append((Text(wording.dice(faces)), picture, Text(wording.mean(faces) if enough else TOO_FEW, "dim")))
    context.print_columns(rest, indent=2, right=(0,))


def _histogram(context: CommandContext, faces: FaceSeries) -> None:
    """Print a bar for each face, with the band of fair dice; in a pipe the numbers alone."""
    listed = faces.rows
    low, high = listed[0][2]
    each = f", each row {low:.0f} to {high:.0f} times"
    context.print(Text.assemble("  ", (wording.dice(faces), "bold"), f"  {wording.mean(faces)}{each}"))
    most = max(max(many, high) for _, many, (_, high) in listed)
    cells = []
    for name, many, (low, high) in reversed(listed):
        drawn = [face_bar(many, low, high, most)] if context.is_terminal else []
        cells.append((Text(name), Text(f"{many}", "bold"), *drawn))
    context.print_columns(cells, right=(0, 1), indent=2)
    if context.is_terminal:
        context.print(Text(f"  {EXPLAINED}", "dim"))


def face_bar(many: float, low: float, high: float, most: float) -> Text:
    """A bar as long as ``many`` of ``most``, with marks where the band of fair dice begins and ends."""
    scale = WIDTH / most if most else 0
    filled = round(many * scale)
    begins, ends = int(low * scale), min(WIDTH, round(high * scale))
    marks = {begins: "▏", ends: "▕"}
    drawn = [marks.get(at, "█" if at < filled else "·" if begins < at < ends else " ") for at in range(WIDTH + 1)]

    def style(at: int) -> str:
        return "dim" if at >= filled else "green reverse" if at in marks else "green"

    runs = groupby(range(WIDTH + 1), style)
    return Text.assemble(*(("".join(drawn[at] for at in run), style) for style, run in runs))


def _luck(context: CommandContext, found: Report, view: StatsView) -> None:
    if not found.groups:
        return
    groups = list(found.groups)
    if view.by != "session":
        groups.sort(key=lambda group: -group.luck.rolls)
    apart = len({group.origin for group in groups}) > 1
    _heading(context, f"Luck by {view.by}" + (", real and proven dice apart" if apart else ""))
    context.print_columns([_row(context, group, view, apart=apart) for group in groups], indent=2, right=(1,))
    if context.is_terminal and any(group.luck.is_enough for group in groups):
        context.print(Text(f"  {GAUGED}", "dim"))
    sessions = [luck.z for number, luck in found.sessions if number]
    if len(sessions) > 1 and context.is_terminal:
        drawn = (z_sparkline(sessions), "green")
        context.print(Text.assemble("  Session by session ", drawn, ("  low ▁ to high █", "dim")))
    left_out = sum(group.luck.left_out for group in groups)
    if left_out:
        context.print(Text(f"  {counted(left_out, 'roll')} could not be counted out and left aside.", "dim"))
    if any(not group.luck.is_enough for group in groups):
        context.print(Text(f"  Below {FEWEST} rolls nothing is said.", "dim"))


def _row(context: CommandContext, group: RollGroup, view: StatsView, *, apart: bool) -> tuple[Text, ...]:
    """Cells of a group: name, number of rolls, gauge, and what that is worth. The name has the colour of every name."""
    luck = group.luck
    name = Text(view.called(group.key)[:NAME_WIDTH], "magenta")
    drawn = [gauge(luck.z) if luck.is_enough else Text()] if context.is_terminal else []
    rolls = f"{luck.rolls:,} {ORIGINS[group.origin][0]}" if apart else counted(luck.rolls, "roll")
    said = Text(wording.luck(luck, view.by, view.party), "default" if luck.is_enough else "dim")
    if luck.is_enough:
        lines = [wording.totals(luck), wording.targets(group.hits) if group.hits.is_enough else ""]
        said.append("".join(("\n" if drawn else "; ") + line for line in lines if line), "dim")
    return name, Text(rolls), *drawn, said


def gauge(z: float) -> Text:
    """A gauge of a z-value, between three standard deviations below and above."""
    at = max(-GAUGE, min(GAUGE, round(z / 3 * GAUGE)))
    inner = round(0.967 / 3 * GAUGE)
    text = Text()
    for place in range(-GAUGE, GAUGE + 1):
        here = "●" if place == at else "┊" if abs(place) == inner else "│" if not place else "·"
        text.append(here, "bold" if place == at else "dim")
    return text


def z_sparkline(numbers: Sequence[float]) -> str:
    """z-values as small bars: the middle one is the mean."""
    last = len(BARS) - 1
    return "".join(BARS[max(0, min(last, round((z + 3) / 6 * last)))] for z in numbers)


def _typed(context: CommandContext, found: Report, view: StatsView) -> None:
    """Print what can be said of dice that people typed in; those of which nothing can be said are named in one line."""
    if not found.typed:
        return
    _heading(context, "Dice that were typed in")
    for each in filter(wording.is_said, found.typed):
        for at, line in enumerate(wording.typed(each, len(found.typed))):
            context.print_paragraph(printable(line), indent=4 if at else 2)
        counts = (("The same face twice running", each.repeats), ("Runs above and below the middle", each.runs))
        for what, count in counts if view.details else ():
            if count is not None:
                context.print_paragraph(wording.count(what, count), "dim", indent=4)
    few: dict[str, list[str]] = {}
    for each in found.typed:
        if not wording.is_said(each):
            few.setdefault(each.seat or "nobody in particular", []).append(wording.dice(each.faces))
    if few:
        sizes = "; ".join(f"{printable(seat)} {', '.join(dice)}" for seat, dice in few.items())
        context.print_paragraph(f"{TOO_FEW.capitalize()} (below {wording.TYPED_FROM}): {sizes}", "dim", indent=2)
    context.print_paragraph(wording.POWER, "dim", indent=2)


def _not_counted(context: CommandContext, found: Report) -> None:
    if not found.aside:
        return
    _heading(context, "Seen, and not counted")
    context.print_paragraph(
        ", ".join(f"{counted(many, 'roll')} {fate}" for fate, many in found.aside.items()), indent=2
    )
    for seat, selective in found.selective.items():
        context.print_paragraph(f"{printable(wording.selective(seat, selective))}.", indent=2)


def stats_json(campaign: CampaignId, found: Report, view: StatsView) -> dict[str, object]:
    """The whole page as JSON. E-values occur only in its sentences (``said``), once worth saying."""
    groups = [
        merged(
            group,
            name=view.called(group.key),
            luck=merged(group.luck, said=wording.luck(group.luck, view.by, view.party)),
        )
        for group in found.groups
    ]
    typed = [merged(typed, said=wording.typed(typed, len(found.typed))) for typed in found.typed]
    page = merged(found, campaign=campaign, by=view.by, of=view.of, groups=groups, typed=typed)
    return {name: _rounded(value) for name, value in page.items()}


def _rounded(value: object) -> object:
    if isinstance(value, dict):
        return {name: _rounded(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_rounded(held) for held in value]
    return round(value, 4) if isinstance(value, float) else value


def _sessions(found: Report | RollGroup) -> list[dict[str, float]]:
    return [{"session": number, "z": luck.z} for number, luck in found.sessions]


json_shape(
    Report,
    *("rolls", "origins", "faces", "aside"),
    sessions=_sessions,
    selectivity=lambda report: [merged(each, seat=seat) for seat, each in report.selective.items()],
)
json_shape(RollGroup, "key", "origin", "luck", targets=lambda group: group.hits, sessions=_sessions)
json_shape(
    Luck,
    *("rolls", "total", "mean", "variance"),
    about=lambda luck: luck.is_approximate,
    z=lambda luck: luck.z if luck.is_enough else None,
)
json_shape(Hits, "checks", "met", "expected", z=lambda hits: hits.z if hits.is_enough else None)
json_shape(
    FaceSeries,
    *("origin", "sides", "mean"),
    dice=lambda faces: len(faces.faces),
    counts=lambda faces: faces.counts if faces.sides <= 100 else [many for _, many, _ in faces.rows],
)
json_shape(
    Typed,
    *("seat", "repeats", "runs"),
    sides=lambda typed: typed.faces.sides,
    dice=lambda typed: len(typed.faces.faces),
    mean=lambda typed: typed.faces.mean,
)
json_shape(Count, "seen", expected=lambda count: count.mean)
json_shape(Selectivity, "rolls", rank=lambda each: each.rank if each.is_enough else None)
