"""Templates lie beside the room that shows them, all are found by one loader, and none is there that nobody names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import rollbook.adapters.web
from rollbook.adapters.web.corrections.forms import FORMS
from rollbook.adapters.web.pages.templating import Templates

ROOMS = Path(rollbook.adapters.web.__file__).parent
NAMED = re.compile(r"""["']([a-z]+)/([a-z_{}.]+)\.html["']""")


def named_in_code() -> Iterator[tuple[str, str, str]]:
    """The room of a module, and the room and name of each template that it names; "" for what it fills in."""
    for module in ROOMS.rglob("*.py"):
        for room, name in NAMED.findall(module.read_text(encoding="utf-8")):
            yield module.relative_to(ROOMS).parts[0], room, "" if "{" in name else f"{room}/{name}.html"


def test_a_room_shows_its_own_templates_alone() -> None:
    assert not {(its, room) for its, room, _ in named_in_code() if its != room}


def test_every_template_is_found_can_be_read_and_is_named_somewhere() -> None:
    environment = Templates(lambda name: name).environment
    known = {name for name in environment.list_templates() if name.endswith(".html")}
    assert known == {f"{path.parents[1].name}/{path.name}" for path in ROOMS.rglob("*.html")}
    named = {name for _, _, name in named_in_code()}
    for name in known:
        environment.get_template(name)
        source = (ROOMS / name.replace("/", "/templates/")).read_text(encoding="utf-8")
        named |= {f"{room}/{leaf}.html" for room, leaf in NAMED.findall(source)}
    filled_in = {f"corrections/{kind}.html" for kind in FORMS}
    assert known - named == filled_in


PART = re.compile(r"""part\(["']([a-z]+/[a-z_]+\.html)["']""")
USED = re.compile(r"""{% (?:from|import|include) ["']([a-z]+/[a-z_]+\.html)["']""")
CHANGING = ("new_command(", "warnings(")
"""What makes a template more than a function of the values that it is given."""


def source_of(name: str) -> str:
    return (ROOMS / name.replace("/", "/templates/")).read_text(encoding="utf-8")


def with_used(name: str) -> Iterator[str]:
    """The templates that one is made of."""
    yield name
    for used in USED.findall(source_of(name)):
        yield from with_used(used)


def test_a_part_that_is_kept_depends_on_its_values_alone() -> None:
    parts = {name for path in ROOMS.rglob("*.html") for name in PART.findall(path.read_text(encoding="utf-8"))}
    assert parts
    for name in parts:
        for each in with_used(name):
            assert not [word for word in CHANGING if word in source_of(each)], each
