/* The answer of the verifier, in words and as a coloured field. The first line says what was not compared, with its number. */
"use strict";
const rollbookVerdict = (() => {
  const { el, icon, said, text } = rollbookElements;
  const KINDS = { VERIFIED: "good", UNPROVEN: "open", FAILED: "bad" };
  const FAILED = "FAILED", UNPROVEN = "UNPROVEN", VERIFIED = "VERIFIED";
  // Verified is only what all of them have verified: an answer that is missing is none.
  function worst(...all) {
    return all.includes(FAILED) ? FAILED : all.every((each) => each === VERIFIED) ? VERIFIED : UNPROVEN;
  }
  function row(name, verdict, words) {
    return el("li", {}, el("span", {}, name), el("b", { class: `is-${KINDS[verdict]}` }, verdict), el("span", {}, said(words)));
  }
  function drawingWords({ verdict, tally, found, open }) {
    if (verdict === FAILED) return found[0];
    const compared = `lines of the log, moments and ${tally.points - tally.loose} changes of hit points follow from the events, and ${tally.rolls} rolls are drawn from the entries themselves`;
    return [...open, compared].join("; ");
  }
  const listed = (ruled) => Object.entries(ruled).filter(([, many]) => many).map(([what, many]) => `${what} ${many}`).join(", ");
  const sum = (ruled) => Object.values(ruled).reduce((all, each) => all + each, 0);
  function rowsOf({ chain, dice, text: words }, drawing) {
    if (!chain) return [row("file", FAILED, words)];
    const good = `${chain.entries} of ${chain.there} entries; the receipt of the last is ${chain.receipt}`;
    const bad = `the entry after ${chain.entries} good ones, @${chain.entries + 1}: ${chain.fault}`;
    const rows = [row("chain", chain.verdict, chain.verdict === FAILED ? bad : good)];
    if (dice) rows.push(row("dice", dice.verdict, dice.verdict === FAILED ? dice.findings[0] : `${dice.proven} dice worked out again from the revealed seeds`));
    if (drawing) rows.push(row("drawing", drawing.verdict, drawingWords(drawing)));
    return rows;
  }
  function unknown({ dice }, drawing) {
    const more = [...(dice?.findings ?? []), ...(drawing?.found ?? [])].slice(0, 20), notes = dice?.notes ?? [];
    return [
      el("div", { class: "notice" }, icon("warn"), el("div", {}, el("p", {}, "What this page cannot know: whether its end was cut off and whether all of it was written differently from the start, which takes a receipt that somebody noted; who typed what; and the rules, which ", el("code", {}, "rollbook audit"), " plays again. What only the rules give is its maker’s word, and has dots below it. A page can also lie about itself: who wants to be sure checks the file with ", el("code", {}, "verify_rollbook.py"), " from elsewhere."),
        notes.length ? el("ul", { class: "besides" }, ...notes.map((each) => el("li", {}, text(each)))) : null)),
      more.length > 1 && el("details", {}, el("summary", {}, `All ${more.length} findings`), el("ul", {}, ...more.map((each) => el("li", {}, said(each))))),
    ];
  }
  const WORDS = { VERIFIED: "Verified", UNPROVEN: "Not proven", FAILED: "Failed" };
  function firstLine(verdict, { chain, dice }, drawing) {
    if (verdict === FAILED) return "something here is not what was recorded.";
    if (verdict === VERIFIED) return "no entry was changed or left out, the dice are those of the revealed seeds, and what is drawn follows from the entries.";
    const alone = chain ? chain.there - chain.entries : 0, ruled = drawing ? sum(drawing.ruled) : 0;
    const open = [
      ...(drawing?.open ?? []), chain?.verdict === UNPROVEN && (alone > 0 ? `nothing vouches for ${alone} of ${chain.there} entries` : "the chain is not proven"),
      dice?.verdict === UNPROVEN && (dice.findings[0] ?? "dice are not proven"),
      ruled > 0 && `${ruled} drawn values are the rules’ to say and were not compared: ${listed(drawing.ruled)}`,
    ].filter(Boolean);
    return `${open.join("; ") || "something is missing for a proof"}. Nothing is contradicted.`;
  }
  // Draws the answer into an element. Returns the verdict.
  function draw(into, answer, drawing) {
    const verdict = worst(answer.chain?.verdict ?? FAILED, answer.dice?.verdict, drawing?.verdict);
    into.dataset.verdict = verdict;
    into.replaceChildren(el("p", { class: `stamp stamp-${KINDS[verdict]}` }, el("span", { class: "stamp-field", "aria-hidden": "true" }, icon({ good: "yes", open: "warn", bad: "no" }[KINDS[verdict]])),
      el("span", {}, el("b", {}, WORDS[verdict]), `: ${firstLine(verdict, answer, drawing)}`)),
      el("ul", { class: "verdict" }, ...rowsOf(answer, drawing)), ...unknown(answer, drawing).filter(Boolean));
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
