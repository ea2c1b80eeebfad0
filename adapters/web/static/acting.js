/* Acting, with a script: the odds follow what is picked, and one of two ways to say a thing takes the other back. */
"use strict";
(() => {
  const form = (at) => at.closest?.("#act-form");
  const SAID = 8000;
  // What was picked last counts: a button takes the words beside it away, and words the button.
  function settle(at) {
    const own = ".own";
    if (at.type === "radio") for (const other of form(at).querySelectorAll(`[name="${CSS.escape(at.name + own)}"]`)) other.value = "";
    if (at.name.endsWith(own) && at.value) for (const other of form(at).querySelectorAll(`[type=radio][name="${CSS.escape(at.name.slice(0, -own.length))}"]`)) other.checked = false;
  }
  const isCommon = (at) => at.name.startsWith("roll.") && !["roll.secret", "roll.seat"].includes(at.name);
  document.addEventListener("change", (changed) => {
    const at = changed.target;
    if (!form(at) || !at.name) return;
    settle(at);
    // Another one who acts holds other things, so the whole form is asked for again; else only the odds.
    if (!isCommon(at)) lookSoon(at.matches("[data-actor]"), 100);
  });
  // The form, or its odds, as they are with what is filled in by now.
  let waiting = 0, isWhole = false, asked = "";
  function lookSoon(whole, after) {
    isWhole ||= whole;
    clearTimeout(waiting);
    waiting = setTimeout(look, after);
  }
  function address(at, whole) {
    const query = new URLSearchParams(new FormData(at));
    query.delete("roll.command");
    return `${whole ? new URL(at.action).pathname : at.dataset.odds}?${query}`;
  }
  function look() {
    const at = document.getElementById("act-form");
    if (!at) return;
    const target = isWhole ? "#act" : "#odds";
    asked = address(at, isWhole);
    isWhole = false;
    htmx.ajax("GET", asked, { source: target, target, swap: "outerHTML" });
  }
  // An answer that comes after more was filled in would take that away: it is left, and asked for again.
  document.addEventListener("htmx:before:swap", (swap) => {
    const ctx = swap.detail?.ctx, at = document.getElementById("act-form");
    if (!at || !asked || ctx?.request?.action !== asked) return;
    const whole = ctx.sourceElement?.id === "act";
    if (address(at, whole) === asked) return;
    swap.preventDefault();
    lookSoon(whole, 300);
  });
  // The tray: a die that is tapped again is one more of it, and its button says what would be rolled.
  const inTray = (at) => at?.closest?.(".tray-row");
  function sayTray(tray) {
    const { die, many, plus, ease } = tray.elements, added = plus.value.trim().replace("−", "-");
    const dice = ease.value ? `2d${die.value}` : `${many.value === "1" ? "" : many.value}d${die.value}`;
    const sign = added && !/^[+-]/.test(added) ? "+" : "";
    tray.querySelector("#tray-said").textContent = `${dice}${{ advantage: ", the better", disadvantage: ", the worse" }[ease.value] ?? ""}${sign}${added}`;
  }
  const MOST_DICE = 40;
  let lastDie = "";
  document.addEventListener("click", ({ target }) => {
    const tray = inTray(target), die = target.name === "die" ? target.value : "";
    if (!tray || !die) return;
    const { many } = tray.elements;
    many.value = lastDie === die ? String(Math.min(Number(many.value) + 1, MOST_DICE)) : "1";
    lastDie = die;
    sayTray(tray);
  });
  document.addEventListener("input", ({ target }) => { if (inTray(target)) sayTray(inTray(target)); });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => { if (ctx.target?.id === "tray") lastDie = ""; });
  // What is sent needs no answer any more to what was asked before.
  document.addEventListener("submit", (sent) => {
    if (sent.target.id !== "act-form") return;
    clearTimeout(waiting);
    isWhole = false;
    for (const id of ["act", "odds"]) document.getElementById(id)?.dispatchEvent(new CustomEvent("htmx:abort"));
  }, true);
  // Who asked for another part of the panel goes on there: at what is wrong, whose sentence comes into sight, at the form, or at the
  // panel itself. The table asks by itself too, and leads nobody anywhere.
  function goOn(ctx) {
    const act = document.getElementById("act"), at = document.activeElement;
    if (!act || ctx.target?.id !== "act" || ctx.question) return;
    const wrong = act.querySelector("[aria-invalid=true]"), isRefused = Boolean(document.getElementById("act-e"));
    if (isRefused) {
      (wrong ?? act.querySelector(".btn-main")).focus({ preventScroll: true });
      (wrong?.closest(".field") ?? document.getElementById("act-e")).querySelector(".error, span")?.scrollIntoView({ block: "center" });
    } else if (at === act || !act.contains(at)) (act.querySelector("[data-first]") ?? document.getElementById("act-verb") ?? act).focus();
  }
  // A part that came in the place of another of its name is not the one that the address means, until it is asked for again.
  function meanAgain() {
    if (location.hash.length > 1 && !document.querySelector(":target") && document.getElementById(location.hash.slice(1))) location.replace(location.hash);
  }
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    meanAgain();
    goOn(ctx);
    const said = document.getElementById("act-said");
    if (said && !said.dataset.goes) {
      said.dataset.goes = "yes";
      setTimeout(() => said.remove(), SAID);
    }
    const chance = document.getElementById("go-chance"), odds = document.getElementById("odds");
    if (chance && odds) chance.textContent = odds.dataset.chance ?? "";
  });
})();
