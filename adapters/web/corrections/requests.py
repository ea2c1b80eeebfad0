"""A correction as a form asks for it: the words as typed, so that they can be shown again and passed to the GM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from starlette.datastructures import ImmutableMultiDict

from rollbook.adapters.web.corrections.numbered import actions_said, correction_of
from rollbook.application.corrections import FORGOTTEN, REDONE, Corrections, Preview
from rollbook.application.forms.verb_form import Filled, text_of
from rollbook.application.lines.performing import turn_before
from rollbook.application.lines.short_forms import ShortForms, without_program
from rollbook.application.lines.verb_line import LineError, find_seat, read_parameters, split_words
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, CorrectionOptions, Orphans
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.action import user_parameters
from rollbook.domain.rules.parameter_types import ParameterType
from rollbook.domain.rules.parameters import MINUS, Parameter
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.lookup import find_character
from rollbook.projections.numbers import action_number

UNDO, REDO, AMEND, ADJUST, OVERRIDE, REVERSE = "undo", "redo", "amend", "adjust", "override", "undo-correction"
INSERT = "insert"
KINDS = (UNDO, REDO, AMEND, ADJUST, OVERRIDE, INSERT, REVERSE)
SAID = {
    UNDO: "Undo",
    REDO: "Redo",
    AMEND: "Amend",
    ADJUST: "Adjust in",
    OVERRIDE: "Override dice of",
    INSERT: "Insert before",
    REVERSE: "Undo the correction",
}
"""The words for each kind, above previews."""
PLAYED_WITH_REASON = (ADJUST, OVERRIDE)
"""Kinds whose reason is played with the action, so that another reason needs another preview."""
WITHOUT_REASON = {REDO: REDONE, INSERT: FORGOTTEN}
"""Kinds that need no reason, and the one that is kept if none is given."""

OWN = "fix."
"""Prefix of fields that are no parameters of a verb: no parameter has a full stop in its name."""
BECOMES = f"{OWN}becomes."
"""Prefix of the fields that decide about an action; its number follows."""
KEEP = "keep"
LISTED = f"{OWN}listed"
"""The field that lists the fields of the verb's form: a box that is not ticked sends nothing."""
REVISION = f"{OWN}revision"
"""The field with the earlier outcome of an action that is to count again."""
FACES = f"{OWN}faces"
"""The fields with faces of dice that were never rolled: those that were typed before, and the next."""
MOST_DIGITS = 12
LAST = "last"
"""The word for the latest correction, in place of its number in an address."""
WORDS = ("retype", "who", "what", "by", "unadjusted", "over", "first", "line", "faces")
"""The fields with typed text, besides the parameters and the reason."""
REACH = ("later", "along", "others", "seat")
"""The fields that say how far a correction goes, and for whom."""
STAND, KEEP_ALL = "stand", "keep"
TOGETHER, ALONE = "together", "alone"

Given = Mapping[str, tuple[str, ...]]


