"""Lanterns: clipped to belt or shield, where good hits break them, thrown, and refilled (R3.57, R3.70)."""

from functools import partial

from rollbook.kit import conditions, counters, d20, equipment, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell.delve import exploration, fire, light_sources
from rollbook.rulesets.russell.delve.light import check_shot, settle_light
from rollbook.rulesets.russell.fight import arms, criticals, hit_points, movement, rolls, turns, wounds
from rollbook.rulesets.russell.gear import first_of
from rollbook.rulesets.russell.settings import house

CLIPPED = "clipped lantern"
"""The condition of a character with a lantern on belt or shield; its ``item`` is the lantern."""

STRUCK_FROM = 15
"""An attack that hits with a die of at least this strikes a clipped lantern."""

THROWN, HITS = "thrown lantern", 20
FIRST_ROUND = "1d3"


def lantern_struck(table: Table, name: str, natural: int) -> None:
    """Break a clipped lantern if an attack hit its bearer with a die of 15 or more (R3.70)."""
    who = table.character(name)
    if not who.has(CLIPPED) or natural < STRUCK_FROM:
        return
    conditions.end(table, name, CLIPPED)
    lantern = clipped_lantern(who)
    if lantern:
        light_sources.use_up(table, name, lantern)
        settle_light(table)


def clipped_lantern(who: Character) -> str:
    """The lantern that a character has clipped on and still holds, "" for none."""
    item = conditions.text(who.conditions.get(CLIPPED), "item")
    return item if light_sources.source_of(who, item) is not None else ""


LANTERN = "lantern"
"""The thing that is thrown unless another is named."""


class Clip(Action, verb="clip"):
    """Clip a lantern to belt or shield: both hands are free, and good hits break it (R3.70)."""

    sentence = "unclips {item:the}{off:if}|clips {item:the} on"

    who: str = param.character("who wears it", actor=True)
    item: str = param.gear("which lantern", fits=light_sources.lanterns_of)
    off: bool = param.flag("take it in hand again", gm_only=False)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if not self.off:
            self._clip_on(table, who)
        elif not conditions.end(table, who.id, CLIPPED):
            table.refuse(f"{who.name} has no lantern clipped on.", "off")

    def _clip_on(self, table: Table, who: Character) -> None:
        item = equipment.called(who, self.item)
        source = light_sources.source_of(who, item)
        if source is None or not source.pips:
            table.refuse(f"{who.name} has no lantern called {self.item!r}.", "item")
        worn = clipped_lantern(who)
        if worn:
            table.refuse(f"{who.name} wears a lantern already. Take it off first: clip {who.id} {worn} --off", "item")
        conditions.end(table, who.id, CLIPPED)
        conditions.begin(table, who.id, CLIPPED, source=item, data={"item": item})


