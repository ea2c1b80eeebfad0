"""Readers of typed commands and the Avrae bot's answers: verbs, names of weapons and spells, typed hit points."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence

import attrs

from rollbook.adapters.imports.avrae.lines import RecordedLine, Reply
from rollbook.adapters.imports.avrae.rolls import NUMBER, RecordedRoll, read_roll
from rollbook.domain.base.records import Record

BOT = "Avrae"
FARTHEST = 60
"""Most lines between a typed command and the note that it was carried out."""
_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "begin-encounter": ("init begin",),
    "end-encounter": ("init end",),
    "join": ("init join", "init madd", "init add"),
    "leave": ("init remove",),
    "next-turn": ("init next", "init skipround"),
    "previous-turn": ("init prev",),
    "go-to-turn": ("init move",),
    "condition": ("init effect", "init re"),
    "hp": ("init hp", "init thp", "init hp max", "init hp mod", "init hp set", "game hp", "game thp"),
    "options": ("init opt",),
    "rest": ("game longrest", "game shortrest"),
}
VERBS = {command: verb for verb, commands in _COMMANDS.items() for command in commands}
"""Verbs by command; any other command is called by its own name."""

PROMPTS = ("Multiple Matches Found", "Are you sure", "Selection timed out")
ANSWER = re.compile(r"[0-9]{1,2}|c|y|n|yes|no", re.IGNORECASE)
WORDS = re.compile(r"[\"“”]([^\"“”]*)[\"“”]|(\S+)")
CHECK = re.compile(r"^(?:An? )?(?P<who>.+?) makes an? (?P<what>.+?)!$")
USED = r"(?:attacks with|casts|uses|has)(?: an?)? "
REST = re.compile(rf"\(\+(?P<more>{NUMBER})\)\s*$")
LOOSE = re.compile(rf"\*\*Result\*\*:\s*(?P<roll>.+?)\n\*\*Total\*\*:\s*(?P<total>-?{NUMBER})", re.DOTALL)
DIFFICULTY = re.compile(rf"\*\*DC:?\s*(?:\*\*:?\s*)?(?P<number>{NUMBER})")
ANSWERED = rf"(?:'s HP)?: <(?P<hp>-?{NUMBER})(?:/-?{NUMBER})? HP>"
HARM = re.compile(r"^\*\*(?P<kind>Damage|Healing)\*\*: (?P<roll>.+)$", re.MULTILINE)


@attrs.frozen
class ByHand(Record):
    """Typed hit points. ``mode`` is "mod", "set" or "max"; ``amount`` is None where dice decided."""

    name: str
    mode: str
    amount: int | None
    temporary: bool
    loses: bool


def is_answer(line: RecordedLine) -> bool:
    """True if a line could be the answer to the bot's question."""
    return ANSWER.fullmatch(line.content.strip()) is not None


def is_prompt(line: RecordedLine) -> bool:
    """True if a line is a question of the bot's."""
    shown = (line.content, *(reply.title for reply in line.replies))
    return any(said.startswith(PROMPTS) for said in shown)


def words(content: str) -> list[str]:
    """The typed words; quotation marks, straight or curly, group several into one."""
    return [found[1] if found[1] is not None else found[2] for found in WORDS.finditer(content)]


def thing_used(reply: Reply | None, actor: str, command: str, content: str) -> str:
    """The weapon, spell or feature of a command: by the bot's name for it, else as it was typed."""
    if reply is not None:
        found = re.match(rf"^(?:An? )?{re.escape(actor)} (?:{USED})?(?P<what>.+?)!$", reply.title)
        if found is not None:
            return found["what"]
    typed = words(content)[len(command.split()) if command.startswith(("init ", "i ")) else 1 :]
    return typed[0] if typed and not typed[0].startswith("-") else command


def by_hand(command: str, content: str) -> ByHand | None:
    """The change that ``init hp``, ``init thp``, ``game hp`` or ``game thp`` asks for; None for another command."""
    owner, _, what = command.partition(" ")
    what, _, sub = what.partition(" ")
    if what not in ("hp", "thp") or owner not in ("init", "game"):
        return None
    rest = words(content)[2:]
    mode = sub if sub in ("mod", "set", "max") else "mod"
    mode, rest = _mode(mode, rest)
    name = ""
    if owner == "init":
        if not rest:
            return None
        name = rest[0]
        mode, rest = _mode(mode, rest[1:])
    if not rest and mode != "max":
        return None
    typed = "".join(rest)
    amount = int(typed) if re.fullmatch(rf"[+-]?{NUMBER}", typed) else None
    return ByHand(name, mode, amount, what == "thp", typed.startswith("-"))


