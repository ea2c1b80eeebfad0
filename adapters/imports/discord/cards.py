"""Reader of what the Avrae bot answers: a card of words in which the lines with rolls say who rolled, and for what.

An embed and a copy of it are the same lines. In a copy the marks of bold and struck text are lost, and so is which die
of two counts: the formula says it.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator

import attrs

from rollbook.adapters.imports.avrae import rolls as avrae
from rollbook.adapters.imports.chats.rolls import ChatRoll, chat_roll, purpose_of
from rollbook.adapters.imports.foundry.values import name
from rollbook.domain.base.records import Changeable

ACTOR = re.compile(r"^(?:An? )?(?P<who>\S.{0,78}?) (?:attacks|makes|casts|uses|rolls|is|takes|throws) .*[!.]$")
"""A title that says who acts."""
TITLE = re.compile(r"^[^:=`]{3,200}!$")
"""A title without a name in it, or one of those that follow."""
OUTCOMES = re.compile(r"^(hit|miss|success|failure|crit(ical)?|automatic \w+)!$", re.IGNORECASE)
DIFFICULTY = re.compile(r"\bDC:? ([0-9]{1,3})\b")
SHOWS_ROLL = re.compile(r"(?<!\w)[0-9]{0,4}d(?:[0-9]|%)[^\n]{0,400}\s=\s*`?-?[0-9]")
"""A line that seems to show a roll with its result."""
WHOLE = re.compile(
    r"^(?:(?P<head>[^:=`]{1,80}):\s+)?(?P<roll>[^=:]{1,600}?)\s=\s`?(?P<total>-?[0-9]{1,9})`?(?:[;,]?\s*(?P<outcome>\w+)!?)?$"
)
SUM = re.compile(r"[-0-9 +*/().]+(?:\[[^\]]*\])?")
"""Numbers alone, as of healing without dice."""
WITHIN = re.compile(
    r"(?P<roll>[0-9]{0,4}d(?:[0-9]{1,7}|%)[a-z0-9<>=]{0,20}(?: \([^()=]{1,400}\))?(?: [-+*/] [0-9]{1,9}(?: ?\[[^\]]{0,80}\])?)*)"
    r"\s=\s`?(?P<total>-?[0-9][0-9,]{0,12})(?![0-9.])"
)
HALVES = re.compile(
    r"^(?P<head>[^:=`]{1,80}):\s+(?P<roll>[^=\n]{0,600}d(?:[0-9]|%)[^=\n]*)\n\W{0,4}Total\W{0,4}:\W{0,4}(?P<total>-?[0-9]{1,9})\W{0,4}$"
)
"""The answer to ``!roll``: its dice in one line, the total in the next."""
WORDS = re.compile(r"[^0-9(~-]*[^\W\d][^0-9(~-]*\s(?=[0-9]{0,4}d[0-9])")
"""Words in front of a roll."""
ADDED = re.compile(r"^(?P<who>\S.{0,78}?) was added to combat with initiative ")
LONGEST = 4_096
"""Most characters of a line in Discord."""
NOBODY = frozenset(("meta", "effect", "note", "spell slots", "custom counters", "reset counters"))


@attrs.define
class Card(Changeable):
    """An answer of the bot's while it is read. ``about`` is the one whom the next lines are about."""

    actor: str = ""
    title: str = ""
    about: str = ""
    difficulty: int | None = None
    rolls: list[ChatRoll] = attrs.field(factory=list)
    words: list[str] = attrs.field(factory=list)
    unread: list[str] = attrs.field(factory=list)

    def read(self, lines: Iterable[str], about: str = "") -> None:
        """Read lines, of a field that is ``about`` somebody, or of the card as such."""
        self.about = "" if about.casefold() in NOBODY else name(about)
        rest = deque(lines)
        while rest:
            line, after = rest.popleft(), rest[0] if rest else ""
            if found := HALVES.match(f"{bare(line)[:LONGEST]}\n{bare(after)[:LONGEST]}"):
                rest.popleft()
                self._roll(found["head"], found["roll"], found["total"], "")
            elif line.strip():
                self._line(line.strip())

    def _line(self, line: str) -> None:
        said = bare(line)
        if len(said) > LONGEST:
            self.words.append(said)
            self.unread += [said] if SHOWS_ROLL.search(said[:LONGEST]) else []
            return
        if (stated := DIFFICULTY.search(said)) is not None:
            self.difficulty = int(stated[1])
        if is_title(said):
            self.title, self.about = said, ""
            self.actor = name(found["who"]) if (found := ACTOR.match(said)) else self.actor
        elif not any(sign in said for sign in ":=<>!") and len(said) <= 80:
            self.about = said
        whole = WHOLE.match(said)
        is_sum = whole and purpose_of(whole["head"] or "") and SUM.fullmatch(whole["roll"])
        if whole and (is_sum or "`" in said or SHOWS_ROLL.search(said)):
            self._roll(
                whole["head"] or "", whole["roll"], whole["total"], whole["outcome"] or "", is_marked="`" in said
            )
            return
        self.words.append(said)
        if SHOWS_ROLL.search(said):
            self._within(said)

    def _within(self, said: str) -> None:
        """Read the rolls in the middle of a line."""
        found = [*WITHIN.finditer(said)]
        self.unread += [] if found else [said]
        if added := ADDED.match(said):
            self.actor = name(added["who"])
        for one in found:
            self._roll(said[: one.start()], one["roll"], one["total"].replace(",", ""), "")

    def _roll(self, head: str, shown: str, total: str, outcome: str, *, is_marked: bool = False) -> None:
        purpose = purpose_of(head) or purpose_of(self.title) or "roll"
        is_met = purpose in ("save", "check") and self.difficulty is not None
        success = {"success": True, "failure": False}.get(outcome.casefold())
        self.rolls.append(
            attrs.evolve(
                _read(shown, total, is_marked=is_marked),
                purpose=purpose,
                by=self.about if purpose == "save" and purpose_of(head) == "save" else "",
                difficulty=self.difficulty if is_met else None,
                success=success if is_met else None,
            )
        )


def is_title(said: str) -> bool:
    """True if a line begins an answer."""
    return TITLE.match(said) is not None and OUTCOMES.match(said) is None and " " in said


def bare(line: str) -> str:
    """A line without marks of bold or underlined text; struck dice stay struck."""
    return line.replace("**", "").replace("__", "").strip()


def _read(shown: str, total: str, *, is_marked: bool) -> ChatRoll:
    """The roll of a line: as the bot writes it, or as it was copied, without marks."""
    if asked := WORDS.match(shown):
        shown = shown[asked.end() :]
    marked = avrae.read_roll(f"{shown} = `{total}`") if is_marked or "->" in shown else None
    if marked is not None and marked.adds_up:
        return ChatRoll(marked.expression, marked.total, marked.dice, marked.flat, formula=marked.expression)
    handfuls = [*avrae.DICE.finditer(shown)]
    if not handfuls:
        return chat_roll(shown, int(total))
    formula = re.sub(r"\s*\([^()]*\)", "", shown.replace("~~", ""))
    faces = [*_faces(handfuls)]
    return chat_roll(formula, int(total), [face for face, _ in faces], [n for n, (_, lost) in enumerate(faces) if lost])


def _faces(handfuls: Iterable[re.Match[str]]) -> Iterator[tuple[int, bool]]:
    for handful in handfuls:
        for shown in handful["faces"].split(","):
            if face := re.search(r"[0-9]{1,7}", shown):
                yield int(face[0]), "~~" in shown
