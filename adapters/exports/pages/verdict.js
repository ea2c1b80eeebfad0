/* The answer of the verifier, in words and as a coloured field. */
"use strict";
const rollbookVerdict = (() => {
  const { el, icon, said, text } = rollbookElements;
  const KINDS = { VERIFIED: "good", UNPROVEN: "open", FAILED: "bad" };
  const worst = (...all) => ["FAILED", "UNPROVEN", "VERIFIED"].find((each) => all.includes(each));

  function row(name, verdict, words) {
    return el("li", {}, el("span", {}, name), el("b", { class: `is-${KINDS[verdict]}` }, verdict), el("span", {}, said(words)));
  }
  function drawingWords({ verdict, tally, found }, isWhole) {
    if (verdict === "FAILED") return found[0];
    const loose = tally.loose ? `; ${tally.loose} more follow from the rules and were not compared` : "";
    const part = isWhole ? "" : "; the rest of the chain is not drawn";
    return `${tally.rolls} rolls and their totals are drawn from the entries themselves, and ${tally.points} changes of hit points follow from their events${loose}${part}`;
  }
  function rowsOf({ chain, dice, text: words }, drawing, isWhole) {
    if (!chain) return [row("file", "FAILED", words)];
    const good = `${chain.entries} of ${chain.there} entries; the receipt of the last is ${chain.receipt}`;
    const bad = `the entry after ${chain.entries} good ones, @${chain.entries + 1}: ${chain.fault}`;
    const rows = [row("chain", chain.verdict, chain.verdict === "FAILED" ? bad : good)];
    if (dice) rows.push(row("dice", dice.verdict, dice.verdict === "FAILED" ? dice.findings[0] : `${dice.proven} dice worked out again from the revealed seeds`));
    if (drawing) rows.push(row("drawing", drawing.verdict, drawingWords(drawing, isWhole)));
    return rows;
  }
  function unknown({ dice }, drawing) {
    const more = [...(dice?.findings ?? []), ...(drawing?.found ?? [])].slice(0, 20), notes = dice?.notes ?? [];
    return [
      el("div", { class: "notice" }, icon("warn"), el("div", {}, el("p", {}, "What this page cannot know: whether its end was cut off and whether all of it was written differently from the start, which takes a receipt that somebody noted; who typed what; and the rules, which ", el("code", {}, "rollbook audit"), " plays again. Hit points at the start of a scene, names and sentences are its maker’s words. A page can also lie about itself: who wants to be sure checks the file with ", el("code", {}, "verify_rollbook.py"), " from elsewhere."),
        notes.length ? el("ul", { class: "besides" }, ...notes.map((each) => el("li", {}, text(each)))) : null)),
      more.length > 1 && el("details", {}, el("summary", {}, `All ${more.length} findings`), el("ul", {}, ...more.map((each) => el("li", {}, said(each))))),
    ];
  }
  const WORDS = { VERIFIED: "Verified", UNPROVEN: "Not proven", FAILED: "Failed" };
  const REST = { VERIFIED: "no entry was changed or left out, and the dice are those of the revealed seeds.", UNPROVEN: "nothing is contradicted, but something is missing for a proof.", FAILED: "something here is not what was recorded." };
  // Draws the answer into an element. Returns the verdict.
  function draw(into, answer, drawing, isWhole) {
    const verdict = worst(answer.chain?.verdict ?? "FAILED", answer.dice?.verdict ?? "VERIFIED", drawing?.verdict ?? "VERIFIED");
    into.dataset.verdict = verdict;
    into.replaceChildren(el("p", { class: `stamp stamp-${KINDS[verdict]}` }, el("span", { class: "stamp-field", "aria-hidden": "true" }, icon({ good: "yes", open: "warn", bad: "no" }[KINDS[verdict]])),
      el("span", {}, el("b", {}, WORDS[verdict]), `: ${REST[verdict]}`)),
      el("ul", { class: "verdict" }, ...rowsOf(answer, drawing, isWhole)), ...unknown(answer, drawing).filter(Boolean));
    return verdict;
  }
  // The same in short, in the head of the page.
  function seal(into, verdict) {
    into.className = `chip seal-chip is-${KINDS[verdict]}`;
    into.hidden = false;
    into.replaceChildren(icon({ good: "yes", open: "warn", bad: "no" }[KINDS[verdict]]), ` ${WORDS[verdict]}`);
  }
  return { draw, seal };
})();
