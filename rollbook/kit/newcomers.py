"""The verb ``join`` for a game: newcomers in numbers, and newcomers with the numbers of an earlier character.

The pattern is settled when the action is taken: the intent that is stored holds the numbers themselves, so it
comes out the same whatever becomes of the character who was the pattern.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import attrs
import msgspec

from rollbook.domain.actions import joining
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import parameters
from rollbook.domain.rules.parameters import amounts, label, numbers, pairs, settings
from rollbook.domain.rules.sheet import MAX_HP
from rollbook.domain.rules.spelling import STAT, TRAIT, TRAIT_KIND, USE
from rollbook.domain.state.lookup import find_character
from rollbook.plugin import Action, CampaignState, Character, CharacterKind, Handle, HandleKind, Refused, Table, events

__all__ = ["HP_EACH", "SPEED", "JoinAction"]

HP_EACH = "hp_each"
"""The parameter of ``join`` for the hit points of each of several."""
STATS, SPEED, AT = "stats", "speed", "at"
LEVEL, EXPERIENCE = "level", "experience"
NO_KIND = "-"
_COUNT = re.compile("[1-9][0-9]{0,6}")
_MOST = 10_000_000
BESIDE_LIKE = (
    *("name", "id", "kind", "seat", "count", "first", "hp", HP_EACH, "side", "at"),
    *("like", "sheet", "traits", "details", "gear"),
)
"""Parameters that may be given beside ``like``; the rest is the pattern's."""


class JoinAction(joining.JoinAction, verb="join", gm_only=True):
    """A verb ``join``, to be derived from: who comes in. A game adds what its characters are made of.

    ``resolve`` is about one newcomer; for several it is called with each of them. A game whose newcomers have hit points as
    they are entered calls them ``hp``, a number with ``several=HP_EACH``. ``arrived`` is what follows for a newcomer with the
    numbers of another. A game that reads ``like`` itself beside other parameters says so with ``reads_like``.
    """

    sentence = "brings somebody in"
    handles = (
        Handle(kind=HandleKind.BRING_IN, who="name", amount="count", given={"kind": CharacterKind.MONSTER.value}),
    )

    pattern: ClassVar[str] = "like"
    stat_block: ClassVar[Mapping[str, str]] = {"hp": "hp", "ac": "ac", "speed": "speed"}
    reads_like: ClassVar[bool] = False

    hp_each: tuple[int, ...] = numbers(
        "hit points of each of several, as in 9,7,11; how many come in follows", default=()
    )
    like: str = label(
        "somebody who was here, gone or dead too, or a row of a bestiary: whose numbers they have", default=""
    )
    sheet: Mapping[str, int] = amounts("every number of the sheet, as --like writes them", default={}, of=STAT)
    traits: Mapping[str, str] = pairs(
        "every trait with its kind, as --like writes them", default={}, of=f"{TRAIT}={TRAIT_KIND}"
    )
    details: Mapping[str, events.Scalar] = settings(
        "what is written on a trait, as a JSON object, as --like writes it", default={}, of=TRAIT
    )
    gear: Mapping[str, str] = pairs("every thing as many:use:use, as --like writes them", default={}, of=f"={USE}")

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, ParameterValue]:
        """Settle the count, by the hit points that are given, and the numbers of the character that they are like."""
        count = len(self.hp_each) if self.count == 1 and self.hp_each else self.count
        meant = attrs.evolve(self, count=count)
        told: dict[str, ParameterValue] = {"count": count}
        stats = dict(getattr(self, STATS, {}))
        speed = stats.pop(SPEED, 0)  # the speed itself, as the sheet shows it, and nothing on top of the usual one
        if speed > 0 and self.with_speed(speed):
            told |= {STATS: stats, **self.with_speed(speed)}
        return {**told, **self._likeness(campaign), **super(JoinAction, meant).settled(campaign, secret=secret)}

    def with_speed(self, speed: int) -> Mapping[str, Any]:
        """The parameters by which a newcomer has this speed; none where the stat of that name is the speed."""
        return {SPEED: speed} if hasattr(self, SPEED) else {}

    def _likeness(self, campaign: CampaignState) -> dict[str, ParameterValue]:
        """The numbers of the one that the newcomers are like. Refused beside what the pattern decides."""
        if not self.like:
            return {}
        usual = {each.name: each.default for each in parameters(type(self))}
        more = [name for name, value in usual.items() if name not in BESIDE_LIKE and getattr(self, name) != value]
        if more and not self.reads_like:
            raise Refused(
                f"Beside --like there is no --{more[0].replace('_', '-')}: change it afterwards, with adjust or give.",
                parameter=more[0],
            )
        if more:
            return {}
        return likeness(campaign.characters[find_character(campaign, self.like)], kind=self.kind)

    def parts(self) -> Iterator[Action]:
        """The newcomers, each as an action. Refused unless hit points are given for each of them, or for none."""
        if self.hp_each and len(self.hp_each) != self.count:
            raise Refused(
                f"Hit points are given for {len(self.hp_each)}, and --count is {self.count}. Give each theirs.",
                parameter="hp_each",
            )
        self._check_likeness()
        alone = iter((attrs.evolve(self, **self.of_each(0)),)) if self.hp_each and self.count == 1 else super().parts()
        return (Copied(newcomer=each) if isinstance(each, JoinAction) and each.sheet else each for each in alone)

    def _check_likeness(self) -> None:
        """Refuse half of a likeness, hit points in a game that enters none, and a pattern that nobody looked up."""
        if self.like and not self.reads_like:
            raise Refused(f"Nobody has looked up who {self.like!r} is. Say it with: join --like", parameter="like")
        if (self.traits or self.details or self.gear) and not self.sheet:
            raise Refused(
                "--traits, --details and --gear go with --sheet; without it, give a newcomer things with give, traits "
                "with trait.",
                parameter="sheet",
            )
        if self.hp_each and not hasattr(self, "hp"):
            raise Refused(
                "Newcomers have no hit points to be entered in this game. Leave out --hp-each.", parameter="hp_each"
            )

    def of_each(self, place: int) -> Mapping[str, Any]:
        """The hit points that were given for one of several newcomers; on a map they stand in a row to the east."""
        found: dict[str, Any] = {"hp": self.hp_each[place], "hp_each": ()} if self.hp_each else {}
        at = getattr(self, AT, ())
        if place and at and at[0].lstrip("+-").isdecimal():
            found[AT] = (str(int(at[0]) + place), *at[1:])
        return found

    def arrived(self, table: Table, who: str) -> None:
        """Hook for a newcomer with the numbers of another; does nothing, unless a game says more."""


