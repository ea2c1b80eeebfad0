"""Recorded steps as verbs of a game: attacks, saves, damage, healing and turns, with the dice and numbers on record.

The game is spoken to by the names of its verbs and their parameters alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

from rollbook.adapters.imports import ImportedAction
from rollbook.adapters.imports.avrae import lines, play_steps
from rollbook.adapters.imports.avrae.actions import ImportedDeed
from rollbook.adapters.imports.avrae.automation import AutomationWalk, WalkedStep, spoken
from rollbook.adapters.imports.avrae.ledger import Ledger, Tracked
from rollbook.adapters.imports.avrae.play_steps import AS_RECORDED, TEMPORARY, Author, Lacking, Params
from rollbook.adapters.imports.avrae.state import STANCES, Combatant
from rollbook.application.playing.recorded_play import Expected, Play
from rollbook.domain import events
from rollbook.domain.events import CharacterKind, Event, ParameterValue, Scalar

RULESET = "srd5"
SETTINGS: Mapping[str, Scalar] = {"edition": "2014", "group_initiative": False}
ARMOUR = "armour_class"
ENTERED = ("weapon", "entered")
"""The beginning of the use of an attack with numbers of its own."""
UNARMOURED = 10
"""The armour class of who has none on record."""

CONDITIONS = (
    *("blinded", "charmed", "deafened", "frightened", "grappled", "incapacitated", "invisible", "paralyzed"),
    *("petrified", "poisoned", "prone", "restrained", "stunned", "unconscious"),
)

RESTS = {"longrest": "long-rest", "shortrest": "short-rest"}

_OUT_OF_TURN: Params = {"out_of_turn": True}


class Plays:
    """Recorded actions as verbs. What the game was told of each character is remembered, so that only changes are told."""

    def __init__(self, ledger: Ledger, gm: str) -> None:
        self._ledger = ledger
        self._gm = gm
        self._told: dict[tuple[str, str], int] = {}
        self._stances: dict[str, dict[str, str]] = {}
        self._attacks: dict[tuple[str, str], dict[tuple[str, ...], str]] = {}
        for who in ledger.known.state.characters.values():
            self._told |= {(who.id, stat): amount for stat, amount in who.stats.items()}
            self._told[who.id, ARMOUR] = who.stats.get(ARMOUR, UNARMOURED) + who.stats.get("ac_bonus", 0)
            self._stances[who.id] = {trait: how for trait, how in who.traits.items() if how in STANCES.values()}
            for item, held in who.gear.items():
                if held.use[:2] == ENTERED:
                    self._attacks[who.id, item] = {held.use[2:]: item}

    # People, and the numbers on their sheets.

    def join(self, who: Tracked, one: Combatant, joined: Sequence[Event], at: int) -> ImportedAction:
        """A newcomer, with hit points, armour class and saves as recorded."""
        came = next(event for event in joined if isinstance(event, events.CharacterJoined))
        stats = {f"save_{ability}": amount for ability, amount in one.saves.items() if amount}
        self._told |= {(who.id, stat): amount for stat, amount in stats.items()}
        self._told[who.id, ARMOUR] = one.armour or UNARMOURED
        params: Params = {"name": came.name, "id": who.id, "kind": came.kind.value, "seat": came.seat}
        params |= {"hp": max(who.max_hp, 0), "ac": one.armour, "stats": stats}
        play = Play(kind="join", verb="join", params=params, expected=Expected(lost={who.id: 0}))
        return ImportedAction("join", {"name": came.name}, self._gm, at, tuple(joined), who.id, play=play)

    def numbers(self, who: Tracked, one: Combatant, at: int) -> Iterator[ImportedAction]:
        """Changes of what a combatant resists, and of a recorded armour class."""
        had, now = self._stances.get(who.id, {}), one.stances
        for kind in (kind for kind in {**had, **now} if had.get(kind) != now.get(kind)):
            if kind in had:
                yield self._ruled("trait", who, at, trait=kind, lose=True)
            if kind in now:
                yield self._ruled("trait", who, at, trait=kind, kind=now[kind])
        self._stances[who.id] = dict(now)
        if one.armour:
            yield from self._tell(who, ARMOUR, one.armour, at)

    def _tell(self, who: Tracked, stat: str, amount: int, at: int) -> Iterator[ImportedAction]:
        change = amount - self._told.get((who.id, stat), UNARMOURED if stat == ARMOUR else 0)
        self._told[who.id, stat] = amount
        if change:
            yield self._ruled("adjust", who, at, what=stat, by=change, reason=AS_RECORDED)

    def _ruled(self, verb: str, who: Tracked, at: int, **params: ParameterValue) -> ImportedAction:
        """A number that the GM puts on a sheet: nothing stands in its place if it cannot be there."""
        play = Play(kind="number on a sheet", verb=verb, params={"who": who.id, **params})
        return ImportedAction(verb, {"who": who.id}, self._gm, at, (), who.id, play=play)

    # Automations.

    def run(
        self, author: Author, before: list[Event], walk: AutomationWalk, defined: lines.Fields
    ) -> Iterator[ImportedAction]:
        """The steps of an automation: verbs where the game has one, all else as it is on record."""
        left, steps = before, list(walk.steps)
        while steps:
            step = steps.pop(0)
            if str(step.node.get("type")) not in play_steps.KINDS:
                left += step.events
                continue
            yield from author.actions(left)
            left, group = [], [step]
            while step.node.get("did_hit") and steps and play_steps.is_below(steps[0], step):
                group.append(steps.pop(0))
            yield from self._played(author, group, defined)
        yield from author.actions(left)

    def _played(self, author: Author, group: list[WalkedStep], defined: lines.Fields) -> Iterator[ImportedAction]:
        """One step, or an attack with its damage; dice that no verb rolls come first."""
        kind, apart = str(group[0].node["type"]), [event for each in group for event in play_steps.dice_apart(each)]
        try:
            if kind == "attack":
                before, play = self._attack(author, group[0], group[1:], defined)
            else:
                before, play = (
                    self._save(author, group[0]) if kind == "save" else ([], play_steps.points(author, group[0]))
                )
        except Lacking as why:
            before, apart, play = [], [], Play(kind=play_steps.KINDS[kind], lacks=str(why))
        yield from before
        yield from author.actions(apart)
        happened = [event for each in group for event in each.events if event not in apart]
        yield from author.actions(happened, play)

    def _attack(
        self, author: Author, step: WalkedStep, harms: list[WalkedStep], defined: lines.Fields
    ) -> tuple[list[ImportedAction], Play]:
        target, roll = play_steps.target_of(step), play_steps.roll_in(step, "to_hit_roll")
        faces, ways, more = play_steps.d20s(roll)
        usual = step.node.get("attack_bonus")
        hit = usual if isinstance(usual, int) else more
        rolls = [play_steps.summands(harm) for harm in harms]
        critical = bool(step.node.get("did_crit"))
        parts = [play_steps.halved(part) if critical else part for each in rolls for part in each]
        deals, plus, further = play_steps.weapon_of(parts) if parts else self._usual_damage(author, hit, defined)
        weapon, before = self._armed(author, (f"{hit:+d}", f"{deals}{plus}", further.pop(0)))
        before += self._tell(target, ARMOUR, lines.whole(step.node, "ac"), author.at) if step.node.get("ac") else ()
        params: Params = {"attacker": author.actor.id, "target": target.id, "weapon": weapon}
        params |= {"more": tuple(further)} if further else {}
        params |= {"bonus": (f"{more - hit:+d} {AS_RECORDED}",)} if more != hit else {}
        expected = attrs.evolve(
            play_steps.standing((harms or [step])[-1]), successes=(lines.truth(step.node, "did_hit"),)
        )
        fallen = tuple(face for each in rolls for part in each for face in part.faces)
        every = tuple({**way, **turn} for turn in ({}, _OUT_OF_TURN) for way in ways)
        dice = (*faces, *fallen)
        return before, Play(kind="attack", verb="attack", params=params, dice=dice, ways=every, expected=expected)

    def _usual_damage(self, author: Author, hit: int, defined: lines.Fields) -> tuple[str, str, list[str]]:
        """The damage of an attack that missed: as last seen, or as it is defined."""
        seen = [use for use in self._attacks.get((author.actor.id, author.thing), {}) if use[0] == f"{hit:+d}"]
        if seen:
            return seen[-1][1], "", [seen[-1][2]]
        found = play_steps.DEFINED.fullmatch(play_steps.damage_defined(defined))
        if found is None:
            return "0", "", [""]
        return found["dice"], (found["more"] or "").replace(" ", ""), [play_steps.kind_of(found["label"] or "")]

    def _armed(self, author: Author, use: tuple[str, ...]) -> tuple[str, list[ImportedAction]]:
        """The name of an attack with these numbers; it is put on the sheet first if it is not there."""
        actor = author.actor
        known = self._attacks.setdefault((actor.id, author.thing), {})
        if use in known:
            return known[use], []
        name = known[use] = author.thing if not known else f"{author.thing} ({use[0]} {use[1]})"
        return name, [self._ruled("give", actor, author.at, item=name, use=(*ENTERED, *use))]

    def _save(self, author: Author, step: WalkedStep) -> tuple[list[ImportedAction], Play]:
        if step.node.get("dc") is None:
            raise Lacking("the DC is not on record")
        roll, ability = play_steps.roll_in(step, "save_roll"), spoken(lines.text(step.node, "ability"))
        said = lines.whole(step.node, "dc"), lines.truth(step.node, "did_save")
        return self._saved(step.target or author.actor, author.at, ability, roll, *said)

    def _saved(
        self, who: Tracked, at: int, ability: str, roll: play_steps.Rolled, dc: int, success: bool
    ) -> tuple[list[ImportedAction], Play]:
        faces, ways, more = play_steps.d20s(roll)
        before = list(self._tell(who, f"save_{ability[:3]}", more, at))
        params: Params = {"who": who.id, "ability": ability[:3], "dc": dc}
        expected = Expected(successes=(success,))
        return before, Play(kind="save", verb="save", params=params, dice=faces, ways=ways, expected=expected)

    # Commands, and turns.

    def typed(self, deed: ImportedDeed, seat: str, at: int) -> list[ImportedAction]:
        """The actions of a command by which somebody saved, rested or changed hit points by hand; none for any other."""
        who, happened, what = self._ledger.of_id(deed.actor), deed.events, str(deed.params.get("what", ""))
        if who is None:
            return []
        if what == "death save":
            return [self._death_save(seat, at, who, happened)]
        match deed.verb, happened:
            case "save", [events.DiceRolled() as roll, events.CheckResolved() as check]:
                ability = what.replace("concentration", "constitution")
                before, play = self._saved(who, at, ability, roll, check.target, check.success)
                return [*before, ImportedAction("save", deed.params, seat, at, tuple(happened), who.id, play=play)]
            case (("hp" | "rest"), _):
                return self._by_hand(seat, at, who, happened)
        return []

    def _by_hand(self, seat: str, at: int, who: Tracked, happened: Sequence[Event]) -> list[ImportedAction]:
        """Hit points that somebody changed by a command, as harm or healing; nothing for any other change."""
        change = happened[-1] if happened else None
        absorbed = all(isinstance(event, events.PoolSpent) and event.pool == TEMPORARY for event in happened[:-1])
        if not absorbed or not isinstance(change, (events.DamageTaken, events.HitPointsRestored)):
            return []
        kind, verb, amount = "healing", "heal", change.amount
        if isinstance(change, events.DamageTaken):
            kind, verb, amount = "damage", "harm", change.dealt
        params: Params = {"who": who.id, "amount": str(amount), "source": ", ".join(change.tags)}
        expected = play_steps.stands(who, who.max_hp - (who.hp or 0), who.temp_hp)
        play = Play(kind=kind, verb=verb, params=params, expected=expected)
        if rest := next((RESTS[tag] for tag in change.tags if tag in RESTS), ""):
            play = Play(kind="rest", verb=rest, params={"who": (who.id,)}, expected=expected, instead=play)
        return [ImportedAction(verb, {"who": who.id}, seat, at, tuple(happened), who.id, play=play)]

    def condition(self, seat: str, at: int, event: Event) -> ImportedAction | None:
        """A condition that the rules know, and that the bot has as an effect of this name; None for any other event."""
        if not isinstance(event, (events.ConditionBegan, events.ConditionEnded)):
            return None
        event = attrs.evolve(event, condition=event.condition.casefold())
        if event.condition not in CONDITIONS:
            return None
        ends = isinstance(event, events.ConditionEnded)
        params: Params = {"who": event.character, "condition": event.condition, "ends": ends}
        play = Play(kind="condition", verb="condition", params=params)
        return ImportedAction("condition", {"who": event.character}, seat, at, (event,), event.character, play=play)

    def _death_save(self, seat: str, at: int, who: Tracked, happened: Sequence[Event]) -> ImportedAction:
        """A death save that somebody rolled by a command."""
        dice = tuple(die.face for event in happened if isinstance(event, events.DiceRolled) for die in event.dice)
        expected = Expected(lost={who.id: who.max_hp - (who.hp or 0)})
        play = Play(kind="death save", verb="death-save", params={"who": who.id}, dice=dice, expected=expected)
        return ImportedAction("save", {"who": who.id}, seat, at, tuple(happened), who.id, play=play)

    def turn(self, seat: str, at: int, happened: Sequence[Event], before: int, now: int) -> Iterator[ImportedAction]:
        """A turn that passes: who leaves or comes in, then one turn ends after the other, of all that act together.

        ``before`` and ``now`` are the rounds.
        """
        passing = [event for event in happened if isinstance(event, _PASSING)]
        if others := tuple(event for event in happened if not isinstance(event, _PASSING)):
            yield ImportedAction("update", {}, seat, at, others)
        ended = [event for event in passing if isinstance(event, events.TurnEnded)]
        for one, other in pairwise(ended):
            happens = (one, events.TurnBegan(character=other.character))
            yield self._turn(seat, at, happens, before, other.character)
        if rest := tuple(event for event in passing if event not in ended[:-1]):
            begun = next((event.character for event in rest if isinstance(event, events.TurnBegan)), "")
            yield self._turn(seat, at, rest, now, begun if ended else "")

    def _turn(self, seat: str, at: int, happened: tuple[Event, ...], number: int, begun: str) -> ImportedAction:
        who = self._ledger.of_id(begun)
        is_dead = who is not None and who.kind is not CharacterKind.PLAYER_CHARACTER and who.hp == 0
        expected, lacks = Expected(turn=begun, round=number), "the dead have no turn" if is_dead else ""
        play = Play(kind="turn", verb="end-turn", expected=expected, lacks=lacks) if begun else None
        return ImportedAction("next-turn", {}, seat, at, happened, begun, play=play)


_PASSING = (events.TurnEnded, events.RoundEnded, events.RoundBegan, events.TurnBegan)