@attrs.frozen(kw_only=True)
class RequestedCorrection(Record):
    """Request to correct the action of that number, or with ``REVERSE`` to undo the correction with that first entry.

    ``given`` are fields of the verb's form by name, of those ``listed`` in it; ``retype`` are the faces of real dice as
    they should have been typed; ``who``, ``what`` and ``by`` are an adjustment, and ``unadjusted`` is "yes" to remove
    those that the action has; ``over`` are other faces for its stream dice, from the ``first`` on. ``line`` is what is
    inserted before it, as it is typed at the prompt. ``faces`` are for dice that were never rolled; with ``draws`` such
    dice are drawn, at once and for good. ``kept`` are orphans that stay as rulings.
    ``revision`` is the earlier outcome that a redo makes count, 0 for the last one.

    ``later`` is "stand" if all later actions stay as recorded, "keep" if all orphans become rulings; ``along`` says
    what a redo includes: "together" all that was undone with it, "alone" nothing else, "" the orphans of its undoing;
    ``others`` names actions to undo or redo with it. ``seat`` is the player for whom the GM corrects.
    """

    kind: str
    action: ActionNumber
    given: Given = attrs.field(factory=dict)
    listed: tuple[str, ...] = ()
    retype: str = ""
    who: str = ""
    what: str = ""
    by: str = ""
    unadjusted: str = ""
    over: str = ""
    first: str = ""
    line: str = ""
    later: str = ""
    along: str = ""
    others: str = ""
    seat: str = ""
    revision: int = 0
    faces: str = ""
    draws: bool = False
    kept: tuple[ActionNumber, ...] = ()
    reason: str = ""

    @classmethod
    def of(cls, kind: str, action: ActionNumber, form: ImmutableMultiDict[str, Any]) -> RequestedCorrection:
        """The request in a form; missing fields count as empty."""
        given: dict[str, tuple[str, ...]] = {}
        own: dict[str, str] = {}
        for name, value in form.multi_items():
            if name == FACES:  # the faces that were typed before, and then the next
                own[name] = f"{own.get(name, '')} {value}".strip()
            elif name.startswith(OWN):
                own[name] = str(value).strip()
            else:
                given[name] = (*given.get(name, ()), str(value))
        kept = (action_number(name.removeprefix(BECOMES)) for name, value in own.items() if value == KEEP)
        return cls(
            kind=kind,
            action=action,
            given=given if kind == AMEND else {},
            listed=tuple(own.get(LISTED, "").split()),
            revision=action_number(own.get(REVISION, "")) or 0,
            kept=tuple(sorted(number for number in kept if number)),
            draws=False,
            **{name: own.get(f"{OWN}{name}", "") for name in (*WORDS, *REACH, "reason")},
        )

    @property
    def title(self) -> str:
        """The kind of correction and the number of its action, in words."""
        return self.titled(self.action)

    def titled(self, number: int) -> str:
        """The title with the number that another reader's edition has for the action or the correction."""
        others = f" and {self.others}" if self.others else ""
        return f"{SAID[self.kind]} {'@' if self.kind == REVERSE else '#'}{number}{others}"

    @property
    def card(self) -> str:
        """The id of its card's element at the table."""
        return f"{'e' if self.kind == REVERSE else 'a'}{self.action}"

    def fields(self) -> Iterator[tuple[str, str]]:
        """The fields of a form with the same request, without reason, reach and decisions about orphans."""
        yield from ((name, value) for name, values in self.given.items() for value in values)
        for name in WORDS:
            if value := getattr(self, name):
                yield f"{OWN}{name}", value
        if self.revision:
            yield REVISION, str(self.revision)
        if self.listed:
            yield LISTED, " ".join(self.listed)

    def reach(self) -> Iterator[tuple[str, str]]:
        """The fields that say how far a correction goes and for whom, for a page that does not ask for them."""
        yield from ((f"{OWN}{name}", value) for name in REACH if (value := getattr(self, name)))

    def said_of(self, parameter: Parameter) -> str | None:
        """The form's text for a parameter of the verb, None if it has none."""
        filled, want = Filled(self.given), parameter.want
        if parameter.name not in self.listed:
            return None
        if want is ParameterType.FLAG:
            return text_of(parameter, filled) or "no"
        is_said = want in TICKED or filled.of_parameter(parameter) is not None
        return text_of(parameter, filled) if is_said else None

    def is_like(self, other: RequestedCorrection) -> bool:
        """True if both play the same. Most kinds ignore the reason, all ignore ``draws``: drawn dice are on record."""
        return self._played() == other._played()

    def _played(self) -> RequestedCorrection:
        return attrs.evolve(self, reason=self.reason if self.kind in PLAYED_WITH_REASON else "", draws=False)

    def preview(self, campaign: CampaignView, seat: SeatName | None) -> Preview:
        """Preview it for a seat (None: the GM). Raises what corrections and reading a form raise."""
        if seat is None and self.seat:
            seat = find_seat(campaign.state, self.seat)
        made = self._preview(campaign, seat)
        if self.kind in (AMEND, ADJUST, OVERRIDE):
            made.check_changes_something()
        return made

    def _preview(self, campaign: CampaignView, seat: SeatName | None) -> Preview:
        try:
            return self._asked_of(campaign, seat, dict.fromkeys(self.kept, Orphans.KEEP))
        except Refused:
            if not self.kept:
                raise
        return self._kept_one_by_one(campaign, seat)

    def _kept_one_by_one(self, campaign: CampaignView, seat: SeatName | None) -> Preview:
        """Keep orphans one by one if still undecided: keeping one may make a later one possible, or impossible."""
        kept: dict[ActionNumber, Orphans] = {}
        made = self._asked_of(campaign, seat, kept)
        for action in self.kept:
            if any(one.action == action for one in made.of(*UNDECIDED)):
                kept[action] = Orphans.KEEP
                made = self._asked_of(campaign, seat, kept)
        return made

    def _asked_of(self, campaign: CampaignView, seat: SeatName | None, kept: Mapping[ActionNumber, Orphans]) -> Preview:
        options = CorrectionOptions(
            seat=seat,
            reason=self.reason if self.kind in PLAYED_WITH_REASON else "",
            stand=self.later == STAND,
            orphans=Orphans.KEEP if self.later == KEEP_ALL else Orphans.UNDO,
            effects=kept,
            dice=parse_faces(self.faces) if self.faces else None,
            draw=self.draws,
        )
        return self._made(campaign, Corrections(campaign.session), options)

    def _made(self, campaign: CampaignView, corrections: Corrections, options: CorrectionOptions) -> Preview:
        others = self.others
        if self.kind == UNDO:
            return corrections.undo(self.action, *actions_said(campaign, others), options=options)
        if self.kind == REDO:
            actions = (self.action, *actions_said(campaign, others, undone=True))
            if self.revision or self.along == ALONE:
                return corrections.redo(*actions, revision=self.revision, options=options)
            redo = corrections.redo_together if self.along == TOGETHER else corrections.redo_along
            return redo(*actions, options=options)
        if self.kind == AMEND:
            retyped = parse_faces(self.retype) if self.retype else ()
            changed = self._changed_parameters(campaign)
            return corrections.amend(self.action, changed, retype=retyped, options=options)
        if self.kind == ADJUST:
            unadjusted = self.unadjusted == "yes"
            more = (self._adjustment(campaign),) if self.by or self.what or not unadjusted else ()
            return corrections.amend(self.action, adjustments=more, unadjusted=unadjusted, options=options)
        if self.kind == OVERRIDE:
            return self._override(corrections, options)
        if self.kind == INSERT:
            return self._insert(campaign, corrections, options)
        return corrections.undo_correction(correction_of(campaign, self.action), options=options)

    def _insert(self, campaign: CampaignView, corrections: Corrections, options: CorrectionOptions) -> Preview:
        said = split_words(self.line)
        if not said:
            raise LineError("Say what was done before it, in a line as at the prompt: attack mira wolf-2 ! 13 4")
        words = ShortForms(options.seat).before(campaign, self.action, without_program(said))
        turn = turn_before(campaign, self.action, words, seat=options.seat)
        why = attrs.evolve(options, reason=options.reason or turn.reason)
        return corrections.insert(self.action, turn.action, dice=turn.dice or (), secret=turn.secret, options=why)

    def _override(self, corrections: Corrections, options: CorrectionOptions) -> Preview:
        if not self.over:
            raise LineError("Say which faces count in their place: 15, or 15,4.")
        if not self.reason:
            raise Refused("Say why: an override needs its reason, because it stays on record.")
        first = action_number(self.first) or 1
        return corrections.override(self.action, parse_faces(self.over), first=first, options=options)

    def _adjustment(self, campaign: CampaignView) -> Adjustment:
        """The adjustment in the form. Raises LineError for a bad amount or no name, NotFound for an unknown ``who``."""
        text = self.by.replace(MINUS, "-")
        if not re.fullmatch(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}", text) or not int(text):
            raise LineError("Say by how much it changes, as a whole number: +3 or -1.")
        if not self.what:
            raise LineError("Say what changes: hp, a number on the sheet, or pool:NAME.")
        after = campaign.session.history.looking_back(lambda history: history.as_corrected_to(self.action))
        return Adjustment(who=find_character(after, self.who), what=self.what, by=int(text))

    def _changed_parameters(self, campaign: CampaignView) -> dict[str, ParameterValue]:
        """The parameters of the action that the form changes. Raises LineError, NotFound."""
        history = campaign.session.history.look_back()
        intent, before = history.intent_of(self.action), history.state_before(self.action)
        verb = campaign.session.rulebook.verb(before, intent.verb)
        others = {}
        for parameter in user_parameters(verb):
            text = self.said_of(parameter)
            if text is not None and text != written(parameter, intent.params.get(parameter.name, parameter.default)):
                others[parameter.name] = text
        read = read_parameters(verb, others, before)
        return {name: value for name, value in read.items() if value != intent.params.get(name)}


TICKED = (ParameterType.CHARACTERS, ParameterType.CHOICES)
"""Types of parameters with boxes to tick: if none is ticked, nothing is sent, which means an empty value."""


def written(parameter: Parameter, value: ParameterValue | None) -> str:
    """A value as it is typed into a form, "" for an empty one."""
    is_nothing = value is None or (parameter.want.is_list and value == parameter.want.nothing)
    return "" if is_nothing or value is None else typed(value)


def action_of(text: str, kind: str = "") -> ActionNumber:
    """The number of an action in an address, 0 for the latest correction. Raises NotFound if it is not a number."""
    if kind == REVERSE and text == LAST:
        return 0
    number = action_number(text)
    if not number:
        raise NotFound("There is no action of that number at this table.")
    return number