def _mode(mode: str, rest: list[str]) -> tuple[str, list[str]]:
    """The mode of typed hit points, if the next word is one, and the words after it."""
    return (rest[0], rest[1:]) if rest and rest[0] in ("mod", "set", "max") else (mode, rest)


@attrs.frozen
class Options(Record):
    """Changes of a combatant's hit points by ``init opt``, "" for none: 12 sets, +3 and -3 add."""

    name: str
    max_hp: str
    hp: str


def options(command: str, content: str) -> Options | None:
    """The typed options of a combatant; None if it is another command or none of them is about hit points."""
    typed = words(content)[2:]
    if command != "init opt" or not typed:
        return None
    given = dict(itertools.pairwise(typed[1:]))
    asked = Options(typed[0], _number(given.get("-max", "")), _number(given.get("-hp", "")))
    return asked if asked.max_hp or asked.hp else None


def _number(typed: str) -> str:
    return typed if re.fullmatch(rf"[+-]?{NUMBER}", typed) else ""


def loose_roll(content: str) -> RecordedRoll | None:
    """The roll in the bot's answer to a ``roll`` command, which has no purpose; None if there is none."""
    found = LOOSE.search(content)
    return None if found is None else read_roll(f"{found['roll'].strip()} = `{found['total']}`")


def rested(reply: Reply) -> int | None:
    """The hit points that a rest restored, from the bot's answer ``Hit Points: 20/20 (+4)``; None if it has none."""
    for name, value in reply.fields:
        found = REST.search(value.strip()) if name == "Hit Points" else None
        if found is not None:
            return int(found["more"])
    return None


def answered(content: str, name: str) -> int | None:
    """The hit points of the named character in the bot's answer; None if it gives none."""
    found = re.match(re.escape(name) + ANSWERED, content)
    return None if found is None else int(found["hp"])


def outcome(description: str) -> tuple[int, bool] | None:
    """The difficulty and whether it was met, if an answer has both."""
    difficulty = DIFFICULTY.search(description)
    if difficulty is None or ("Success!" in description) == ("Failure!" in description):
        return None
    return int(difficulty["number"]), "Success!" in description


def harm(value: str) -> list[tuple[bool, RecordedRoll]]:
    """The rolls of damage (or healing: True) in an answer for one target."""
    found = ((match["kind"] == "Healing", read_roll(match["roll"])) for match in HARM.finditer(value))
    return [(heals, roll) for heals, roll in found if roll is not None]


def answers(lines: Sequence[RecordedLine]) -> dict[int, RecordedLine]:
    """The bot's answers to commands, by the line numbers of the commands.

    The answer is usually between the typed line and the note that the command was carried out, now and then right
    behind it; when several people type at once, it names the character who acted.
    """
    typed = {line.thread: place for place, line in enumerate(lines) if line.kind == "message"}
    commands = [(place, line) for place, line in enumerate(lines) if line.kind == "command"]
    found: dict[int, RecordedLine] = {}
    claimed: set[int] = set()
    for is_before in (True, False):
        for place, command in commands:
            if command.number in found:
                continue
            for candidate in _nearby(lines, place, typed.get(command.thread, place), is_before=is_before):
                if candidate.number not in claimed and _answers(candidate, command):
                    found[command.number] = candidate
                    claimed.add(candidate.number)
                    break
    return found


def _nearby(lines: Sequence[RecordedLine], place: int, typed: int, *, is_before: bool) -> Iterable[RecordedLine]:
    """At most FARTHEST lines from a command's note back to the typed one; or lines after it, until a person writes."""
    if is_before:
        return reversed(lines[max(typed, place - FARTHEST) : place])
    return itertools.takewhile(lambda line: line.kind != "message" or line.is_bot, lines[place + 1 : place + 4])


def _answers(candidate: RecordedLine, command: RecordedLine) -> bool:
    if candidate.kind != "message" or not candidate.is_bot or candidate.author != BOT or is_prompt(candidate):
        return False
    titles = [reply.title for reply in candidate.replies if reply.title]
    names_caster = not titles or any(command.caster in title for title in titles)
    return candidate.thread > command.thread and names_caster
