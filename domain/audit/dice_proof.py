"""The proof of a session's dice: seeds against what was committed to, and every die drawn again from them."""

import struct
from collections.abc import Iterable

import attrs

from rollbook.domain.audit.answers import Finding
from rollbook.domain.audit.dice_session import DiceSession, Drawn, faces
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.errors import DiceError
from rollbook.domain.dice.ledger import DiceOfAPlace
from rollbook.domain.dice.record import Dice, StreamPlace, are_some_of
from rollbook.domain.dice.stream import Streams, commitment, contribution, mix, session_key


@attrs.define
class Proof(Changeable):
    """The arithmetic of one session: commitments are opened, and every die is drawn again.

    Dice are proven, and let go, when their seed is revealed; what was waiting still is looked at in the end.
    """

    dice_session: DiceSession
    failed: list[Finding] = attrs.field(factory=list)
    missing: list[Finding] = attrs.field(factory=list)
    proven: int = 0
    _keys: dict[bool, bytes] = attrs.field(factory=dict)
    _streams: Streams = attrs.field(init=False)
    _known: dict[StreamPlace, list[Dice]] = attrs.field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self._streams = Streams(self._keys)

    def draw_again(self) -> None:
        """Prove all dice that wait and whose seed is known."""
        for screen, seed in self._revealed():
            if screen not in self._keys and (key := _key(self.dice_session, seed, screen=screen)):
                self._keys[screen] = key
        waiting, self.dice_session.drawn = self.dice_session.drawn, []
        for one in waiting:
            if one.dice.place.screen in self._keys:
                self._check(one)
            else:
                self.dice_session.drawn.append(one)

    def _revealed(self) -> Iterable[tuple[bool, str]]:
        return self.dice_session.seeds.items() if self.dice_session.opened.commit_table else ()

    def finish(self) -> None:
        """Nothing is recorded any more: what is not proven now will not be."""
        dice_session, opened = self.dice_session, self.dice_session.opened
        if dice_session.rolled(screen=False) and not (opened.commit_table and False in dice_session.seeds):
            self.missing.append(
                Finding(dice_session.entry, f"the dice of session {opened.session} are not revealed yet")
            )
        for screen, seed in self._revealed():
            if not _key(dice_session, seed, screen=screen):
                self.failed.append(
                    Finding(dice_session.entry, f"the seed revealed for session {opened.session} is another")
                )
        self.draw_again()
        for one in dice_session.drawn:
            if one.dice.place.screen:
                self.missing.append(Finding(one.entry, "a secret roll whose seed is not revealed yet"))

    def _check(self, one: Drawn) -> None:
        """Check that the dice are those that fell; overridden faces prove nothing and are passed over."""
        entry, drawn, is_kept = one
        known = self._known.setdefault(drawn.place, []) if is_kept else []
        if known and any(are_some_of(drawn.genuine, fell) for fell in known):
            return
        again = self._again(drawn)
        if again == drawn.dice or _fits(drawn, again):
            had = max(map(len, known)) if known else 0
            self.proven += drawn.overridden[had:].count(False)
            known.append(again)
        else:
            self.failed.append(Finding(entry, f"{drawn.named} shows {faces(drawn.dice)}, not {faces(again)}"))

    def _again(self, drawn: DiceOfAPlace) -> Dice:
        try:
            fresh = self._streams.roll(drawn.place)
            return tuple([(sides, fresh.draw(sides)) for sides, _ in drawn.dice])
        except (DiceError, struct.error):
            return ()


def _fits(drawn: DiceOfAPlace, fell: Dice) -> bool:
    """True if these are the dice that fell, but for those that were overridden."""
    pairs = zip(drawn.dice, fell, drawn.overridden, strict=False)
    return len(fell) == len(drawn.dice) and all(shown == die or other for shown, die, other in pairs)


def _key(dice_session: DiceSession, seed: str, *, screen: bool) -> bytes:
    """The key of a session's dice by a seed that was revealed; nothing if another one was committed to."""
    opened = dice_session.opened
    try:
        identity, raw = bytes.fromhex(opened.identity), bytes.fromhex(seed)
        commits = (bytes.fromhex(opened.commit_table), bytes.fromhex(opened.commit_screen))
        if commitment(int(screen), identity, raw) != commits[int(screen)]:
            return b""
        mixed = mix(commits, [(0, line.number, contribution(line.text)) for line in dice_session.lines])
        return session_key(int(screen), identity, raw, mixed)
    except (ValueError, struct.error):
        return b""
