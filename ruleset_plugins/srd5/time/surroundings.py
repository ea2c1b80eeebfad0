"""Light, sight and weather, and what they make of attacks and Perception (R5.33–R5.35, R5.112, R5.127, R5.197, R5.315).

On record: the GM's pools ``light`` (0 bright, 1 dim, 2 darkness, 3 sunlight), ``wind`` and ``rain`` (1 strong); the
condition ``in other light`` (``light``) on who stands elsewhere; a lit source is a condition called like the thing, with
the feet that it lights (``bright``, ``dim``). Fog that hides lightly or heavily is as dim light or darkness are.
"""

from collections.abc import Iterator

from rollbook.kit import catalogues, conditions, d20, require, verbs
from rollbook.plugin import Action, CampaignState, Table, events, param, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.fight import durations, places, turns
from rollbook.rulesets.srd5.fight.places import BRIGHT, DARK, DIM, ELSEWHERE, LIGHT
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.d20_tests import ATTACK, CHECK, DISADVANTAGE, Test, edge, reason

LIGHTS = ("bright", "dim", "darkness", "sunlight")
WINDS, SKIES = ("calm", "strong"), ("clear", "heavy")
WIND, RAIN = "wind", "rain"


class Surroundings(Action, verb="surroundings", gm_only=True):
    """Say how light it is, and what wind and sky do; for everybody, or for those who stand elsewhere (R5.35, R5.315)."""

    sentence = "describes the surroundings"

    light: str = param.choice("how light it is; fog is as dim light or darkness", ("", *LIGHTS), default="")
    wind: str = param.choice("the wind", ("", *WINDS), default="")
    sky: str = param.choice("what falls from the sky", ("", *SKIES), default="")
    who: tuple[str, ...] = param.characters("who stands in another light than the rest", default=())

    def resolve(self, table: Table) -> None:
        if not (self.light or self.wind or self.sky):
            table.refuse("Say what they are like: surroundings --light dim, or --wind strong, or --sky heavy", "light")
        for name in self.who if self.light else ():
            data = {LIGHT: LIGHTS.index(self.light)}
            conditions.begin(table, name, ELSEWHERE, detail=self.light, data=data, again=True)
        said = ((WIND, self.wind, WINDS), (RAIN, self.sky, SKIES), (LIGHT, "" if self.who else self.light, LIGHTS))
        for pool, word, words in said:
            if word:
                table.record(events.PoolBecame(holder="", pool=pool, amount=words.index(word)))
        for who in table.characters() if self.wind == WINDS[1] or self.sky == SKIES[1] else ():
            conditions.end_with_data(table, who.id, "flame")


def lines(campaign: CampaignState) -> Iterator[tuple[str, str]]:
    """Yield what the board says of light, wind and sky, where they are not as usual."""
    pools = campaign.pools
    if pools.get(LIGHT, BRIGHT):
        yield "Light", LIGHTS[pools[LIGHT] % len(LIGHTS)]
    weather = ("strong wind" if pools.get(WIND, 0) else "", "heavy rain or snow" if pools.get(RAIN, 0) else "")
    yield "Weather", ", ".join(filter(None, weather))


def _pay(table: Table, name: str, cost: str = "", *, out_of_turn: bool = False) -> None:
    """Pay for a light: a bonus action, in 2014 an action, or what the GM rules (R5.275)."""
    usual = turns.ACTION if Settings.of(table).is_old else turns.BONUS
    turns.take(table, name, cost or usual, out_of_turn=out_of_turn)


class Kindle(turns.PaidVerb, verb="kindle"):
    """Light a torch or lamp by a bonus action: a candle or torch is used up, a lamp burns a flask of oil (R5.275)."""

    sentence = "lights {item:the}"

    who: str = param.character("who carries it", actor=True)
    item: str = param.gear("which thing", gm_only=False)

    check_available = verbs.available_if(_pay)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        rows = catalogue.equipment()
        lights = {key: each for key, row in rows.items() for each in row.effects if isinstance(each, kinds.Light)}
        shown = [rows[key].name for key in lights]
        key = catalogues.pick("light", {key: key for key in lights}, self.item, shown=shown)
        row, light = rows[key], lights[key]
        burnt = "Oil" if light.fuel else row.name
        held = next((item for item in who.gear if slug(item) == slug(burnt)), "")
        if not held:
            table.refuse(f"{who.name} has no {burnt}. The GM gives one with: give {who.id} {burnt}", "item")
        _pay(table, who.id, self.cost, out_of_turn=self.out_of_turn)
        table.record(events.GearLost(character=who.id, item=held))
        until = durations.lasting(table, light.lasts or "6 hours").until
        data: events.Data = {"bright": light.bright, "dim": light.bright + light.dim, "flame": row.key}
        conditions.begin(table, who.id, row.key, until=until, data=data, again=True)


@reason(CHECK)
def perception(table: Table, test: Test) -> d20.Advantage:
    """Disadvantage on Perception by sight where it is dim, and in heavy rain or snow (R5.33, R5.315)."""
    if test.skill != "perception" or "hearing" in test.versus:
        return d20.NO_ADVANTAGE
    found = d20.NO_ADVANTAGE
    if places.clarity(test.who, places.light_at(table, test.who), 1) in (DIM, DARK):
        found += edge(DISADVANTAGE, "dim light")
    return found + edge(DISADVANTAGE, "rain") if table.gm_pools.get(RAIN, 0) else found


@reason(ATTACK)
def wind(table: Table, test: Test) -> d20.Advantage:
    """Disadvantage on shots in a strong wind (R5.315)."""
    shoots = test.form == "ranged" and test.weapon
    return edge(DISADVANTAGE, "strong wind") if shoots and table.gm_pools.get(WIND, 0) else d20.NO_ADVANTAGE
