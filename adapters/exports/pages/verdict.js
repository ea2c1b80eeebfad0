/* The answer of the verifier, in words and as a coloured field. The first line says what is proven and what is not, with its number. */
"use strict";
const rollbookVerdict = (() => {
  const { el, icon, said, capital, text } = rollbookElements;
  const FAILED = "FAILED", UNPROVEN = "UNPROVEN", VERIFIED = "VERIFIED";
  const KINDS = { VERIFIED: "good", UNPROVEN: "open", FAILED: "bad" }, SIGNS = { VERIFIED: "yes", UNPROVEN: "warn", FAILED: "no" };
  const PROVEN = { chain: "no entry was changed or left out", dice: "the dice are those of the revealed seeds", drawing: "what is drawn follows from the entries" };
  // The whole is verified only where each part is: a part without an answer is not.
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
  // Why the chain is not proven, in the verifier's own words: the lines between that of the chain and that of the dice.
  const reasonsIn = (words) => words.split("\ndice ")[0].split("\n").slice(1).map((each) => each.trim());
  function rowsOf({ chain, dice, text: words }, drawing) {
    if (!chain) return [row("file", FAILED, words)];
    const good = [`${chain.entries} of ${chain.there} entries; the receipt of the last is ${chain.receipt}`, ...reasonsIn(words)].join("; ");
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
  const listed = (all) => [all.slice(0, -1).join(", "), all.at(-1)].filter(Boolean).join(", and ");
  // What is open, part by part.
  function openOf({ chain, dice, text: words }, drawing) {
    const its = chain.verdict === UNPROVEN ? [chain.entries < chain.there && `the chain covers ${chain.entries} of ${chain.there} entries`, ...reasonsIn(words)].filter(Boolean) : [];
    if (chain.verdict === UNPROVEN && !its.length) its.push("the chain");
    return [...its, ...(dice.verdict === UNPROVEN ? dice.findings.slice(0, 1) : []), ...drawing.open];
  }
  // The answer in a few words, and what they mean.
  function saidOf(verdict, answer, drawing) {
    const { chain, dice } = answer;
    if (verdict === FAILED) return ["Failed", "something here is not what was recorded."];
    const proven = Object.entries({ chain, dice, drawing }).filter(([, part]) => part.verdict === VERIFIED).map(([name]) => name);
    const means = `${listed(proven.map((name) => PROVEN[name]))}.`;
    if (verdict === VERIFIED) return ["Verified", means];
    const open = `${openOf(answer, drawing).join("; ")}. Nothing is contradicted.`;
    return proven.length ? [`${capital(proven.join(" and "))} proven`, `${means} Not proven: ${open}`] : ["Not proven", open];
  }
  // Draws the answer into an element, and in short into another, in the head of the page.
  function draw(into, seal, answer, drawing) {
    const verdict = worst(answer.chain?.verdict ?? FAILED, answer.dice?.verdict, drawing?.verdict), kind = KINDS[verdict], sign = () => icon(SIGNS[verdict]);
    const [short, words] = saidOf(verdict, answer, drawing);
    into.dataset.verdict = verdict;
    into.replaceChildren(el("p", { class: `stamp stamp-${kind}` }, el("span", { class: "stamp-field", "aria-hidden": "true" }, sign()), el("span", {}, el("b", {}, short), ": ", said(words, "span"))),
      el("ul", { class: "verdict" }, ...rowsOf(answer, drawing)), ...unknown(answer, drawing).filter(Boolean));
    seal.className = `chip seal-chip is-${kind}`;
    seal.hidden = false;
    seal.replaceChildren(sign(), ` ${short}`);
  }
  return { draw };
})();
