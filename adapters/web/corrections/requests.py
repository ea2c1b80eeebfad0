"""A correction as a form asks for it: the words that were typed, so that they can be shown again and handed on to the GM."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs
from starlette.datastructures import ImmutableMultiDict

from rollbook.adapters.web.corrections.numbered import actions_said, correction_of
from rollbook.application.corrections import Corrections, Preview
from rollbook.application.forms.verb_form import Filled, text_of
from rollbook.application.lines.verb_line import LineError, find_seat, read_parameters, user_parameters
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound, Refused
from rollbook.domain.base.identifiers import ActionNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.changes import UNDECIDED, CorrectionOptions, Orphans
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.events import ParameterValue
from rollbook.domain.rules.parameters import MINUS, Parameter, ParameterType
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.rules.spelling import typed
from rollbook.domain.state.lookup import find_character
from rollbook.projections.numbers import action_number

UNDO, REDO, AMEND, ADJUST, OVERRIDE, REVERSE = "undo", "redo", "amend", "adjust", "override", "undo-correction"
KINDS = (UNDO, REDO, AMEND, ADJUST, OVERRIDE, REVERSE)
SAID = {
    UNDO: "Undo",
    REDO: "Redo",
    AMEND: "Amend",
    ADJUST: "Adjust in",
    OVERRIDE: "Override dice of",
    REVERSE: "Undo the correction",
}
"""What people call each kind, above previews."""
PLAYED_WITH_REASON = (ADJUST, OVERRIDE)
"""Kinds whose reason is a part of what is played, so that another one needs another preview."""

OWN = "fix."
"""What the names of fields begin with that are no parameters of a verb: no parameter has a full stop in its name."""
BECOMES = f"{OWN}becomes."
"""What the name of a field begins with that says what becomes of an action, by its number."""
KEEP = "keep"
LISTED = f"{OWN}listed"
"""The name of the field that names the fields of the verb's form: a box that is not ticked sends nothing."""
REVISION = f"{OWN}revision"
"""The name of the field that says which earlier outcome of an action is to count again."""
FACES = f"{OWN}faces"
"""The name of the fields with faces of dice that were never rolled: those that were typed before, and the next."""
MOST_DIGITS = 12
LAST = "last"
"""What stands for the number of a correction in an address: the one that was made last."""
WORDS = ("retype", "who", "what", "by", "unadjusted", "over", "first", "faces")
"""The fields that hold words, beside the parameters and the reason."""
REACH = ("later", "along", "others", "seat")
"""The fields that say how far it goes, and for whom."""
STAND, KEEP_ALL = "stand", "keep"
TOGETHER, ALONE = "together", "alone"

Given = Mapping[str, tuple[str, ...]]


