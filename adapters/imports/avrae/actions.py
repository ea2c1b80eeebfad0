"""Tells what somebody did: the dice, what they decided, and what that did to whom."""

import re
from collections.abc import Iterator

import attrs

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
    """One thing somebody did, while it is put together."""

    verb: str
    params: dict[str, Scalar] = attrs.field(factory=dict)
    events: list[Event] = attrs.field(factory=list)
    actor: CharacterId = ""


def automation_action(
    ledger: Ledger, run: Fields, command: RecordedLine | None, answer: RecordedLine | None, label: str
) -> tuple[ImportedDeed, AutomationWalk]:
    """What an automation did: an attack, a spell, or the use of something; and the walk through it. Raises Malformed."""
    name = text(run["caster"], "name")
    known = ledger.of_key(text(run["caster"], "id", "")) or ledger.named(name)
    # Somebody may act with a stat block that is not in the combat, a mount's say: it enters as a monster.
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
    """Whom an automation was used on: those it names, else those it reached."""
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
    """Hit points that somebody typed, and what the bot answered; nothing if the command is another or nobody is meant."""
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
    """Who is meant by a command for one's own sheet: whom the bot names, be they in the combat or not.

    Only where it names nobody is it the one character of the seat.
    """
    known, played = ledger.named(command.caster), ledger.played_from(command.author)
    if known is not None or played is None or not command.caster:
        return known or played
    said = "" if answer is None else "\n".join((answer.content, *(reply.title for reply in answer.replies)))
    return played if re.search(rf"(?<!\w){re.escape(played.name)}(?!\w)", said) else None


def _meant(
    ledger: Ledger, name: str, command: RecordedLine, answer: RecordedLine | None, recorded: Recorded | None
) -> Tracked | None:
    """Whom a typed name means. The bot asks back if it fits several; what was answered shows in who changed."""
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
    """Temporary hit points that were typed: below zero they are taken away, else they are so many from now on."""
    if amount is None:
        yield from who.set_temp(who.temp_hp if now is None else now.temp_hp, BY_HAND)
    else:
        who.other_temps |= {max(who.temp_hp, amount), who.temp_hp + max(amount, 0)}
        yield from who.set_temp(who.temp_hp + amount if amount < 0 else amount, BY_HAND)


def _maximum(who: Tracked, maximum: int | None, now: Combatant | None) -> Iterator[Event]:
    """A maximum that was typed, or nothing but that somebody is at theirs: the one with effects, or without."""
    if maximum is not None:
        yield from _new_maximum(who, maximum, now)
    else:
        is_bare = now is not None and who.base is not None and now.hp == who.base
        yield from who.set_to(who.base if is_bare and who.base is not None else who.max_hp)


def _new_maximum(who: Tracked, maximum: int, now: Combatant | None, typed: int | None = None) -> Iterator[Event]:
    """A new maximum without what effects give, and hit points if they were ``typed`` along with it.

    Else some versions of the bot put somebody at the maximum, and others leave the hit points.
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
    """What a command did without touching the combat: a check, a save, loose dice, a rest, a use outside of it."""
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
    """A natural 20 on a death save: the bot puts a player character who is down back on one hit point."""
    is_down = who.kind is CharacterKind.PLAYER_CHARACTER and who.hp == 0
    if check == "death save" and is_down and [roll.natural for roll in rolls] == [20]:
        yield from who.heal(1, ("death save",))


def _rested(ledger: Ledger, command: RecordedLine, answer: RecordedLine, reply: Reply) -> ImportedDeed | None:
    """A rest gives back what the bot says; a long one, everything, and temporary hit points end."""
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
    """Outside of a combat the bot answers with the damage, but leaves no record of what its rules did."""
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
