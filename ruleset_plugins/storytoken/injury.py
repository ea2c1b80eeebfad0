"""Being hurt and healed, falling and dying (R0.52–R0.56).

Maximum hit points are derived, the campaign keeps what was lost. Being unconscious or dead is recorded as a condition,
because rules that follow ask for it. Death is final (QG.9). What a blow lets through depends on birth and state: rage
halves blows, a ghost feels none, silver hurts a werebeast three times over, and last of all (Q0.53, Q0.59).
"""

from __future__ import annotations

from bisect import bisect_left

from ruleset_plugins import Character, Table, conditions, events, follow_maximum, lose, regain
from ruleset_plugins import settle as settle_at
from ruleset_plugins.storytoken.conditions import (
    DORMANT,
    EMBODIED,
    RAGING,
    RALLIED,
    SILVERED,
    is_magic_proof,
    numbers_in,
    states_of,
)
from ruleset_plugins.storytoken.heritages import heritage_of
from ruleset_plugins.storytoken.hit_points import SLAIN, current_hp, max_hp, returns
from ruleset_plugins.storytoken.innate_power import shock
from ruleset_plugins.storytoken.manoeuvres import land
from ruleset_plugins.storytoken.roles import power
from ruleset_plugins.storytoken.settings import Settings, house
from ruleset_plugins.storytoken.spans import rounds_from_now
from ruleset_plugins.storytoken.spirit_body import BODY, decay, hurt_body, mend_body
from ruleset_plugins.storytoken.task_rolls import TaskRolls

BLOOD, TOKEN, REGENERATION = "blood", "token", "regeneration"
"""The tags of healing that no thirst stands in the way of, and of healing by birth."""

THIRST = "thirst"
"""The pool that counts hit points which only blood brings back (Q0.55)."""

BURNS = "burns"
"""The pool that counts hit points which fire and acid took, and which do not grow back (Q0.57)."""

MAGIC, SILVER, SUNLIGHT, RAGE = "magic", "silver", "sunlight", "rage"
STONE = "stone"
SILVER_LASTS = 24 * 3_600


def let_through(who: Character, dealt: int, tags: tuple[str, ...], settings: Settings, *, blow: bool) -> int:
    """How much of ``dealt`` reaches somebody; a ``blow`` is struck with a weapon, and so is damage without a sort.

    A weapon with magic in it still strikes a blow, which rage halves and a ward does not stop; only a ghost feels it.
    """
    heritage, is_magic, is_blow = heritage_of(who), MAGIC in tags, blow or not tags
    if who.has(DORMANT) or (is_magic and not blow and is_magic_proof(who)):
        return 0
    through = dealt
    if is_blow and not is_magic and heritage.ghost and not who.has(EMBODIED):
        through = 0
    elif is_blow and any(state.halves_blows for state, _ in states_of(who)):
        through = settings.half(dealt)
    return through * heritage.silver if SILVER in tags else through


def at_stake(who: Character, settings: Settings) -> int:
    """The hit points that a blow would take: those of a spirit's body while there is one, or else somebody's own."""
    return who.pools.get(BODY, 0) if who.has(EMBODIED) else current_hp(who, settings)


def felling(who: Character, dealt: int, tags: tuple[str, ...], settings: Settings) -> int:
    """How much of a blow is used up by felling somebody; 0 if they stand after all of it, or lie already (Q0.54)."""
    left = at_stake(who, settings)
    if left <= 0 or let_through(who, dealt, tags, settings, blow=True) < left:
        return 0
    return 1 + bisect_left(
        range(1, dealt + 1), left, key=lambda part: let_through(who, part, tags, settings, blow=True)
    )


def hurt(
    table: Table,
    name: str,
    dealt: int,
    *,
    tags: tuple[str, ...] = (),
    source: str = "",
    stop_at_zero: bool = False,
    blow: bool = False,
    rolls: TaskRolls | None = None,
) -> int:
    """Somebody is dealt damage, or with ``stop_at_zero`` loses only the hit points above 0. Returns how many.

    A mutant's save against the shock is one of the action's ``rolls``.
    """
    who, settings = table.character(name), house(table)
    through = let_through(who, dealt, tags, settings, blow=blow)
    dealt = max(dealt, through)
    if who.has(EMBODIED):
        amount = hurt_body(table, who, dealt, through, tags=tags, source=source)
        if amount and who.has(RALLIED):
            _shorten_rally(table, who)
        return amount
    left = current_hp(who, settings)
    amount = lose(
        table, name, dealt, left=left, tags=tags, source=source, stop_at_zero=stop_at_zero, spared=dealt - through
    )
    if amount:
        _leave_marks(table, who, amount, tags, is_down=left - amount <= 0)
    settle(table, name)
    if SUNLIGHT in tags and heritage_of(who).turns_to_stone and table.character(name).has(conditions.DEAD):
        conditions.begin(table, name, STONE, source=SUNLIGHT)
    if dealt and who.lost <= 0:
        shock(table, name, source, rolls or TaskRolls(table))
    return amount


