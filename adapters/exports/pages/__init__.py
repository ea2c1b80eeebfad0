"""Pages: one file each, with its styles and scripts within, which asks nothing of any network and opens from disk.

A page has a strict policy inside. It names the one style sheet and the one script by their digests, so nothing else runs in it,
whatever a name or a note holds.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from importlib.resources import files

POLICY = (
    "default-src 'none'; script-src {script}; style-src {style}; img-src data:; form-action 'none'; base-uri 'none'"
)
_PLACE = re.compile(r"%%([a-z]+)%%")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s+")
_AROUND = re.compile(r" ?([{};,>]) ?")


def part(name: str) -> str:
    """A file of a page, as text."""
    return files("rollbook.adapters.exports.pages").joinpath(name).read_text(encoding="utf-8")


def style(*names: str) -> str:
    """Style sheets as one, without comments and indentation."""
    bare = _SPACE.sub(" ", _COMMENT.sub("", "\n".join(map(part, names))))
    return _AROUND.sub(r"\1", bare).strip()


def script(texts: Iterable[str]) -> str:
    """Scripts as one, in their order, without their indentation and the comments that stand alone in a line."""
    lines = (line.strip() for text in texts for line in _COMMENT.sub("", text).splitlines())
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def page(
    template: str, styles: str, scripts: str, words: Mapping[str, str], parts: Mapping[str, str] | None = None
) -> bytes:
    """Fill a template. ``words`` are texts, to be escaped, by the names of their places in it; ``parts`` are markup.

    Its policy allows this style sheet and these scripts alone.
    """
    policy = POLICY.format(script=_digest(scripts), style=_digest(styles))
    within = {**(parts or {}), "policy": policy, "style": styles, "script": scripts}
    filled = _PLACE.sub(lambda place: within.get(place[1]) or escape(words.get(place[1], "")), part(template))
    return filled.encode(errors="replace")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" if text else "'none'"
