"""Recorded commands as actions: their dice, the outcomes, and the effects on targets."""

import re
from collections.abc import Iterator

import attrs

from rollbook.adapters.imports import ImportedAction
from rollbook.adapters.imports.avrae import commands
from rollbook.adapters.imports.avrae.automation import AutomationWalk, target_names
from rollbook.adapters.imports.avrae.ledger import BY_HAND, Ledger, Tracked, check_resolved, dice_rolled, given_by
from rollbook.adapters.imports.avrae.lines import Fields, RecordedLine, Reply, text
from rollbook.adapters.imports.avrae.rolls import RecordedRoll, find_rolls
from rollbook.adapters.imports.avrae.state import Combatant, Recorded
from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Changeable
from rollbook.domain.events import CharacterKind, Event, Scalar


@attrs.define
class ImportedDeed(Changeable):
    """One action of a recording, while it is assembled. ``plays`` are those that follow it, in a game that is played."""

    verb: str
    params: dict[str, Scalar] = attrs.field(factory=dict)
    events: list[Event] = attrs.field(factory=list)
    actor: CharacterId = ""
    plays: list[ImportedAction] = attrs.field(factory=list)


def automation_action(
    ledger: Ledger, run: Fields, command: RecordedLine | None, answer: RecordedLine | None, label: str
) -> tuple[ImportedDeed, AutomationWalk]:
    """The action of an automation (an attack, a spell, or a use), and the walk through it. Raises Malformed."""
    name = text(run["caster"], "name")
    known = ledger.of_key(text(run["caster"], "id", "")) or ledger.named(name)
    # The caster may be a stat block that is not in the combat, such as a mount's: it enters as a monster.
    actor, joined = (known, []) if known is not None else ledger.enter(name, CharacterKind.MONSTER)
    walk = AutomationWalk(ledger, actor)
    walk.node(run["automation_result"])
    verb, roles = _verb(run, walk, command)
    targets = _targets(ledger, run, walk)
    typed = command.content if command is not None else ""
    reply = answer.replies[0] if answer is not None and answer.replies else None
    thing = label or commands.thing_used(reply, name, command.command if command is not None else "", typed)
    deed = ImportedDeed(verb, dict(zip(roles, (actor.id, _one_or_all(targets), thing), strict=True)), joined, actor.id)
    deed.params |= {"typed": typed} if typed else {}
    if verb != "attack":
        deed.events.append(events.PowerUsed(character=actor.id, power=thing, target=_only(targets)))
    deed.events += walk.events
    return deed, walk


def _verb(run: Fields, walk: AutomationWalk, command: RecordedLine | None) -> tuple[str, tuple[str, str, str]]:
    if run["automation_result"].get("is_spell") or (command is not None and command.command.endswith("cast")):
        return "cast", ("caster", "target", "spell")
    if "attack" in walk.kinds:
        return "attack", ("attacker", "target", "weapon")
    return "use", ("who", "target", "what")


def _targets(ledger: Ledger, run: Fields, walk: AutomationWalk) -> tuple[str, ...]:
    """The targets of an automation: those it names, else those its steps reached."""
    struck = [who.id for key in walk.targets if (who := ledger.of_key(key)) is not None]
    named = [who.id if (who := ledger.named(name)) is not None else name for name in target_names(run)]
    return tuple(dict.fromkeys(named or struck))


def _one_or_all(names: tuple[str, ...]) -> Scalar:
    return names if len(names) > 1 else _only(names)


