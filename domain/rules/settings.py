"""House rules: switches of a game's settings class, and how a campaign has chosen them."""

import functools
from collections.abc import Mapping
from typing import Any

import attrs

from rollbook.domain.events import Scalar


def setting(
    default: Scalar,
    text: str,
    *,
    choices: tuple[str, ...] = (),
    means: tuple[str, ...] = (),
    minimum: int | None = None,
    before: Scalar | None = None,
) -> Any:
    """A house-rule switch: its default, what it decides (with the ruling's number) and the other choices.

    ``means`` are sentences that say of each choice what then holds, in the order of the choices.
    ``before`` is what campaigns play by that began before there was the setting, if that is not the default.
    """
    about = {"help": text, "choices": choices, "means": means, "minimum": minimum, "before": before}
    return attrs.field(default=default, metadata={"rollbook": about})


def settings_of(cls: Any, chosen: Mapping[str, Scalar]) -> Any:
    """Recorded house rules as an instance of a ruleset's settings class; what is not recorded has its default.

    Where a campaign could not record it yet, it is what was played ``before`` there was the setting.
    """
    return _settings_of(cls, tuple(chosen.items()))


@functools.lru_cache(maxsize=64)
def _settings_of(cls: type[Any], chosen: tuple[tuple[str, Scalar], ...]) -> Any:
    known = {field.name: field.metadata.get("rollbook", {}).get("before") for field in attrs.fields(cls)}
    before = {name: value for name, value in known.items() if value is not None}
    return cls(**before | {name: value for name, value in chosen if name in known})
