"""Tells what somebody did: the dice, what they decided, and what that did to whom."""

from collections.abc import Mapping

import attrs

from adapters.imports.avrae import automation as ran
from adapters.imports.avrae.commands import CHECK, ByHand, by_hand, harm, loose_roll, outcome, rested, thing_used
from adapters.imports.avrae.ledger import (
    BY_HAND,
    MAX_HP,
    Ledger,
    Tracked,
    dice_rolled,
    heal,
    protect,
    set_to,
    shift,
    use_counter,
)
from adapters.imports.avrae.lines import RecordedLine, Reply
from adapters.imports.avrae.rolls import RecordedRoll, find_rolls
from adapters.imports.avrae.state import Combatant, Recorded
from domain import events
from domain.events import CharacterKind, Event, Scalar


@attrs.define
class ImportedDeed:
    """One thing somebody did, while it is put together."""

    verb: str
    params: dict[str, Scalar] = attrs.field(factory=dict)
    told: list[Event] = attrs.field(factory=list)


def automation_action(
    ledger: Ledger, run: ran.Automation, command: RecordedLine | None, answer: RecordedLine | None, label: str
) -> ImportedDeed:
    """What an automation did: an attack, a spell, or the use of something."""
    deed = ImportedDeed("use")
    actor = _actor(ledger, run, deed)
    targets = _targets(ledger, run)
    typed = command.content if command is not None else ""
    reply = answer.replies[0] if answer is not None and answer.replies else None
    thing = label or thing_used(reply, run.caster, command.command if command is not None else "", typed)
    deed.verb, roles = _verb(run, command)
    deed.params |= dict(zip(roles, (actor.id, _one_or_all(targets), thing), strict=True))
    deed.params |= {"typed": typed} if typed else {}
    if deed.verb != "attack":
        deed.told.append(events.PowerUsed(character=actor.id, power=thing, target=_only(targets)))
    for happening in run.happenings:
        deed.told += _happened(ledger, happening, actor)
    return deed


def _verb(run: ran.Automation, command: RecordedLine | None) -> tuple[str, tuple[str, str, str]]:
    if run.is_spell or (command is not None and command.command.endswith("cast")):
        return "cast", ("caster", "target", "spell")
    if any(isinstance(happening, ran.AttackRoll) for happening in run.happenings):
        return "attack", ("attacker", "target", "weapon")
    return "use", ("who", "target", "what")


def _actor(ledger: Ledger, run: ran.Automation, deed: ImportedDeed) -> Tracked:
    """Who acts. Somebody may act with a stat block that is not in the combat, a mount's say: it enters as a monster."""
    known = ledger.of_key(run.caster_key) or ledger.named(run.caster)
    if known is None:
        known, joined = ledger.enter(run.caster, CharacterKind.MONSTER)
        deed.told += joined
    return known


def _targets(ledger: Ledger, run: ran.Automation) -> tuple[str, ...]:
    keys = dict.fromkeys(happening.target for happening in run.happenings if not isinstance(happening, _UNTARGETED))
    struck = [who.id for key in keys if (who := ledger.of_key(key)) is not None]
    named = [who.id if (who := ledger.named(name)) is not None else name for name in run.targets]
    return tuple(dict.fromkeys(named or struck))


_UNTARGETED = (ran.Loose, ran.CounterUsed)


def _one_or_all(names: tuple[str, ...]) -> Scalar:
    return names if len(names) > 1 else _only(names)


