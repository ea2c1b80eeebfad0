"""The envelopes of an entry: as they are written, without what is at its default, and as they are read."""

from collections.abc import Mapping

import msgspec

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.entries import NO_INTENT, REASON, Entry, Intent
from rollbook.domain.events import ParameterValue
from rollbook.domain.history.chain import NUMBERS


class Public(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The public envelope: the fields of ``RecordedEntry`` from ``seat`` on, in its order."""

    seat: str = ""
    at: int
    reason: str = ""
    visibility: str = ""
    revision: int = 1
    intent: Intent = NO_INTENT
    actor: str = ""
    ruleset: str = ""
    version: str = ""
    provenance: str = "played"
    restores: int = 0
    public_number: int = 0
    previous_public_hash: str = ""
    public_salt: str = ""
    public_before: int = 0


class Private(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The private envelope: between ``action`` and ``params`` the next fields of ``RecordedEntry``, in its order.

    ``params`` are those of the intent's that are numbers of this history, ``reason`` is one that is hidden.
    """

    action: ActionNumber
    causation: EntryNumber = 0
    correction: str = ""
    stand: bool = False
    reads: tuple[str, ...] = ()
    salt: str = ""
    hidden_events: tuple[int, ...] = ()
    fingerprint: str = ""
    command: str = ""
    command_digest: str = ""
    before: ActionNumber = 0
    params: Mapping[str, ParameterValue] = {}
    reason: str = ""


class Seal(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The last line: the last two fields of ``RecordedEntry``."""

    previous_hash: str
    hash: str


class Verb(msgspec.Struct, frozen=True, gc=False):
    """The verb of an intent."""

    verb: str = ""


class PublicOutline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The public envelope as a history notes it: the last fields of ``Outline``, in its order."""

    revision: int = 1
    restores: int = 0
    visibility: str = ""
    intent: Verb = Verb()


class PrivateOutline(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The private envelope as a history notes it: the next fields of ``Outline`` after its kind, in its order."""

    action: ActionNumber
    hidden_events: tuple[int, ...] = ()
    stand: bool = False
    correction: str = ""
    fingerprint: str = ""
    before: ActionNumber = 0


def _copied(envelope: type[msgspec.Struct], *without: str) -> list[tuple[int, str, object]]:
    """The fields that an envelope has of an entry, in its order: the place in the entry, the name and the default."""
    fields = [field for field in msgspec.structs.fields(envelope) if field.name not in without]
    return [(Entry._fields.index(field.name), field.name, field.default) for field in fields]


_PUBLIC, _INTENT = _copied(Public), Public.__struct_fields__.index("intent")
_UNTIL_INTENT, _AFTER_INTENT = _PUBLIC[:_INTENT], _PUBLIC[_INTENT + 1 :]
_PRIVATE = _copied(Private, "params", "reason")


def written(entry: Entry) -> tuple[dict[str, object], dict[str, object]]:
    """Both envelopes of an entry, ready to be encoded: the fields that are not at their defaults, in their order."""
    public: dict[str, object] = {name: entry[at] for at, name, default in _UNTIL_INTENT if entry[at] != default}
    private: dict[str, object] = {name: entry[at] for at, name, default in _PRIVATE if entry[at] != default}
    if entry.intent is not NO_INTENT:
        params = entry.intent.params
        intent: dict[str, object] = {"verb": entry.intent.verb}
        public["intent"] = intent
        if not NUMBERS.isdisjoint(params):
            private["params"] = {name: value for name, value in params.items() if name in NUMBERS}
            params = {name: value for name, value in params.items() if name not in NUMBERS}
        if params:
            intent["params"] = params
        if entry.intent.second_thoughts:
            intent["second_thoughts"] = entry.intent.second_thoughts
    if entry.reason and REASON in entry.hidden_events:
        private["reason"] = public.pop("reason")
    for at, name, default in _AFTER_INTENT:
        if entry[at] != default:
            public[name] = entry[at]
    return public, private
