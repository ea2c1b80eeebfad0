"""Words from other tables for verbs and commands: those for the same act are taken, others are answered by their sense.

One act has the same word in all games: ``condition``, ``rest`` and ``place`` mean what does it here.
"""

from collections.abc import Iterable, Mapping, Sequence

FLAG = "--ends"
"""A flag that makes another act of one: ``condition wolf prone --ends``."""
HERE = "{}"
"""The place of the words that were typed after the first."""

_FOR_A_NIGHT = ("long-rest", "sleep", "pass-time 8 hours --rest --who {}")
_FOR_A_BREAK = ("short-rest", "rest", "pass-time 1 hours --rest --who {}")

SAME: Mapping[str, tuple[str, ...]] = {
    "afflict": ("condition",),
    "relieve": ("condition {} --ends",),
    "condition": ("afflict",),
    f"condition {FLAG}": ("relieve",),
    "rest": _FOR_A_NIGHT,
    "sleep": _FOR_A_NIGHT,
    "camp": _FOR_A_NIGHT,
    "long-rest": _FOR_A_NIGHT,
    "longrest": _FOR_A_NIGHT,
    "short-rest": _FOR_A_BREAK,
    "shortrest": _FOR_A_BREAK,
    "breather": _FOR_A_BREAK,
    "battle": ("begin-encounter",),
    "combat": ("begin-encounter",),
    "fight": ("begin-encounter",),
    "damage": ("harm",),
    "dmg": ("harm",),
    "exp": ("award",),
    "hurt": ("harm",),
    "pay": ("drop",),
    "previously": ("recap",),
    "resist": ("save",),
    "skip": ("end-turn",),
    "shoot": ("attack",),
    "spend": ("spend-token", "drop"),
    "strike": ("attack",),
    "wound": ("harm",),
}
"""Words for the same act as a verb, which take what the verb takes: lines of which the first that a game has is meant."""

_SENSES: Mapping[str, str] = {
    "apply": "afflict condition",
    "armour": "wear sheet",
    "back": "undo",
    "begin": "begin-encounter open-session",
    "bestiary": "join",
    "buy": "give",
    "cast": "use-power ruling",
    "change": "change-form amend adjust",
    "char": "sheet join",
    "character": "sheet join",
    "chat": "say whisper",
    "close": "close-session",
    "correct": "amend",
    "create": "join",
    "cure": "heal relieve condition",
    "delete": "undo leave drop",
    "describe": "scene note",
    "dice": "roll",
    "die": "harm roll",
    "edit": "amend",
    "effect": "afflict condition",
    "end": "end-turn end-encounter close-session",
    "equip": "wield hold wear give",
    "experience": "award xp",
    "fix": "amend adjust",
    "forget": "undo",
    "gain": "award give",
    "gear": "give sheet",
    "gold": "give",
    "hide": "conceal",
    "history": "log",
    "hit": "attack harm",
    "hp": "adjust harm heal",
    "image": "handout portrait lay-map",
    "init": "begin-encounter status",
    "initiative": "begin-encounter status",
    "inventory": "sheet give",
    "item": "give",
    "journal": "log note",
    "kick": "leave leave-seat",
    "kill": "harm",
    "level": "level-up award",
    "level-up": "award adjust",
    "levelup": "level-up award",
    "list": "status log",
    "loot": "give",
    "lose": "drop",
    "money": "give",
    "monster": "join",
    "name": "rename rename-seat",
    "narrate": "scene note",
    "npc": "join",
    "oops": "undo",
    "open": "open-session",
    "pass": "end-turn pass-time",
    "pick": "choose pick-up",
    "picture": "portrait handout lay-map",
    "place": "distance move status",
    "player": "take-seat",
    "players": "status take-seat",
    "position": "move place distance status",
    "remove": "leave drop relieve undo",
    "resist": "check",
    "revert": "undo",
    "save": "check",
    "show": "reveal status",
    "skill": "check",
    "speak": "say",
    "spell": "cast spell-effects use-power ruling",
    "split": "meanwhile",
    "spotlight": "cut-to meanwhile",
    "start": "begin-encounter open-session",
    "stop": "end-encounter close-session",
    "summon": "join",
    "switch": "cut-to meanwhile",
    "talk": "say",
    "teleport": "move place status",
    "tell": "whisper say",
    "test": "check",
    "throw": "throw-lantern roll attack",
    "time": "pass-time",
    "token": "spend-token join place",
    "turn": "turn-undead end-turn status",
    "use": "use-power use-up spend-token act ruling",
    "wait": "pass-time end-turn",
    "who": "status",
}
"""Words that may mean one of several, or what takes other words after it, the likeliest first."""

_STATES: Mapping[str, str] = {
    "afraid": "frightened afraid shaken panicking",
    "asleep": "unconscious",
    "blind": "blinded",
    "burning": "aflame on-fire",
    "charmed": "charmed enthralled",
    "dying": "critical bleeding unconscious defeated",
    "down": "prone floored unconscious",
    "fallen": "prone floored",
    "frightened": "frightened afraid panicking",
    "held": "restrained immobilised grappled",
    "invisible": "invisible hidden",
    "ko": "unconscious defeated incapacitated",
    "on-fire": "on-fire aflame",
    "paralysed": "paralyzed paralysed helpless",
    "paralyzed": "paralyzed paralysed helpless",
    "poisoned": "poisoned infected",
    "restrained": "restrained immobilised",
    "scared": "frightened afraid panicking",
    "sleeping": "unconscious",
    "stun": "stunned",
}
"""Words for states, each with the conditions that games have for it."""


def meant_by(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known verbs and commands that do what a word from elsewhere means, the likeliest first."""
    names, folded = frozenset(known), word.casefold()
    same = (line.split()[0] for line in SAME.get(folded, ()))
    return tuple(dict.fromkeys(verb for verb in (*same, *_SENSES.get(folded, "").split()) if verb in names))


def in_this_game(words: Sequence[str], known: Iterable[str]) -> list[str]:
    """The words of a line, the first of which is one for the same act, as this game has them: else unchanged."""
    said, names = list(words), frozenset(known)
    if not said or said[0] in names:
        return said
    first, rest = said[0].casefold(), said[1:]
    if FLAG in rest and f"{first} {FLAG}" in SAME:
        first, rest = f"{first} {FLAG}", [word for word in rest if word != FLAG]
    line = next((line for line in SAME.get(first, ()) if line.split()[0] in names), "")
    return _filled(line.split(), rest) if line else said


def _filled(line: list[str], rest: list[str]) -> list[str]:
    """The words of a line with the rest in its place: before dice and options if something follows, and as one list."""
    if HERE not in line:
        return [*line, *rest]
    at = line.index(HERE)
    before, after = line[:at], line[at + 1 :]
    ends = next((place for place, word in enumerate(rest) if word.startswith(("--", "!"))), len(rest))
    named, more = rest[:ends], rest[ends:]
    if before[-1].startswith("--"):
        return [*before, ",".join(word.rstrip(",") for word in named), *more] if named else [*before[:-1], *more]
    return [*before, *named, *after, *more]


def states_meant(word: str, conditions: Iterable[str]) -> tuple[str, ...]:
    """The conditions of a game that a word means: itself, or what the game has for it. () if it means none."""
    known = {condition.casefold().replace(" ", "-"): condition for condition in conditions}
    folded = word.casefold().replace(" ", "-")
    tried = (folded, *_STATES.get(folded, "").split())
    return tuple(dict.fromkeys(known[each] for each in tried if each in known))


def is_state(word: str) -> bool:
    """True for a word that means a condition in some game."""
    return word.casefold() in _STATES
