"""A spirit's conjured body: hit points of its own, decay, and the hours until the spirit awakens (R0.153, Q0.61)."""

from rollbook.kit import clock
from rollbook.plugin import Character, Condition, Table, events
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.heritages import heritage_of

BODY = "body"
"""The pool that counts the hit points of the conjured body."""


def hurt_body(table: Table, who: Character, dealt: int, through: int, *, tags: tuple[str, ...], source: str) -> int:
    """Hurt the body instead of the spirit; at 0 hit points it is gone. Returns how many it lost."""
    amount = min(through, who.pools.get(BODY, 0))
    table.record(events.DamageTaken(character=who.id, amount=0, dealt=dealt, tags=(*tags, BODY), source=source))
    if amount > 0:
        table.record(events.PoolSpent(holder=who.id, pool=BODY, amount=amount, reason=source or "hurt"))
    if table.character(who.id).pools.get(BODY, 0) <= 0:
        decay(table, who.id)
    return max(amount, 0)


def mend_body(table: Table, who: Character, amount: int, *, most: int) -> int:
    """Heal the body, up to the spirit's own maximum. Returns how many hit points it got back."""
    back = min(amount, most - who.pools.get(BODY, 0))
    if back > 0:
        table.record(events.PoolGained(holder=who.id, pool=BODY, amount=back, reason="healed"))
    return max(back, 0)


def check_touches(table: Table, who: Character, what: str) -> None:
    """Refuse to let a ghost without a body touch anything."""
    if heritage_of(who).ghost and not who.has(conditions.EMBODIED):
        table.refuse(
            f"{who.name} is a ghost and touches nothing{what}. It conjures a body with: manifest {who.id} body"
        )


AWAKENING = {"the hours until a spirit that lost its body awakens": "hours until it awakens"}


def decay(table: Table, name: str, *, over: Condition | None = None) -> None:
    """The body decays and its conditions end; 1d6 hours later the spirit awakens at its anchor.

    ``over`` is the ended condition of being embodied, if its time has run out.
    """
    embodied = over or table.character(name).conditions.get(conditions.EMBODIED)
    conditions.end(table, name, conditions.EMBODIED)
    for state in [state for state, _ in conditions.states_of(table.character(name)) if state.bodily]:
        conditions.end(table, name, state.key)
    left = table.character(name).pools.get(BODY, 0)
    if left > 0:
        table.record(events.PoolSpent(holder=name, pool=BODY, amount=left, reason="decays"))
    hours = table.roll("1d6", roller=name, purpose="hours until it awakens").total
    until = (over.until if over else table.clock) + hours * clock.HOUR
    conditions.begin(table, name, conditions.DORMANT, detail=conditions.text(embodied, conditions.ANCHOR), until=until)