def _only(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else ""


def manual_action(
    ledger: Ledger, command: RecordedLine, answer: RecordedLine | None, recorded: Recorded | None
) -> ImportedDeed | None:
    """The action of typed hit points and the bot's answer; None if it is another command or its target is not known."""
    asked = commands.by_hand(command.command, command.content) or commands.options(command.command, command.content)
    who = None if asked is None else _meant(ledger, asked.name, command, answer, recorded)
    if asked is None or who is None:
        return None
    now = next((one for one in recorded.combatants if ledger.of_key(one.key) is who), None) if recorded else None
    verb, typed = (
        ("options", _opted(who, asked, now))
        if isinstance(asked, commands.Options)
        else ("hp", _by_hand(who, asked, now))
    )
    deed = ImportedDeed(verb, {"who": who.id, "typed": command.content}, [*typed], who.id)
    said = None if answer is None or who.hp is None else commands.answered(answer.content, who.name)
    deed.events += () if said is None or now is not None else who.set_to(said)
    return deed


def _own(ledger: Ledger, command: RecordedLine, answer: RecordedLine | None) -> Tracked | None:
    """The character of a command for one's own sheet: its caster, in the combat or not, else the seat's one character.

    If the caster is named but unknown, the seat's character counts only if the bot's answer names it.
    """
    known, played = ledger.named(command.caster), ledger.played_from(command.author)
    if known is not None or played is None or not command.caster:
        return known or played
    said = "" if answer is None else "\n".join((answer.content, *(reply.title for reply in answer.replies)))
    return played if re.search(rf"(?<!\w){re.escape(played.name)}(?!\w)", said) else None


def _meant(
    ledger: Ledger, name: str, command: RecordedLine, answer: RecordedLine | None, recorded: Recorded | None
) -> Tracked | None:
    """The character of a typed name. If it fits several, the bot asks back: the one whose hit points changed counts."""
    if not name:
        return _own(ledger, command, answer)
    fitting = ledger.meant_by(name)
    if len(fitting) == 1 or recorded is None:
        return fitting[0] if len(fitting) == 1 else None
    shown = ((ledger.of_key(one.key), one) for one in recorded.combatants)
    changed = [who for who, one in shown if who in fitting and who is not None and who.hp != one.hp]
    return changed[0] if len(changed) == 1 else None


def _by_hand(who: Tracked, asked: commands.ByHand, now: Combatant | None) -> Iterator[Event]:
    if asked.temporary:
        yield from _temporary(who, asked.amount, now)
    elif who.hp is None:
        return
    elif asked.mode == "max":
        yield from _maximum(who, asked.amount, now)
    elif asked.amount is None:
        rolled = 0 if now is None or now.hp is None else now.hp - who.hp
        if (rolled < 0) == asked.loses:
            yield from who.set_to(who.hp + rolled)
    else:
        yield from who.set_to(asked.amount) if asked.mode == "set" else who.shift(asked.amount, (BY_HAND,))


def _temporary(who: Tracked, amount: int | None, now: Combatant | None) -> Iterator[Event]:
    """Change typed temporary hit points: a negative number is subtracted, any other is the new value."""
    if amount is None:
        yield from who.set_temp(who.temp_hp if now is None else now.temp_hp, BY_HAND)
    else:
        who.other_temps |= {max(who.temp_hp, amount), who.temp_hp + max(amount, 0)}
        yield from who.set_temp(who.temp_hp + amount if amount < 0 else amount, BY_HAND)


def _maximum(who: Tracked, maximum: int | None, now: Combatant | None) -> Iterator[Event]:
    """Set a typed maximum; without a number, set the hit points to the maximum, with effects or without."""
    if maximum is not None:
        yield from _new_maximum(who, maximum, now)
    else:
        is_bare = now is not None and who.base is not None and now.hp == who.base
        yield from who.set_to(who.base if is_bare and who.base is not None else who.max_hp)


def _new_maximum(who: Tracked, maximum: int, now: Combatant | None, typed: int | None = None) -> Iterator[Event]:
    """Set a new maximum, before the bonuses of effects, and the hit points if they were ``typed`` too.

    Otherwise some versions of the bot raise the hit points to the maximum, and others leave them.
    """
    highest, bonus = given_by(who.effects)
    before, who.base = who.hp or 0, maximum
    total = max(maximum, highest) + bonus
    is_filled = now is not None and now.hp == total
    becomes = typed if typed is not None else total if is_filled else before
    if total != who.max_hp:
        yield from who.grow(total - who.max_hp, BY_HAND, lifts=becomes - before)
    elif becomes != before:
        yield from who.set_to(becomes)


def _opted(who: Tracked, asked: commands.Options, now: Combatant | None) -> Iterator[Event]:
    typed = _added(asked.hp, who.hp or 0) if asked.hp else None
    if typed is not None and who.kind is CharacterKind.PLAYER_CHARACTER:
        typed = max(typed, 0)
    if asked.max_hp:
        yield from _new_maximum(who, _added(asked.max_hp, who.max_hp), now, typed)
    elif typed is not None:
        yield from who.set_to(typed)


def _added(typed: str, before: int) -> int:
    return before + int(typed) if typed.startswith(("+", "-")) else int(typed)


def plain_action(ledger: Ledger, command: RecordedLine, answer: RecordedLine | None) -> ImportedDeed | None:
    """The action of a command outside the combat's state: a check, a save, loose dice, a rest, or a use."""
    if answer is None:
        return None
    if command.command == "roll":
        return ImportedDeed(
            "roll",
            {"typed": command.content},
            [*dice_rolled(command.author, "roll", commands.loose_roll(answer.content))],
        )
    reply = answer.replies[0] if answer.replies else None
    if reply is None:
        return None
    if (found := commands.CHECK.match(reply.title)) is not None and command.command != "init join":
        return _checked(ledger, command, reply, found["who"], found["what"])
    if command.command in ("game longrest", "game shortrest"):
        return _rested(ledger, command, answer, reply)
    return _used_outside(ledger, command, reply)


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
        deed.events += joined
    deed.params |= {"who": who.id, "what": check, "typed": command.content}
    deed.actor = who.id
    met = commands.outcome(reply.description)
    for roll in rolls:
        deed.events += dice_rolled(who.id, check, roll)
        if met is not None and len(rolls) == 1:
            difficulty, success = met
            result = "success" if success else "failure"
            deed.events += check_resolved(
                roll, difficulty, character=who.id, check=check, success=success, outcome=result
            )
    deed.events += _back_from_death(who, check, rolls)
    return deed


def _back_from_death(who: Tracked, check: str, rolls: tuple[RecordedRoll, ...]) -> Iterator[Event]:
    """Heal a player character who is down by one hit point after a natural 20 on a death save, as the bot does."""
    is_down = who.kind is CharacterKind.PLAYER_CHARACTER and who.hp == 0
    if check == "death save" and is_down and [roll.natural for roll in rolls] == [20]:
        yield from who.heal(1, ("death save",))


def _rested(ledger: Ledger, command: RecordedLine, answer: RecordedLine, reply: Reply) -> ImportedDeed | None:
    """The action of a rest: it heals by the bot's number, a long one fully, and ends temporary hit points."""
    who = _own(ledger, command, answer)
    if who is None or who.hp is None:
        return None
    rest, points = command.command.removeprefix("game "), commands.rested(reply)
    is_long = rest == "longrest"
    if points is None:
        points = max((who.base or who.max_hp) - who.hp, 0) if is_long else 0
    deed = ImportedDeed("rest", {"who": who.id, "typed": command.content}, [], who.id)
    deed.events += who.heal(points, (rest,)) if points else ()
    deed.events += who.set_temp(0, rest) if is_long else ()
    return deed


def _used_outside(ledger: Ledger, command: RecordedLine, reply: Reply) -> ImportedDeed | None:
    """The action of a use outside a combat, from the damage in the bot's answer: no automation is on record."""
    who = ledger.named(command.caster)
    struck = [
        (target, heals, roll)
        for name, value in reply.fields
        for heals, roll in commands.harm(value)
        if (target := ledger.named(name)) is not None
    ]
    if who is None or not struck:
        return None
    thing = commands.thing_used(reply, who.name, command.command, command.content)
    targets = tuple(dict.fromkeys(target.id for target, _, _ in struck))
    params: dict[str, Scalar] = {"who": who.id, "target": _one_or_all(targets), "what": thing, "typed": command.content}
    deed = ImportedDeed("use", params, [events.PowerUsed(character=who.id, power=thing, target=_only(targets))], who.id)
    for target, heals, roll in struck:
        deed.events += dice_rolled(who.id, "healing" if heals else "damage", roll)
        deed.events += target.shift(abs(roll.total) if heals else -roll.total, roll.labels, who.id)
    return deed
