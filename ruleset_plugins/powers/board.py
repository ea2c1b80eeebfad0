"""What the board shows: the powers that a turn has left, who may interrupt it, and reroll effects."""

from collections.abc import Iterator

from rollbook.kit import board as kit
from rollbook.kit import turn_order
from rollbook.plugin import Board, CampaignState, Character, Piece
from rollbook.rulesets.powers.conditions import KEPT_OUT
from rollbook.rulesets.powers.encounter import INTERRUPTED, MAY_INTERRUPT, USED
from rollbook.rulesets.powers.powers import MAIN, powers_of
from rollbook.rulesets.powers.rerolls import REROLL
from rollbook.rulesets.powers.settings import ANY_NUMBER, ONE, Settings


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R2.11–R2.16)."""
    settings = Settings.of(campaign)
    return Board(
        left=_left(campaign, settings),
        next=kit.ids(kit.still_to_act(campaign, KEPT_OUT)),
        pieces=kit.pieces(campaign, _piece),
        lines=tuple(_lines(campaign)),
        round_seconds=settings.round_seconds,
    )


def _left(campaign: CampaignState, settings: Settings) -> tuple[str, ...] | None:
    """One main power and any number of free ones, none of them twice; or as the table counts (R2.11, Q2.5)."""
    turn = kit.on_turn(campaign)
    if turn is None:
        return None
    encounter, who = turn
    known = powers_of(who)
    used = [known[key].title for key in turn_order.spent_on(encounter, USED) if key in known]
    but = f" but {', '.join(used)}" if used else ""
    if settings.power_cost == ANY_NUMBER:
        return (f"any power{but}",)
    main = () if MAIN in encounter.spent else ("one power" if settings.power_cost == ONE else "a main power",)
    return main if settings.power_cost == ONE else (*main, f"free powers{but}")


def _piece(who: Character) -> Piece:
    rerolls = who.pools.get(REROLL, 0)
    return Piece(resources=(kit.counted(rerolls, REROLL),) if rerolls > 0 else (), lasts=kit.UNTIL_NEXT_ROUND)


def _lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    """Those who were attacked in the turn before may take this one, until something is done in it (R2.13, Q2.7)."""
    turn = kit.on_turn(campaign)
    if turn is None or set(turn[0].spent) - {MAY_INTERRUPT, INTERRUPTED}:
        return
    claimants = turn_order.spent_on(turn[0], MAY_INTERRUPT)
    labels = kit.labels(campaign)
    may = [labels[who.id] for who in kit.still_to_act(campaign, KEPT_OUT) if who.id in claimants]
    if may:
        yield "May interrupt", ", ".join(may)