def _only(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ""


def _happened(ledger: Ledger, happening: ran.Happening, actor: Tracked) -> list[Event]:
    match happening:
        case ran.Loose(roll, purpose):
            return [*dice_rolled(actor.id, purpose, roll)]
        case ran.CounterUsed(counter, used, remaining):
            return use_counter(actor, counter, used, remaining)
        case ran.AttackRoll():
            return _attacked(ledger, happening, actor)
        case ran.SavingThrow():
            return _saved(ledger, happening, actor)
        case ran.Damage(key, roll, amount):
            purpose = "damage" if amount >= 0 else "healing"
            target = ledger.of_key(key)
            tags = roll.labels if roll is not None else ()
            suffered = shift(target, -amount, tags, actor.id) if target is not None else []
            return [*dice_rolled(actor.id, purpose, roll), *suffered]
        case ran.TemporaryHitPoints(key, roll, amount):
            target = ledger.of_key(key)
            gained = protect(target, amount, f"from {actor.name}") if target is not None else []
            return [*dice_rolled(actor.id, "temporary hit points", roll), *gained]


def _attacked(ledger: Ledger, attack: ran.AttackRoll, actor: Tracked) -> list[Event]:
    defender = ledger.of_key(attack.target)
    told = [*dice_rolled(actor.id, "to hit", attack.roll)]
    if attack.roll is not None and attack.armour is not None:
        told.append(
            events.CheckResolved(
                character=actor.id,
                check="attack",
                total=attack.roll.total,
                target=attack.armour,
                success=attack.hit,
                outcome="critical hit" if attack.critical else "hit" if attack.hit else "miss",
                against=defender.id if defender is not None else "",
            )
        )
    return told


def _saved(ledger: Ledger, save: ran.SavingThrow, actor: Tracked) -> list[Event]:
    saver = ledger.of_key(save.target) or actor
    told = [*dice_rolled(saver.id, save.ability, save.roll)]
    if save.roll is not None and save.difficulty is not None:
        told.append(
            events.CheckResolved(
                character=saver.id,
                check=save.ability,
                total=save.roll.total,
                target=save.difficulty,
                success=save.saved,
                outcome="saved" if save.saved else "failed",
                against=actor.id if actor is not saver else "",
            )
        )
    return told


def manual_action(ledger: Ledger, command: RecordedLine, recorded: Recorded | None) -> ImportedDeed | None:
    """Hit points that somebody typed; nothing if the command is another or nobody is meant."""
    asked = by_hand(command.command, command.content)
    if asked is None:
        return None
    who = _meant(ledger, asked, command, recorded)
    if who is None:
        return None
    now = next((one for one in recorded.combatants if ledger.of_key(one.key) is who), None) if recorded else None
    return ImportedDeed("hp", {"who": who.id, "typed": command.content}, _by_hand(who, asked, now))


def _meant(ledger: Ledger, asked: ByHand, command: RecordedLine, recorded: Recorded | None) -> Tracked | None:
    """Whom a typed name means. The bot asks back if it fits several; what was answered shows in who changed."""
    if not asked.name:
        return _caster(ledger, command)
    fitting = ledger.meant_by(asked.name)
    if len(fitting) == 1 or recorded is None:
        return fitting[0] if len(fitting) == 1 else None
    shown = ((ledger.of_key(one.key), one) for one in recorded.combatants)
    changed = [who for who, one in shown if who in fitting and who is not None and who.hp != one.hp]
    return changed[0] if len(changed) == 1 else None


def _caster(ledger: Ledger, command: RecordedLine) -> Tracked | None:
    caster = command.data.get("caster")
    name = caster.get("name") if isinstance(caster, dict) else None
    return ledger.named(name) if isinstance(name, str) else None


def _by_hand(who: Tracked, asked: ByHand, now: Combatant | None) -> list[Event]:
    if asked.temporary:
        return protect(who, asked.amount or 0, BY_HAND)
    if who.hp is None:
        return []
    if asked.mode == "max":
        return [*_new_maximum(who, asked.amount), *set_to(who, who.max_hp)]
    if asked.amount is None:
        rolled = 0 if now is None or now.hp is None else now.hp - who.hp
        return set_to(who, who.hp + rolled) if (rolled < 0) == asked.loses else []
    return set_to(who, asked.amount) if asked.mode == "set" else shift(who, asked.amount, (BY_HAND,))


def _new_maximum(who: Tracked, maximum: int | None) -> list[Event]:
    """A maximum that was typed; nothing was, if somebody is only to be at the old one."""
    grown = 0 if maximum is None else maximum - who.max_hp
    if not grown or who.hp is None:
        return []
    who.max_hp += grown
    who.hp += grown
    return [events.StatChanged(character=who.id, stat=MAX_HP, amount=grown, reason=BY_HAND)]


def plain_action(ledger: Ledger, command: RecordedLine, answer: RecordedLine | None) -> ImportedDeed | None:
    """What a command did without touching the combat: a check, a save, loose dice, a rest, a use outside of it."""
    if answer is None:
        return None
    if command.command == "roll":
        return _loose(command, answer)
    reply = answer.replies[0] if answer.replies else None
    if reply is None:
        return None
    if (found := CHECK.match(reply.title)) is not None and command.command != "init join":
        return _checked(ledger, command, reply, found["who"], found["what"])
    if command.command in ("game longrest", "game shortrest"):
        return _rested(ledger, command, reply)
    return _used_outside(ledger, command, reply)


def _loose(command: RecordedLine, answer: RecordedLine) -> ImportedDeed | None:
    roll = loose_roll(answer.content)
    if roll is None:
        return None
    return ImportedDeed("roll", {"typed": command.content}, [*dice_rolled(command.author, "roll", roll)])


def _checked(ledger: Ledger, command: RecordedLine, reply: Reply, name: str, what: str) -> ImportedDeed | None:
    rolls = find_rolls(reply.description)
    if not rolls:
        return None
    check = what.casefold()
    deed = ImportedDeed("save" if check.endswith("save") else "check")
    who = ledger.named(name)
    if who is None:
        known = isinstance(command.data.get("caster"), dict)
        who, joined = ledger.enter(
            name, CharacterKind.PLAYER_CHARACTER if known else CharacterKind.MONSTER, command.author if known else ""
        )
        deed.told += joined
    deed.params |= {"who": who.id, "what": check, "typed": command.content}
    met = outcome(reply.description)
    for roll in rolls:
        deed.told += dice_rolled(who.id, check, roll)
        if met is not None and len(rolls) == 1:
            deed.told.append(
                events.CheckResolved(
                    character=who.id,
                    check=check,
                    total=roll.total,
                    target=met[0],
                    success=met[1],
                    outcome="success" if met[1] else "failure",
                )
            )
    deed.told += _back_from_death(who, check, rolls)
    return deed


def _back_from_death(who: Tracked, check: str, rolls: tuple[RecordedRoll, ...]) -> list[Event]:
    """A natural 20 on a death save: the bot puts a player character who is down back on one hit point."""
    is_down = who.kind is CharacterKind.PLAYER_CHARACTER and who.hp == 0
    if check != "death save" or not is_down or [roll.natural for roll in rolls] != [20]:
        return []
    return heal(who, 1, ("death save",), "")


def _rested(ledger: Ledger, command: RecordedLine, reply: Reply) -> ImportedDeed | None:
    who = _caster(ledger, command)
    points = rested(reply)
    if who is None or who.hp is None or not points:
        return None
    params: Mapping[str, Scalar] = {"who": who.id, "typed": command.content}
    return ImportedDeed("rest", dict(params), heal(who, points, (command.command.removeprefix("game "),), ""))


def _used_outside(ledger: Ledger, command: RecordedLine, reply: Reply) -> ImportedDeed | None:
    """Outside of a combat the bot answers with the damage, but leaves no record of what its rules did."""
    who = _caster(ledger, command)
    struck = [
        (target, heals, roll)
        for name, value in reply.fields
        for heals, roll in harm(value)
        if (target := ledger.named(name)) is not None
    ]
    if who is None or not struck:
        return None
    thing = thing_used(reply, who.name, command.command, command.content)
    targets = tuple(dict.fromkeys(target.id for target, _, _ in struck))
    params: dict[str, Scalar] = {"who": who.id, "target": _one_or_all(targets), "what": thing, "typed": command.content}
    deed = ImportedDeed("use", params, [events.PowerUsed(character=who.id, power=thing, target=_only(targets))])
    for target, heals, roll in struck:
        deed.told += dice_rolled(who.id, "healing" if heals else "damage", roll)
        deed.told += shift(target, abs(roll.total) if heals else -roll.total, roll.labels, who.id)
    return deed