class Copied(Action, verb="join", gm_only=True):
    """A newcomer with the numbers, traits and things that the action holds, instead of the game's own procedure."""

    sentence = "brings somebody in"

    newcomer: JoinAction

    def resolve(self, table: Table) -> None:
        came = self.newcomer
        who = came.enter(table)
        for trait, kind in came.traits.items():
            data = _read_details(table, trait, came.details[trait]) if trait in came.details else {}
            table.record(
                events.TraitGained(character=who, trait=trait, kind="" if kind == NO_KIND else kind, data=data)
            )
        for stat, amount in came.sheet.items():
            _enter(table, who, stat, amount)
        for item, said in came.gear.items():
            count, *use = said.split(":")
            if not _COUNT.fullmatch(count):
                table.refuse(f"A thing is written name=many:use, as in bow=1:weapon:light, not {item}={said}.", "gear")
            table.record(events.GearGained(character=who, item=item, count=int(count), use=tuple(use)))
        if hp := getattr(came, "hp", 0):
            _set_most(table, who, hp)
        came.arrived(table, who)


def _read_details(table: Table, trait: str, said: events.Scalar) -> dict[str, events.Scalar]:
    """The data of a trait, as ``likeness`` writes it."""
    try:
        known = msgspec.json.decode(str(said), type=dict[str, events.Scalar])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        known = {"": ""}
    if "" in known:
        table.refuse(
            f"What is written on {trait} is a JSON object of numbers, words and lists of words, not {said!r}.",
            "details",
        )
    return known


def _enter(table: Table, who: str, stat: str, amount: int) -> None:
    if abs(amount) > _MOST or (stat in (LEVEL, EXPERIENCE) and amount < 0):
        table.refuse(f"No sheet has {stat}={amount}.", "sheet")
    if stat == LEVEL:
        table.record(events.LevelGained(character=who, levels=amount))
    elif stat == EXPERIENCE:
        table.record(events.ExperienceAwarded(character=who, amount=amount, reason="as entered"))
    else:
        table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason="as entered"))


def _set_most(table: Table, who: str, hp: int) -> None:
    """A newcomer's hit points as they are given: the maximum becomes this."""
    ruleset = table.ruleset
    shown = ruleset.sheet(table.character(who), table.campaign).value("hp") if ruleset else None
    now = shown.amount if shown else table.character(who).stats.get(MAX_HP, 0)
    if hp != now:
        table.record(events.StatChanged(character=who, stat=MAX_HP, amount=hp - now, reason="as entered"))


def likeness(pattern: Character, *, kind: str = CharacterKind.PLAYER_CHARACTER) -> dict[str, ParameterValue]:
    """The parameters of ``join`` for a newcomer with the numbers, traits and things of another, unhurt.

    ``kind`` is the pattern's unless another is given.
    """
    sheet = dict(pattern.stats)
    sheet |= {name: many for name, many in ((LEVEL, pattern.level), (EXPERIENCE, pattern.experience)) if many}
    if not sheet:
        raise Refused(
            f"{pattern.name} has no numbers on the sheet, so nobody can be like {pattern.name}.", parameter="like"
        )
    return {
        "kind": str(pattern.kind if kind == CharacterKind.PLAYER_CHARACTER else kind),
        "like": "",
        "sheet": sheet,
        "traits": {trait: of or NO_KIND for trait, of in pattern.traits.items()},
        "details": {trait: json.dumps(dict(data)) for trait, data in pattern.trait_data.items() if data},
        "gear": {item: ":".join((str(held.count), *held.use)) for item, held in pattern.gear.items() if held.count > 0},
    }
