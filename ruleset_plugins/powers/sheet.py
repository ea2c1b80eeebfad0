"""The sheet, with every stat also as the DC that it sets, and the board: powers left, and possible interrupts."""

from collections.abc import Iterator
from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import sheet_lines, turn_order
from rollbook.kit.remembering import remembered
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece, Sheet, Term, Value, summed
from rollbook.rulesets.powers.checks import REROLL
from rollbook.rulesets.powers.encounter import INTERRUPTED, MAY_INTERRUPT, USED
from rollbook.rulesets.powers.hit_points import KEPT_OUT, max_hp, status
from rollbook.rulesets.powers.powers import MAIN, Power, powers_of
from rollbook.rulesets.powers.settings import ANY_NUMBER, ONE, Settings
from rollbook.rulesets.powers.stats import DEFENSE, INITIATIVE, MAX_HP, dc_terms, stat_term, stat_title

BODY, STATS, DCS, ATTACKS, PROGRESS = "Body", "Stats", "As a DC", "Attacks", "Progress"
OWN = (DEFENSE, MAX_HP, INITIATIVE)
TAKEN = ("ac", "hp", "xp", "level", "to_hit", "rerolls")
"""Keys of the sheet that no stat of the table's own may take."""


def sheet(who: Character, campaign: CampaignState) -> Sheet:
    """A character's sheet under the campaign's house rules."""
    settings = Settings.of(campaign)
    return sheet_lines.sheet(who, str(who.kind), _values(who, settings), _words(who, settings))


def _values(who: Character, settings: Settings) -> Iterator[Value]:
    yield from _body(who, settings)
    stats = [stat for stat in who.stats if stat not in OWN]
    for stat in stats:
        key = f"stat:{stat}" if stat in TAKEN or ":" in stat else stat
        yield summed(key, stat_title(stat), (stat_term(who, stat),), group=STATS, signed=True)
    for stat in stats:
        yield summed(f"dc:{stat}", f"{stat_title(stat)} DC", dc_terms(who, stat, settings), group=DCS)
    yield from _attacks(who)
    if who.pools.get(REROLL):
        held = (Term(who.pools[REROLL], "held", "R2.9", f"pool.{REROLL}"),)
        yield summed("rerolls", "Rerolls", held, group=PROGRESS)
    if who.experience:
        yield sheet_lines.experience(who, group=PROGRESS)


def _body(who: Character, settings: Settings) -> Iterator[Value]:
    most = max_hp(who)
    yield summed("ac", "Defense", dc_terms(who, DEFENSE, settings), group=BODY)
    yield sheet_lines.hit_points(who, most, rules=("Q2.10", "Q2.10"), path=f"stat.{MAX_HP}", group=BODY)
    yield summed("max_hp", "Maximum hit points", (Term(most, "as entered", "Q2.10", f"stat.{MAX_HP}"),), group=BODY)
    yield summed("initiative", "Initiative", (stat_term(who, INITIATIVE),), group=BODY, signed=True)


def _attacks(who: Character) -> Iterator[Value]:
    """Yield the bonus of every attack roll; the first one is the Strike, which every character has."""
    attacks = [(key, power) for key, power in powers_of(who).items() if power.attack]
    for place, (key, power) in enumerate(attacks):
        terms, key_on_sheet = (stat_term(who, power.rolls),), f"to_hit:{key}" if place else "to_hit"
        yield summed(key_on_sheet, f"To hit: {power.title}", terms, group=ATTACKS, signed=True)


def _words(who: Character, settings: Settings) -> Iterator[tuple[str, str]]:
    yield "Status", status(who)
    for power in powers_of(who).values():
        yield power.title, _described(power, settings)
    yield from sheet_lines.conditions(who)
    yield from sheet_lines.gear(who)
    yield from sheet_lines.open_choices(who)


def _described(power: Power, settings: Settings) -> str:
    """The cost of a power, its roll, and the effect of success."""
    kind = f"{power.cost_under(settings)} {'attack' if power.attack else 'power'}"
    roll = f", {stat_title(power.rolls)} against {power.against.replace('_', ' ')}" if power.rolls else ""
    brings = power.success.summary.replace("{strike_damage}", settings.strike_damage) if power.success else ""
    return f"{kind}{roll}{': ' + brings if brings else ''}"


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R2.11–R2.16)."""
    settings = Settings.of(campaign)
    seconds, left, lines = settings.round_seconds, partial(_left, settings), _lines(campaign)
    return kit.of_game(campaign, left=left, piece=_piece, kept_out=KEPT_OUT, seconds=seconds, lines=lines)


def _left(settings: Settings, encounter: Encounter, who: Character) -> tuple[str, ...]:
    """One main power and any number of free ones, none of them twice; or as the table counts (R2.11, Q2.5)."""
    known = powers_of(who)
    used = [known[key].title for key in turn_order.spent_on(encounter, USED) if key in known]
    but = f" but {', '.join(used)}" if used else ""
    if settings.power_cost == ANY_NUMBER:
        return (f"any power{but}",)
    main = () if MAIN in encounter.spent else ("one power" if settings.power_cost == ONE else "a main power",)
    return main if settings.power_cost == ONE else (*main, f"free powers{but}")


@remembered
def _piece(who: Character) -> Piece:
    rerolls = who.pools.get(REROLL, 0)
    return Piece(resources=(kit.counted(rerolls, REROLL),) if rerolls > 0 else (), lasts=kit.UNTIL_NEXT_ROUND)


def _lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    """The line of characters who, attacked in the turn before, may take this one until it is begun (R2.13, Q2.7)."""
    turn = kit.on_turn(campaign)
    if turn is None or set(turn[0].spent) - {MAY_INTERRUPT, INTERRUPTED}:
        return
    claimants = turn_order.spent_on(turn[0], MAY_INTERRUPT)
    labels = kit.labels(campaign)
    may = (labels[who.id] for who in kit.still_to_act(campaign, KEPT_OUT) if who.id in claimants)
    yield "May interrupt", ", ".join(may)
