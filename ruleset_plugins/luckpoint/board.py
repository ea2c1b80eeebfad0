"""The board: the action and the metres that a turn has left, luck, and long tasks under way."""

from collections.abc import Iterator
from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import conditions
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece
from rollbook.rulesets.luckpoint import checks, hit_points, movement
from rollbook.rulesets.luckpoint.encounter import BUSY, KEPT_OUT, REACTED, side_of
from rollbook.rulesets.luckpoint.luck import has_luck, held, luck_cap
from rollbook.rulesets.luckpoint.settings import INDIVIDUAL, OWN_TURN, Settings

LASTS = {**kit.UNTIL_NEXT_ROUND, REACTED: "until own turn"}


def board(campaign: CampaignState) -> Board:
    """A moment of the game: next is any character of a side or, by individual initiative, one (R1.15–R1.17, Q1.6)."""
    settings = Settings.of(campaign)
    return kit.of_game(
        campaign,
        left=_left,
        piece=partial(_piece, settings=settings),
        kept_out=KEPT_OUT,
        seconds=settings.round_seconds,
        lines=_lines(campaign),
        in_order=settings.initiative_mode == INDIVIDUAL,
        side=side_of,
    )


def _left(encounter: Encounter, who: Character) -> tuple[str, ...]:
    """A task action and a move, or a run of twice the distance (R1.16); the critical crawl (R1.46)."""
    moved = encounter.spent.get(movement.METRES, 0)
    metres = max(movement.metres_in_turn(encounter, who)[0] - moved, 0)
    if who.has(hit_points.CRITICAL):
        return (f"a crawl of {metres} m",) if metres else ()
    if encounter.spent.get(movement.ACTION, 0) or who.has(BUSY) or movement.has_run(encounter, who):
        return (f"{metres} m",) if metres else ()
    walk = max(movement.speed(who) - moved, 0)
    run = (f"or a run of {metres} m",) if metres else ()
    return (f"an action and {walk} m" if walk else "an action", *run)


def _piece(who: Character, settings: Settings) -> Piece:
    luck = f"luck {held(who)} of {luck_cap(who)}" if has_luck(who) else f"luck {held(who)}" if held(who) else ""
    bleeds = "1d6 a turn" if settings.bleed_at == OWN_TURN else "1d6 a round"
    return Piece(resources=(luck,) if luck else (), lasts={**LASTS, conditions.BLEEDING: bleeds})


def _lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    """Tasks that take several successes (R1.7)."""
    labels = kit.labels(campaign)
    people = kit.present(campaign)
    tasks = (f"{task} by {labels[who.id]}: {done}" for who in people for task, done in checks.tasks_of(who))
    yield "Successes", ", ".join(tasks)
