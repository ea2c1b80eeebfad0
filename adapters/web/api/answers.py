"""The shapes of bodies and answers, from which the document of the API is made.

Where a value of the engine is answered as it is, its own class is the shape; the others here say what the same JSON of the
command line says.
"""

from __future__ import annotations

from typing import Any

import attrs

from rollbook.adapters.web.corrections.previews import Part, Tally
from rollbook.application.ports.seat_tokens import Scope
from rollbook.domain.base.records import Record
from rollbook.domain.corrections.sheet_changes import SheetChange
from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.rules.sheet import Term
from rollbook.projections.status import CharacterStatus, ChoiceStatus, FightStatus

ParameterGiven = str | int | bool | list[str | int]


@attrs.frozen(kw_only=True)
class CampaignRow(Record):
    """A campaign, with the seat and the scopes of the token."""

    campaign: str
    name: str
    seat: str
    role: Role
    scopes: list[Scope]


@attrs.frozen(kw_only=True)
class CampaignAnswer(CampaignRow):
    """The same with the key of the game, its version, and the cursor of now."""

    ruleset: str
    version: str
    cursor: str


@attrs.frozen(kw_only=True)
class CampaignsAnswer(Record):
    """The campaigns that a token leads to: one."""

    campaigns: list[CampaignRow]


@attrs.frozen(kw_only=True)
class StatusAnswer(Record):
    """The fight and its turns, or the scene; ``characters`` are those in play who are in no fight.

    ``clock`` is seconds since the campaign began, ``lines`` are other values that the game counts. ``paused``: the X-card is
    on the table.
    """

    campaign: str
    session: int
    session_title: str
    session_open: bool
    mixed: str
    scene: str
    clock: int
    paused: bool
    fight: FightStatus | None
    characters: list[CharacterStatus]
    choices: list[ChoiceStatus]
    faults: list[str]
    lines: dict[str, str]


@attrs.frozen(kw_only=True)
class StateAnswer(Record):
    """The status as far as the seat sees it, and the cursor up to which it is that."""

    cursor: str
    status: StatusAnswer


@attrs.frozen(kw_only=True)
class ValueAnswer(Record):
    """A number of a sheet: ``shown`` is how it is written, and the ``terms`` add up to the ``amount``."""

    key: str
    label: str
    amount: int
    group: str
    terms: list[Term]
    shown: str


@attrs.frozen(kw_only=True)
class SheetAnswer(Record):
    """A sheet as the seat may see it, in its order; ``words`` are lines that are no numbers."""

    character: str
    name: str
    title: str
    values: list[ValueAnswer]
    words: dict[str, str]


@attrs.frozen(kw_only=True)
class CharacterAnswer(Record):
    """A character whom the seat knows of; ``seat`` is the player's."""

    character: str
    name: str
    kind: CharacterKind
    seat: str
    is_present: bool


@attrs.frozen(kw_only=True)
class SheetsAnswer(Record):
    """The characters who have a sheet."""

    cursor: str
    characters: list[CharacterAnswer]


@attrs.frozen(kw_only=True)
class LineAnswer(Record):
    """A line of the log. ``at`` is microseconds since 1970, UTC; ``success`` is 1, -1, or 0 where nothing was at stake.

    ``status`` is "counts", "undone", "replaced" or "correction"; ``corrected_by`` is the entry that took it out of effect.
    """

    campaign: str
    entry: int
    action: int
    revision: int
    session: int
    scene: str
    at: int
    verb: str
    who: str
    what: str
    dice: str
    result: str
    success: int
    status: str
    reason: str
    corrected_by: int
    why: str
    because: int
    visibility: str
    provenance: str
    scene_number: int
    actor: list[str]
    targets: list[str]
    kinds: list[str]
    sentence: str
    seat: str = ""
    before: int = 0


@attrs.frozen(kw_only=True)
class LogAnswer(Record):
    """Lines after a cursor, oldest first, and the cursor after them. There is ``more`` if not all of them are here.

    ``changed`` are earlier lines as they are now: each takes the place of the one with its ``entry``. ``reset``: the cursor
    is not of this log any more, and these are its first lines.
    """

    cursor: str
    lines: list[LineAnswer]
    changed: list[LineAnswer]
    reset: bool
    more: bool


@attrs.frozen(kw_only=True)
class ParameterAnswer(Record):
    """A parameter of a verb; ``want`` is its type."""

    name: str
    want: str
    required: bool
    default: Any
    choices: list[str]
    unit: str
    help: str


