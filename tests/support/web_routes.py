"""Addresses for every page of the route table: what can stand in the place of each parameter of a path, and after the ``?``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from urllib.parse import quote

from rollbook.adapters.web.pages.page import Page
from tests.support.web import SHERWOOD

NUMBERS = ("9", "1", "12", "x")
VALUES: Mapping[str, Sequence[str]] = {
    "campaign": (SHERWOOD,),
    "number": NUMBERS,
    "action": NUMBERS,
    "who": ("robin", "guard", "black-douglas", "nobody"),
    "key": ("hp", "skill", "nothing"),
    "verb": ("attack", "roll", "note", "nonsense"),
    "token": ("no-such-token",),
    "digest": ("0000000000", *(two * 32 for two in ("1b", "2c", "3d", "4f", "5e"))),
    "file": ("web.css", "nothing.js"),
    "request": ("no-such-request",),
    "job": ("no-such-job",),
}
"""Values for each parameter: things that are public, hidden or unknown."""
QUERIES: Mapping[str, Sequence[str]] = {
    "/c/{campaign}/live": (
        "after=0.",
        "after=1.0000000000000000",
        "after=rubbish",
        f"after=0.&with=/c/{SHERWOOD}/act&with=/c/{SHERWOOD}/requests&with=/c/{SHERWOOD}/sheet/robin",
        f"after=0.&with=/c/{SHERWOOD}/act?who=black-douglas&with=/c/{SHERWOOD}/sheet/black-douglas",
        f"after=0.&with=/c/{SHERWOOD}/do/attack?roll.as=black-douglas&with=/c/{SHERWOOD}/sheets",
    ),
    "/c/{campaign}/log": ("before=9", "before=4", "q=robin", "q=douglas", "q=zyxel", "q=verb%3Dattack", "q=who%3Dash"),
    "/c/{campaign}/do/{verb}": ("attacker=robin&target=guard", "attacker=robin&target=black-douglas", "who=robin"),
    "/c/{campaign}/at/{who}": ("who=robin", "who=black-douglas", "on=points"),
    "/c/{campaign}/odds/{verb}": ("attacker=robin&target=guard", "attacker=robin&target=black-douglas"),
    "/c/{campaign}/complete": (
        "line=attack+",
        "line=attack+robin+",
        "line=attack+robin+bl",
        "line=sheet+",
        "line=note+--about+",
    ),
    "/c/{campaign}/sheet/{who}": ("at=5", "at=9", "at=30", "at=s1", "at=9&as=corrected", "at=last"),
    "/c/{campaign}/why/{who}/{key:path}": ("at=9", "at=9&as=corrected"),
    "/c/{campaign}/replay": ("at=9", "at=30", "session=1", "session=all"),
    "/c/{campaign}/replay/moments": ("session=all&from=0", "session=1&from=3", "at=9&from=0"),
    "/c/{campaign}/board": ("who=robin&way=1,0", "who=black-douglas"),
    "/api/v1/campaigns/{campaign}/log": (
        *("after=0.", "after=1.0000000000000000", "after=rubbish", "limit=3", "after=9&limit=1", "limit=0"),
    ),
    "/api/v1/campaigns/{campaign}/sheets/{who}": ("at=5", "at=9", "at=30", "at=s1", "at=9&as=corrected", "at=last"),
    "/api/v1/campaigns/{campaign}/odds/{verb}": (
        "attacker=robin&target=guard",
        "attacker=robin&target=black-douglas",
        "expression=1d20",
        "expression=3d6&who=robin",
        "who=black-douglas",
    ),
}
"""Queries of some pages; every page is asked without one, too."""


def addresses(page: Page, values_of: Mapping[str, Sequence[str]] = VALUES) -> Iterator[str]:
    """Every address of a page that is tried. A parameter that is not known here has to be told what can stand there."""
    names = re.findall(r"\{(\w+)(?::\w+)?\}", page.path)
    unknown = [name for name in names if name not in values_of]
    assert not unknown, f"say in tests/support/web_routes.py what can stand for {unknown} in {page.path}"
    for values in product(*(values_of[name] for name in names)):
        path = page.path
        for name, value in zip(names, values, strict=True):
            path = re.sub(rf"\{{{name}(?::\w+)?\}}", lambda _, value=value: quote(value), path)
        yield path
        yield from (f"{path}?{query}" for query in QUERIES.get(page.path, ()))