class ThrowLantern(verbs.RollAction, verb="throw-lantern"):
    """Throw a burning lantern at somebody: it is destroyed, and if it hits they burn (R3.70); it strays like a shot (R3.80)."""

    sentence = "throws a burning lantern at {target}"
    typed_dice = (
        DiceStep(
            tests={"the d20 to hit": "to hit", "a die for who else is hit, if it strays": "who is hit"},
            effects={"the 1d3 of the fire": fire.FIRE},
        ),
        wounds.WOUNDING,
        wounds.STUNNING,
    )

    who: str = param.character("who throws", actor=True)
    target: str = param.character("the target")
    item: str = param.gear("which lantern", default=LANTERN, fits=light_sources.lanterns_of, gm_only=False)
    melee: tuple[str, ...] = param.characters(
        "allies who fight the target hand to hand; left out, those engaged", default=(), gm_only=True
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        thrower = require.living(table, who)
        require.any_of((*light_sources.lanterns_of(thrower), LANTERN), partial(cls._check_item, table, thrower))
        turns.take_action(table, who)

    def resolve(self, table: Table) -> None:
        who, target = require.living(table, self.who), require.living(table, self.target)
        if who.id == target.id:
            table.refuse("A lantern is thrown at somebody else. Name another target.", "target")
        item = equipment.called(who, self.item)
        self._check_item(table, who, item)
        self._check_range(table, who, target)
        turns.take_action(table, self.who, out_of_turn=self.out_of_turn)
        self._throw(table, who, target)
        if clipped_lantern(who) == item:
            conditions.end(table, who.id, CLIPPED)
        light_sources.use_up(table, who.id, item)
        settle_light(table)

    @staticmethod
    def _check_item(table: Table, who: Character, item: str) -> None:
        light = light_sources.burning_of(who, item)
        if light is None or not light.source.pips:
            table.refuse(f"{who.name} has no burning lantern called {item!r}. First: light {who.id} {item}", "item")
        if conditions.with_data(who, light_sources.PUT_DOWN, item):
            table.refuse(f"{who.name}'s {item} is set down. Take it up first: hold {who.id} {item}", "item")

    def _check_range(self, table: Table, who: Character, target: Character) -> None:
        bands, is_fight = house(table).ranges, table.encounter is not None
        apart = movement.range_between(table, self.who, target.id) if is_fight else 0
        farthest = movement.reached(bands, movement.CLOSE)
        if apart > farthest:
            table.refuse(
                f"{target.name} is at {bands[apart]} range, and a lantern reaches {bands[farthest]} range only.",
                "target",
            )
        check_shot(table, who, target, bands[apart] if is_fight else "", bands)

    def _throw(self, table: Table, who: Character, target: Character) -> None:
        """Throw it: a hit on the helpless; a natural 20 does more, a 1 harm; it may go astray (R3.78–R3.80, R3.91)."""
        if target.has(conditions.HELPLESS):
            d20.record_check(table, who.id, THROWN, 0, 0, success=True, outcome="helpless", against=target.id)
            self._burst(table, who, target)
            return
        melee = criticals.endangered(table, who, target, self.melee)
        terms, ease = (arms.shooting_term(who), arms.target_term(target)), self.ease + wounds.prey_ease(target)
        roll = rolls.roll_test(table, who, terms, kind="attack", purpose="to hit", ease=ease)
        hits, word = d20.attack_outcome(roll.natural, reaches=roll.total >= HITS)
        d20.record_check(table, who.id, THROWN, roll.total, HITS, success=hits, outcome=word, against=target.id)
        dealt = self._burst(table, who, target) if hits else 0
        if not hits and melee and roll.natural <= criticals.ASTRAY:
            struck = criticals.hit_instead(table, who, melee, check=THROWN, natural=roll.natural)
            self._burst(table, who, table.character(struck))
        elif roll.natural == 20:
            criticals.offer_critical(table, who.id, target, dealt, hit_points.Manner(source=who.id, tags=(fire.FIRE,)))
        elif roll.natural == 1:
            criticals.fumble(table, who.id, target.id, criticals.MISFORTUNE)

    def _burst(self, table: Table, who: Character, target: Character) -> int:
        dealt = fire.scorch(table, target.id, FIRST_ROUND, source=who.id)
        if dealt > 1:
            fire.set_alight(table, target.id, source=who.id)
        return dealt


class Refill(Action, verb="refill"):
    """Fill a lantern from a flask of oil, which takes a Turn (R3.57, Q3.35)."""

    sentence = "refills {item:the}"

    who: str = param.character("whose lantern", actor=True)
    item: str = param.gear("which lantern", fits=light_sources.lanterns_of)
    same_turn: bool = param.flag("in a Turn that is counted already: somebody else's task", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        exploration.check_no_fight(table)
        bearer = require.living(table, who)
        require.any_of(light_sources.lanterns_of(bearer), partial(cls._burnt, table, bearer))
        _oil(table, bearer)

    def resolve(self, table: Table) -> None:
        exploration.check_no_fight(table)
        who = require.living(table, self.who)
        item = equipment.called(who, self.item)
        refilled = self._burnt(table, who, item)
        table.record(events.GearLost(character=who.id, item=_oil(table, who)))
        counters.change(table, who.id, counters.counter(light_sources.BURNT, item), -refilled, "refilled")
        if not self.same_turn:
            exploration.take_turn(table)

    @staticmethod
    def _burnt(table: Table, who: Character, item: str) -> int:
        """The pips of oil that a lantern lacks. Refused if it needs none."""
        source = light_sources.require_source(table, who, item)
        burnt = light_sources.pips_burnt(who, item)
        if not source.pips or not burnt:
            table.refuse(f"{who.name}'s {item} needs no oil.", "item")
        return min(burnt, source.pips)


def _oil(table: Table, who: Character) -> str:
    oil = first_of(who, "oil")
    if not oil:
        table.refuse(f"{who.name} has no flask of oil. Somebody who has one can hand it over: hand-over …")
    return oil