@attrs.frozen(kw_only=True)
class VerbAnswer(Record):
    """A verb that the seat may take. ``ruleset`` is "" for one that every game has."""

    verb: str
    ruleset: str
    usage: str
    help: str
    typed_dice: str
    gm_only: bool
    final: bool
    parameters: list[ParameterAnswer]


@attrs.frozen(kw_only=True)
class VerbsAnswer(Record):
    """The verbs of the seat, the game's own first."""

    verbs: list[VerbAnswer]


@attrs.frozen(kw_only=True)
class ActBody(Record):
    """An action: a verb with its parameters, as they are typed. ``dice`` are the faces of real dice.

    ``seat`` is the player for whom the GM acts; ``secret`` is for the GM. ``command`` is an idempotency key, which can be sent
    as the header ``Idempotency-Key`` instead.
    """

    verb: str
    params: dict[str, ParameterGiven] = attrs.field(factory=dict)
    dice: list[int] = attrs.field(factory=list)
    why: str = ""
    secret: bool = False
    seat: str = ""
    command: str = ""


@attrs.frozen(kw_only=True)
class ActAnswer(Record):
    """An action that was recorded: its line, None if the seat may not see it, and the cursor after it.

    ``warnings`` are faults after that: it is recorded, and must not be sent again. Then there may be no line, and no cursor ("").
    """

    line: LineAnswer | None
    remarks: list[str]
    warnings: list[str]
    cursor: str


@attrs.frozen(kw_only=True)
class CorrectionBody(Record):
    """A correction to look at. ``kind`` is undo, redo, amend or undo-correction; for the GM also adjust, override or insert.

    ``action`` is a number of the seat's own log; for undo-correction the first entry of the correction, 0 for the last one.
    ``params`` and ``retype`` are an amend's: other parameters, and real dice as they should have been typed. ``who``, ``what``
    and ``by`` are an adjustment, ``over`` other faces from the ``first`` die on, ``line`` what is inserted. ``later`` is
    "stand" or "keep", ``along`` "together" or "alone", ``kept`` the orphans that stay. ``faces`` are for dice that were never
    rolled; the GM may ``draw`` them, at once and for good.
    """

    kind: str
    action: int = 0
    params: dict[str, ParameterGiven] = attrs.field(factory=dict)
    retype: str = ""
    who: str = ""
    what: str = ""
    by: str = ""
    unadjusted: bool = False
    over: str = ""
    first: int = 0
    line: str = ""
    later: str = ""
    along: str = ""
    others: str = ""
    seat: str = ""
    revision: int = 0
    faces: str = ""
    draw: bool = False
    kept: list[int] = attrs.field(factory=list)
    reason: str = ""


@attrs.frozen(kw_only=True)
class ConsequencesAnswer(Record):
    """The consequences of a correction: how many actions by what becomes of them, these in parts, and the sheets that change.

    ``same`` names the actions that come out the same. Some of many are counted alone (``more``).
    """

    tally: list[Tally]
    parts: list[Part]
    same: list[str]
    sheets: list[tuple[str, list[SheetChange]]]
    more_sheets: int


@attrs.frozen(kw_only=True)
class PreviewAnswer(Record):
    """A preview by its id, ``preview``: what the correction would do, and record nothing.

    ``needed`` is a die that has to be known first, ``can_draw`` whether the GM may have it drawn. ``page`` is None then.
    """

    preview: str
    kind: str
    action: int
    what: str
    needed: str
    can_draw: bool
    page: ConsequencesAnswer | None


@attrs.frozen(kw_only=True)
class ProgressAnswer(Record):
    """Work that goes on: ``done`` of ``total``. Ask again within six seconds, or it stops."""

    preview: str
    done: int
    total: int


@attrs.frozen(kw_only=True)
class ApplyBody(Record):
    """The reason of a correction, which is kept, and an idempotency key."""

    reason: str = ""
    command: str = ""


@attrs.frozen(kw_only=True)
class AppliedAnswer(Record):
    """A correction that was sent. ``outcome`` is "applied" for the GM's.

    A player's is "sent": it is made if it touches only what is theirs, or else the GM is asked, and the answer is the same.
    """

    outcome: str
    warnings: list[str]


@attrs.frozen(kw_only=True)
class ExportBody(Record):
    """Nothing is asked: the file is the edition of the token's seat."""


@attrs.frozen(kw_only=True)
class Problem(Record):
    """A refusal or a fault (RFC 9457): ``detail`` is the sentence. ``parameter`` is the one at fault, if it is a single one."""

    type: str
    title: str
    status: int
    detail: str
    parameter: str = ""
