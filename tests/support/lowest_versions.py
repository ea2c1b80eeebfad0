"""``python -m tests.support.lowest_versions FOLDER`` runs tests with the lowest versions that ``pyproject.toml`` names.

It makes an environment there in which every dependency and every extra is as old as allowed, and what those need as new as
there is (uv resolves that, and pip installs uv beside it). A bound that is too low fails here. More words are for pytest.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TESTS = ("-q", "-m", "fast", "-p", "no:cacheprovider")
"""Tests that are run unless words for pytest are given: the eight thousand that start no process."""


def extras() -> list[str]:
    """All extras, each with its bounds."""
    read = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return sorted(read["project"]["optional-dependencies"])


def make(folder: Path) -> Path:
    """An environment with the lowest versions. Returns its Python."""
    tools, lowest = folder / "tools", folder / "lowest"
    for each in (tools, lowest):
        venv.create(each, with_pip=True)
    subprocess.run([tools / "bin" / "python", "-m", "pip", "install", "--quiet", "uv"], check=True)
    python = lowest / "bin" / "python"
    chosen = ["--resolution", "lowest-direct", "--link-mode", "copy", "--python", str(python)]
    everything = ["--editable", f"{ROOT}[{','.join(extras())}]"]
    subprocess.run([tools / "bin" / "uv", "pip", "install", *chosen, *everything], check=True)
    return python


def main(place: str, *words: str) -> int:
    """Make the environment and run the tests in it. Returns pytest's exit code."""
    python = make(Path(place).resolve())
    return subprocess.run([python, "-m", "pytest", *(words or TESTS)], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit((__doc__ or "").partition("\n")[0])
    sys.exit(main(*sys.argv[1:]))
