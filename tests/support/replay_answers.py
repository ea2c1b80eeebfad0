"""Answers of a page's scripts when they verify its own drawing, or another one of the same chain."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.support.pages import Opened
from tests.support.replay_pages import frames_of

ASK = """async ([texts, missing]) => {
  const bytes = await rollbookSource.chain(), entries = rollbookFrames.newEntries(), answers = [];
  entries.fill(bytes);
  const answer = await verifyRollbook(bytes, [], "this page"), of = (which) => document.querySelector(which).textContent;
  const heading = { title: document.title, campaign: of("h1 > bdi"), subtitle: of("h1 small"), reader: of(".seat bdi") };
  if (missing) {
    answer.chain.verdict = "UNPROVEN";
    answer.text = answer.text.replace("\\n", `\\n${missing.map((each) => `       ${each}\\n`).join("")}`);
  }
  for (const text of texts) {
    const data = JSON.parse(text), [into, seal] = ["div", "a"].map((tag) => document.createElement(tag));
    for (const step of data.steps) step.place ??= step.no;
    let drawing = { verdict: "FAILED", found: ["it cannot be drawn"], open: [], tally: {} };
    try {
      drawing = rollbookDrawn(data, entries, rollbookFrames.coursesOf(data), rollbookFrames.lanesOf(data), heading);
    } catch {}
    rollbookVerdict.draw(into, seal, answer, drawing);
    answers.push([into.dataset.verdict, into.querySelector(".stamp").textContent]);
  }
  return answers;
}"""
"""The verdict and the first line for each drawing. ``missing`` is why the verifier calls the chain UNPROVEN."""
Answer = tuple[str, str]

PROVEN = "Chain and dice proven: no entry was changed or left out, and the dice are those of the revealed seeds. Not proven: "
"""Beginning of the first line where only the drawing is not proven."""
ONLY_OF_THE_RULES = rf"{PROVEN}(\d+) drawn values? that only the rules give \(([^();]+)\)\. Nothing is contradicted\."
"""The first line of an honest page that draws everything: so many values, and so many of each sort."""


def answered(opened: Opened, path: Path, texts: list[str], missing: Sequence[str] | None = None) -> list[Answer]:
    """Answers of a page on drawings, its own or forged."""
    page = opened(path)
    page.wait_for_selector("html[data-ready]")
    return [(verdict, line) for verdict, line in page.evaluate(ASK, [texts, missing])]


def answer_to(opened: Opened, path: Path, change: Callable[[dict[str, Any]], object] = lambda _: None) -> Answer:
    """Answer of a page on its drawing with a change made to it."""
    frames = frames_of(path)
    change(frames)
    (only,) = answered(opened, path, [json.dumps(frames)])
    return only