def _leave_marks(table: Table, who: Character, amount: int, tags: tuple[str, ...], *, is_down: bool) -> None:
    """What a wound does besides: who cannot come back, what does not grow back, what stops a rally or fast healing."""
    heritage = heritage_of(who)
    if heritage.slain_by and is_down:
        _mark_last_blow(table, who, next((tag for tag in tags if tag in heritage.slain_by), ""))
    if set(tags).intersection(heritage.lasting):
        table.record(events.PoolGained(holder=who.id, pool=BURNS, amount=amount, reason=tags[0]))
    if SILVER in tags and heritage.silver > 1:
        until = table.clock + SILVER_LASTS
        table.record(events.ConditionBegan(character=who.id, condition=SILVERED, source=SILVER, until=until))
    if who.has(RALLIED):
        _shorten_rally(table, who)


def _mark_last_blow(table: Table, who: Character, deadly: str) -> None:
    if deadly:
        conditions.begin(table, who.id, SLAIN, detail=deadly)
    elif not who.has(conditions.DEAD):
        conditions.end(table, who.id, SLAIN)


def _shorten_rally(table: Table, who: Character) -> None:
    """Once an ally is wounded, the rally lasts only so many rounds more (R0.167, Q0.72)."""
    rally = who.conditions[RALLIED]
    rounds = (*numbers_in(rally), 0, 0)[1]
    until = rounds_from_now(table, who, rounds)
    if rounds and until < rally.until:
        table.record(
            events.ConditionBegan(
                character=who.id, condition=RALLIED, source=rally.source, detail=rally.detail, until=until
            )
        )


def restore(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), source: str = "") -> int:
    """Somebody gets up to ``amount`` hit points back, a spirit's body before the spirit, the dead none. Returns how many.

    What thirst took waits for blood, or for a story token (Q0.55).
    """
    who = table.character(name)
    mended = 0
    if who.has(EMBODIED) and TOKEN not in tags:
        mended = mend_body(table, who, amount, most=max_hp(who, house(table)))
    waits = 0 if {BLOOD, TOKEN}.intersection(tags) else who.pools.get(THIRST, 0)
    back = regain(table, name, amount - mended, tags=tags, source=source, keep_lost=waits)
    if back:
        soothe(table, name, back)
        settle(table, name)
    return mended + back


def soothe(table: Table, name: str, healed: int) -> None:
    """Whatever heals a troll, apart from its own nature, heals burns first (Q0.57)."""
    burns = min(healed, table.character(name).pools.get(BURNS, 0))
    if burns > 0:
        table.record(events.PoolSpent(holder=name, pool=BURNS, amount=burns, reason="healed"))


def settle(table: Table, name: str, *, ruled: bool = False) -> None:
    """Record who falls unconscious, dies or comes round. Only a ruling on hit points (``ruled``) undoes death (QG.9)."""
    who = table.character(name)
    if who.has(conditions.DEAD) and not ruled:
        return
    most = max_hp(who, house(table))
    left = most - who.lost
    settle_at(table, name, left=left, dies_at=left - 1 if returns(who) else -most, ruled=ruled)
    if who.has(conditions.DEAD) and not table.character(name).has(conditions.DEAD):
        conditions.end(table, name, STONE)
    if left > 0:
        conditions.end(table, name, SLAIN)
        return
    land(table, name)
    if who.has(RAGING):
        end_rage(table, name)


def end_rage(table: Table, name: str) -> None:
    """Rage is over, by its time, by choice or because its bearer fell: it costs hit points (R0.161, Q0.53)."""
    conditions.end(table, name, RAGING)
    who, settings = table.character(name), house(table)
    cost = power(who, "rage_cost", settings)
    if cost > 0 and not who.has(conditions.DEAD):
        lose(table, name, cost, left=current_hp(who, settings), tags=(RAGE,))
        settle(table, name)


def drop(table: Table, name: str, source: str) -> None:
    """Hit points become 0, if there are any left (R0.72, R0.83); a conjured body goes instead of its spirit (R0.153)."""
    who = table.character(name)
    if who.has(EMBODIED):
        decay(table, name)
        return
    left = current_hp(who, house(table))
    if left > 0:
        lose(table, name, left, left=left, tags=(source,))
        settle(table, name)


def die(table: Table, name: str, source: str) -> None:
    """Somebody dies, whatever hit points are left; of a spirit, its conjured body (R0.153)."""
    if table.character(name).has(EMBODIED):
        decay(table, name)
        return
    land(table, name)
    conditions.end(table, name, conditions.UNCONSCIOUS)
    conditions.end(table, name, RAGING)
    conditions.begin(table, name, conditions.DEAD, source=source)


def after_change(table: Table, before: Character, *, ruled: bool = False) -> None:
    """A maximum may have changed: what rises lifts the current value, what falls clamps it (Q0.83); then settle."""
    settings = house(table)
    after = table.character(before.id)
    follow_maximum(table, before.id, before=max_hp(before, settings), after=max_hp(after, settings))
    _keep_ledgers(table, before.id)
    settle(table, before.id, ruled=ruled)


def _keep_ledgers(table: Table, name: str) -> None:
    """Thirst and burns are parts of what was lost, and never more than that."""
    who = table.character(name)
    for pool in (THIRST, BURNS):
        beyond = who.pools.get(pool, 0) - max(who.lost, 0)
        if beyond > 0:
            table.record(events.PoolSpent(holder=name, pool=pool, amount=beyond, reason="healed"))