@attrs.frozen(kw_only=True)
class RequestedCorrection(Record):
    """What is asked of one action, or, by ``REVERSE``, of the correction whose first entry has that number.

    ``given`` are fields of the verb's form by name, of those that were ``listed`` in it; ``retype`` the real dice as they should
    have been typed; ``who``, ``what`` and ``by`` an adjustment, and ``unadjusted`` is "yes" if those that it has are to go;
    ``over`` other faces for dice of the stream, from its ``first`` on. ``faces`` are for dice that were never rolled; with
    ``draws`` such dice are drawn, at once and for good. ``kept`` are orphans that stay as rulings. ``revision`` is the earlier
    outcome that a redo is to bring, 0 for the last one.

    ``later`` is "stand" if all later actions stay as recorded, "keep" if all orphans become rulings; ``along`` says what a redo
    takes with it: "together", "alone", or what its undoing made impossible; ``others`` names actions to undo or redo with it.
    ``seat`` is the player for whom the GM corrects.
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
        """What a form asks for; what is missing in it is not asked for."""
        given: dict[str, tuple[str, ...]] = {}
        own: dict[str, str] = {}
        for name, value in form.multi_items():
            if name == FACES:  # those that were typed before, and then the next
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
        """What is asked for, and of which action."""
        return self.titled(self.action)

    def titled(self, number: int) -> str:
        """The same with the number by which somebody else knows the action or the correction."""
        others = f" and {self.others}" if self.others else ""
        return f"{SAID[self.kind]} {'@' if self.kind == REVERSE else '#'}{number}{others}"

    @property
    def card(self) -> str:
        """The element of its card at the table."""
        return f"{'e' if self.kind == REVERSE else 'a'}{self.action}"

    def fields(self) -> Iterator[tuple[str, str]]:
        """The fields of a form that asks for the same, but for its reason, how far it goes and what becomes of orphans."""
        yield from ((name, value) for name, values in self.given.items() for value in values)
        for name in WORDS:
            if value := getattr(self, name):
                yield f"{OWN}{name}", value
        if self.revision:
            yield REVISION, str(self.revision)
        if self.listed:
            yield LISTED, " ".join(self.listed)

    def reach(self) -> Iterator[tuple[str, str]]:
        """The fields that say how far it goes and for whom, for a page that does not ask for them."""
        yield from ((f"{OWN}{name}", value) for name in REACH if (value := getattr(self, name)))

    def said_of(self, parameter: Parameter) -> str | None:
        """What the form says of a parameter of the verb, None if it says nothing."""
        filled, want = Filled(self.given), parameter.want
        if parameter.name not in self.listed:
            return None
        if want is ParameterType.FLAG:
            return text_of(parameter, filled) or "no"
        is_said = want in TICKED or filled.of_parameter(parameter) is not None
        return text_of(parameter, filled) if is_said else None

    def is_like(self, other: RequestedCorrection) -> bool:
        """Whether the same is played, mostly whatever its reason: a drawn die is on record, so nobody asks for it twice."""
        return self._played() == other._played()

    def _played(self) -> RequestedCorrection:
        return attrs.evolve(self, reason=self.reason if self.kind in PLAYED_WITH_REASON else "", draws=False)

    def preview(self, campaign: CampaignView, seat: SeatName | None) -> Preview:
        """The preview of it, by a seat (None: the GM). Raises what the corrections and the reading of a form raise."""
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
        """With those decisions that still are to be made: keeping one action may make a later one possible, or impossible."""
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
        return corrections.undo_correction(correction_of(campaign, self.action), options=options)

    def _override(self, corrections: Corrections, options: CorrectionOptions) -> Preview:
        if not self.over:
            raise LineError("Say which faces count in their place: 15, or 15,4.")
        if not self.reason:
            raise Refused("Say why: an override needs its reason, because it stays on record.")
        first = action_number(self.first) or 1
        return corrections.override(self.action, parse_faces(self.over), first=first, options=options)

    def _adjustment(self, campaign: CampaignView) -> Adjustment:
        """What the form says of a sheet. Raises LineError if an amount is not a number, NotFound if nobody has that name."""
        text = self.by.replace(MINUS, "-")
        if not re.fullmatch(rf"[+-]?[0-9]{{1,{MOST_DIGITS}}}", text) or not int(text):
            raise LineError("Say by how much it changes, as a whole number: +3 or -1.")
        if not self.what:
            raise LineError("Say what changes: hp, a number on the sheet, or pool:NAME.")
        after = campaign.session.history.looking_back(lambda history: history.as_corrected_to(self.action))
        return Adjustment(who=find_character(after, self.who), what=self.what, by=int(text))

    def _changed_parameters(self, campaign: CampaignView) -> dict[str, ParameterValue]:
        """Those parameters of the action that the form gives otherwise than they are. Raises LineError, NotFound."""
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
"""Parameters of which boxes are ticked: where none is, nothing is sent, and that says nobody or nothing."""


def written(parameter: Parameter, value: ParameterValue | None) -> str:
    """A value as it is typed into a form, "" for one that says nothing."""
    is_nothing = value is None or (parameter.want.is_list and value == parameter.want.nothing)
    return "" if is_nothing or value is None else typed(value)


def action_of(text: str, kind: str = "") -> ActionNumber:
    """The number of an action in an address, 0 for the last correction. Raises NotFound for what is none."""
    if kind == REVERSE and text == LAST:
        return 0
    number = action_number(text)
    if not number:
        raise NotFound("There is no action of that number at this table.")
    return number
