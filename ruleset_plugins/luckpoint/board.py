"""What the board shows: the action and the metres that a turn has left, luck, and long tasks under way."""

from collections.abc import Iterator
from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import conditions, fields
from rollbook.plugin import Board, CampaignState, Character, Piece
from rollbook.rulesets.luckpoint import checks, hit_points, movement
from rollbook.rulesets.luckpoint.encounter import BUSY, KEPT_OUT, REACTED, side_of
from rollbook.rulesets.luckpoint.luck import has_luck, held, luck_cap
from rollbook.rulesets.luckpoint.settings import INDIVIDUAL, OWN_TURN, Settings

LASTS = {**kit.UNTIL_NEXT_ROUND, REACTED: "until own turn"}


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R1.15–R1.17)."""
    settings = Settings.of(campaign)
    return Board(
        left=_left(campaign),
        next=_next(campaign, settings),
        pieces=kit.pieces(campaign, partial(_piece, settings=settings)),
        lines=tuple(_lines(campaign)),
        round_seconds=settings.round_seconds,
    )


def _left(campaign: CampaignState) -> tuple[str, ...] | None:
    """A task action and a move, or a run of twice the distance (R1.16); the critical crawl (R1.46)."""
    turn = kit.on_turn(campaign)
    if turn is None:
        return None
    encounter, who = turn
    moved = encounter.spent.get(movement.METRES, 0)
    metres = max(movement.metres_in_turn(encounter, who)[0] - moved, 0)
    if who.has(hit_points.CRITICAL):
        return (f"a crawl of {metres} m",) if metres else ()
    if encounter.spent.get(movement.ACTION, 0) or who.has(BUSY) or movement.has_run(encounter, who):
        return (f"{metres} m",) if metres else ()
    walk = max(movement.speed(who) - moved, 0)
    run = (f"or a run of {metres} m",) if metres else ()
    return (f"an action and {walk} m" if walk else "an action", *run)


def _next(campaign: CampaignState, settings: Settings) -> tuple[str, ...]:
    """Anybody of the side that is to act; where everybody has an initiative, the next in the order (R1.15, Q1.6)."""
    waiting = kit.still_to_act(campaign, KEPT_OUT)
    if settings.initiative_mode == INDIVIDUAL:
        return kit.ids(waiting[:1])
    return kit.ids(who for who in waiting if side_of(who) == side_of(waiting[0]))


def _piece(who: Character, settings: Settings) -> Piece:
    luck = f"luck {held(who)} of {luck_cap(who)}" if has_luck(who) else f"luck {held(who)}" if held(who) else ""
    bleeds = "1d6 a turn" if settings.bleed_at == OWN_TURN else "1d6 a round"
    return Piece(resources=(luck,) if luck else (), lasts={**LASTS, conditions.BLEEDING: bleeds})


def _lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    """Tasks that take several successes (R1.7)."""
    labels = kit.labels(campaign)
    tasks = [
        f"{fields.text(who.trait_data.get(task, {}), checks.TASK)} by {labels[who.id]}: {who.pools.get(task, 0)}"
        for who in kit.present(campaign)
        for task in who.traits_of(checks.TASK)
    ]
    if tasks:
        yield "Successes", ", ".join(tasks)
