/* What a page does besides showing what it was sent: it follows the table, keeps the place in the log, and opens dialogs.
   Everything else is links and forms, which work without it. */
"use strict";
(() => {
  const one = (id) => document.getElementById(id);
  const live = one("live");

  // The stream of bells. A bell says only that there is something new; the page reads on from its cursor. A page that nobody
  // looks at has no stream, because a browser opens six connections to a server and no more; one with signals keeps it.
  const isLeft = () => document.hidden && !document.documentElement.dataset.signals;
  let stream = null, again = 0;
  const WAIT = 2000, LOST = "The table does not answer. This page goes on by itself as soon as it does.";
  function open() {
    if (stream || !live || isLeft()) return;
    stream = new EventSource(`${live.dataset.stream}?after=${encodeURIComponent(one("cursor").value)}`);
    stream.addEventListener("bell", ({ data }) => hear(data));
    stream.onopen = () => { say(pause ? LOST : ""); if (pause) follow(); };
    stream.onerror = () => {
      say(LOST);
      if (stream?.readyState !== EventSource.CLOSED) return;
      close();
      clearTimeout(again);
      again = setTimeout(open, WAIT);
    };
  }
  // A bell for what the page has already asks nothing. While an act is under way it waits for the answer, which may have it, but not long.
  const ANSWERED = 1000;
  let acting = null, heard = null;
  function hear(cursor) {
    if (acting) {
      heard = heard === "" ? "" : cursor; // one that names none is for news beside the entries, which no answer to an act has
      setTimeout(answered, ANSWERED);
    } else if (!cursor || cursor !== one("cursor")?.value) follow();
  }
  function answered() {
    const cursor = heard;
    acting = heard = null;
    if (cursor !== null) hear(cursor);
  }
  function close() {
    stream?.close();
    stream = null;
  }
  function say(words) {
    const at = one("lost");
    if (at) { at.hidden = !words; at.textContent = words; }
  }

  // Reading on, one question at a time: a bell that comes meanwhile asks once more afterwards. The answer carries the panels
  // beside the log that follow the table ("data-follow" says from where), so that a bell is one request. What was not answered is
  // asked for again while there is a stream, after a pause that grows and differs from page to page.
  const SOON = 1000, LATE = 30000;
  let isReading = false, isWanted = false, pause = 0, later = 0;
  async function follow() {
    isWanted = true;
    if (isReading) return;
    isReading = true;
    clearTimeout(later);
    let isAnswered = true;
    try {
      while (isWanted) {
        isWanted = false;
        isAnswered = live.readOn ? await live.readOn() : live.dataset.news ? await readOn(free()) : await refresh();
      }
    } finally {
      isReading = false;
    }
    pause = isAnswered ? 0 : Math.min(2 * pause || SOON, LATE);
    if (pause) later = setTimeout(() => { if (stream) follow(); }, pause * (0.5 + Math.random()));
    if (pause || stream?.readyState === EventSource.OPEN) say(pause ? LOST : "");
  }
  const questionOf = (panels) => String(new URLSearchParams([["after", one("cursor").value], ...panels.map(({ dataset }) => ["with", dataset.follow])]));
  async function readOn(panels) {
    const stay = panels.map(stayer);
    const isAnswered = await ask(`${live.dataset.news}?${questionOf(panels)}`, { source: live, target: live, swap: "none", panels });
    for (const each of stay) each();
    return isAnswered;
  }
  // Ask without anybody having clicked. Whether there was an answer; no page of ours says so by 400 and above. A question is known by
  // its own name: the element that asked is another one once the answer has taken its place.
  async function ask(address, how) {
    let status = 0;
    const question = how.question = Symbol("question");
    const note = ({ detail: { ctx } }) => { if (ctx.question === question) status = ctx.response?.status ?? 0; };
    document.addEventListener("htmx:finally:request", note);
    await htmx.ajax("GET", address, how);
    document.removeEventListener("htmx:finally:request", note);
    return status > 0 && status < 400;
  }
  // Panels follow the table until something is filled in there ("data-typed"): then they say that they wait. One that is being asked
  // for anyway is left to that answer.
  const isUsed = (panel) => panel.dataset.always === undefined && panel.querySelector("[data-typed], :is(select:open)") !== null;
  function free() {
    const panels = [...document.querySelectorAll("[data-follow]")];
    for (const panel of panels) {
      if (isUsed(panel)) panel.dataset.waits = "yes";
      else delete panel.dataset.waits;
    }
    const asked = panels.filter(({ id }) => newest.has(id));
    for (const { id } of asked) late.add(id);
    return panels.filter((panel) => panel.dataset.waits === undefined && !asked.includes(panel));
  }
  // The last question about a part is the one that counts: what was asked before is not put over it, by whichever way it comes later,
  // and an answer whose place was taken by another element goes to that one. What was sent is always answered.
  const newest = new Map(), late = new Set();
  const partOf = ({ target, panels, swap }) => (panels || swap === "none" ? "" : target?.id ?? "");
  // Who acts reads on with the answer: what is new comes with it, and the bell that rings for it asks no more. Where the page has read
  // on by another way meanwhile, that stays, and the bell asks.
  function readOnWith(ctx) {
    if (ctx.request.method !== "POST" || ctx.swap !== "outerHTML" || !live?.dataset.news || live.readOn) return;
    ctx.beside = free().filter((panel) => panel !== ctx.target && !panel.contains(ctx.target));
    ctx.after = one("cursor").value;
    ctx.stay = ctx.beside.map(stayer);
    ctx.request.headers["Read-On"] = questionOf(ctx.beside);
    acting = ctx;
  }
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    readOnWith(ctx);
    if (partOf(ctx)) newest.set(partOf(ctx), ctx);
  });
  document.addEventListener("htmx:after:request", (answered) => {
    const { ctx } = answered.detail, part = partOf(ctx), last = newest.get(part);
    if (part && last && last !== ctx && ctx.request.method === "GET") answered.preventDefault();
    else if (part && !ctx.target.isConnected) ctx.target = one(part);
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    const part = partOf(ctx);
    if (acting === ctx) answered();
    if (newest.get(part) !== ctx) return;
    newest.delete(part);
    if (late.delete(part) && stream) follow();
  });
  const isStill = (panel) => panel.isConnected && !newest.has(panel.id) && !isUsed(panel);
  function leaveOthers({ ctx, tasks }) {
    const panels = ctx.panels ?? ctx.beside, isLate = ctx.beside && ctx.after !== one("cursor").value;
    const isDue = ({ type, target }) => type !== "partial" || panels.includes(target) && isStill(target);
    const isOfAct = ({ type, target }) => type === "main" || target.id === "toast";
    if (panels) tasks.splice(0, tasks.length, ...tasks.filter(isLate ? isOfAct : isDue));
  }
  const refresh = async () => (await Promise.all(free().map(renew))).every(Boolean);
  async function renew(panel) {
    const stay = stayer(panel);
    const isAnswered = await ask(panel.dataset.follow, { source: panel, target: panel, swap: "outerHTML" });
    stay();
    return isAnswered;
  }
  // A panel that is replaced: what was unfolded in it at that moment stays so, and it does not move.
  const scrolled = new WeakMap();
  const nameOf = (details) => (details.querySelector("summary > :first-child") ?? details.querySelector("summary"))?.textContent.trim();
  function stayer(panel) {
    const { id } = panel;
    return () => {
      const made = id && one(id);
      if (!made || made === panel) return;
      const open = new Set([...panel.querySelectorAll("details[open]")].map(nameOf)); // it is as it was when it was replaced
      for (const details of made.querySelectorAll("details")) if (open.has(nameOf(details))) details.open = true;
      made.scrollTop = scrolled.get(panel) ?? 0;
    };
  }
  document.addEventListener("input", (typed) => {
    if (typed.target.matches("input:not([type=hidden]), select, textarea")) typed.target.dataset.typed = "yes";
  });
  document.addEventListener("focusin", ({ target }) => { if (target instanceof Element && !target.closest("#entries, #dialog")) held = ""; });
  // A press that began on what was replaced before it ended is meant for what came in its place.
  const CONTROLS = "a[href], button, summary, input, select, textarea";
  const said = (at) => [at.tagName, at.id || at.name || at.getAttribute("href") || at.textContent.trim(), at.value].join("\n");
  const sameIn = (within, at) => [...within.querySelectorAll(CONTROLS)].find((each) => said(each) === said(at));
  let pressed = null, focused = null;
  document.addEventListener("pointerdown", ({ target, button }) => { pressed = button ? null : target.closest?.(CONTROLS); });
  document.addEventListener("pointerup", ({ clientX, clientY }) => {
    const under = document.elementFromPoint(clientX, clientY)?.closest(CONTROLS);
    if (pressed && !pressed.isConnected && under && said(under) === said(pressed)) under.click();
    pressed = null;
  });

  // The log. New cards never move what somebody reads: they are counted until the end is in sight again.
  const FAR = 48;
  let missed = 0, seen = new Set(), read = null;
  const scroller = () => one("log-scroll");
  const isAway = () => scroller() && scroller().scrollTop < -FAR;
  function showMissed() {
    const at = one("newer");
    if (!at) return;
    at.hidden = !missed;
    one("newer-many").textContent = String(missed);
  }
  function toEnd() {
    missed = 0;
    showMissed();
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scroller()?.scrollTo({ top: 0, behavior: calm ? "auto" : "smooth" });
  }
  const cardsOf = () => [...(one("entries")?.children ?? [])].filter(({ id }) => id && id !== "older");
  // Who was at a card by keys, or opened a dialog from it, is there again when it was replaced or the dialog is gone.
  let held = "";
  function holdOn() {
    if (held && document.activeElement === document.body && !one("dialog")?.open) one(held)?.querySelector("a")?.focus({ preventScroll: true });
  }
  let lastSeen = "";
  // The card at the top of what somebody reads away from the end, and how high it stands.
  const heightOf = (card) => card.getBoundingClientRect().top;
  function readNow() {
    const above = isAway() ? heightOf(scroller()) : 0, card = isAway() && cardsOf().find((each) => each.getBoundingClientRect().bottom > above);
    return card ? { id: card.id, height: heightOf(card) } : null;
  }
  // A whole page where a part was asked for says what is wrong: its sentence is shown, and the part stays as it was.
  const isWhole = ({ text, select }) => !select && /^\s*<!doctype/i.test(text ?? "");
  const sentenceOf = (text) => new DOMParser().parseFromString(text, "text/html").querySelector("main p")?.textContent || "That did not work.";
  function beforeSwap(swap) {
    const ctx = swap?.detail?.ctx;
    if (ctx && isWhole(ctx)) {
      swap.preventDefault();
      if (ctx.text.includes('id="recorded"')) toast(sentenceOf(ctx.text));
      return;
    }
    if (swap) leaveOthers(swap.detail);
    focused = document.activeElement?.closest(CONTROLS);
    for (const panel of document.querySelectorAll("[data-follow]")) scrolled.set(panel, panel.scrollTop);
    read = readNow();
    held = document.activeElement?.closest("#entries > li")?.id ?? held;
    seen = new Set(cardsOf().map(({ id }) => id));
    lastSeen = cardsOf().at(-1)?.id ?? "";
  }
  // A card that came with a fresh log and once more as news stands there once.
  function leaveOnce() {
    const known = new Map();
    for (const card of cardsOf()) { known.get(card.id)?.remove(); known.set(card.id, card); }
  }
  function afterSwap() {
    leaveOnce();
    const cards = cardsOf(), from = cards.findIndex(({ id }) => id === lastSeen), fresh = cards.slice(from + 1).filter(({ id }) => !seen.has(id));
    if (fresh.length && (lastSeen || !seen.size)) {
      if (read) missed += fresh.length;
      showMissed();
      speak(fresh);
    }
    const card = read && one(read.id);
    if (card) scroller().scrollTop += heightOf(card) - read.height;
    const titled = document.querySelector("[data-title]");
    if (titled) document.title = titled.dataset.title;
    followDialog();
    if (focused && !focused.isConnected && document.activeElement === document.body) sameIn(document, focused)?.focus({ preventScroll: true });
    showForm();
    holdOn();
    seen = new Set(cards.map(({ id }) => id));
    lastSeen = cards.at(-1)?.id ?? "";
  }
  // Who has chosen a verb is led to its form, by keys as well.
  let isChosen = false;
  function showForm() {
    const heading = isChosen && document.querySelector("#act-form h3");
    if (!heading) return;
    isChosen = false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    const form = one("act-form");
    let box = form.parentElement;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    (box ?? document.scrollingElement).scrollTop += form.getBoundingClientRect().top - (box?.getBoundingClientRect().top ?? 0);
  }
  const MOST_SPOKEN = 3;
  function speak(fresh) {
    const words = fresh.slice(-MOST_SPOKEN).map(({ dataset }) => dataset.spoken).filter(Boolean);
    const line = document.createElement("span");
    line.textContent = `${words.join(". ")}. `;
    one("spoken").replaceChildren(line);
  }
  document.addEventListener("scroll", (moved) => {
    if (moved.target === scroller() && missed && !isAway()) { missed = 0; showMissed(); }
  }, true);

  // Dialogs: what is put into the dialog opens it, and an empty answer closes it.
  function followDialog() {
    const dialog = one("dialog");
    if (!dialog) return;
    const isFilled = dialog.textContent.trim() !== "";
    if (isFilled && !dialog.open) dialog.showModal();
    if (!isFilled && dialog.open) dialog.close();
  }
  one("dialog")?.addEventListener("close", () => { one("dialog").replaceChildren(); holdOn(); });

  document.addEventListener("click", (clicked) => {
    const target = clicked.target instanceof Element ? clicked.target : null;
    if (target?.closest("#newer")) toEnd();
    isChosen = Boolean(target?.closest(".verb"));
    if (target?.closest("[data-close]") && one("dialog")?.open) {
      clicked.preventDefault();
      one("dialog").close();
    }
    const shows = target?.closest("[data-shows]");
    if (shows && !clicked.ctrlKey && !clicked.metaKey) showPart(shows.dataset.shows);
  });
  // On a telephone one part of the page is shown at a time; its name is the fragment of the address.
  const isNarrow = matchMedia("(max-width: 49.99rem)");
  function showPart(part) {
    if (isNarrow.matches && location.hash !== part) location.replace(part);
  }
  function markPart() {
    const target = one(decodeURIComponent(location.hash.slice(1)));
    const part = target?.closest(".tab, .fight")?.id ?? document.querySelector(".tab-first")?.id;
    for (const link of document.querySelectorAll(".thumbs a")) {
      if (link.hash === `#${part}`) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }
  addEventListener("hashchange", markPart);

  // What htmx could not do is said in a sentence.
  function toast(words) {
    const made = document.createElement("p");
    made.className = "toast";
    made.textContent = words;
    one("toast").replaceChildren(made);
    setTimeout(() => made.remove(), 8000);
  }
  document.addEventListener("htmx:response:error", ({ detail: { ctx } }) => { if (isWhole(ctx) && !ctx.question) toast(sentenceOf(ctx.text)); });
  document.addEventListener("htmx:before:swap", beforeSwap);
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    for (const each of ctx.stay ?? []) each();
    afterSwap();
  });

  document.addEventListener("visibilitychange", () => { if (isLeft()) close(); else { open(); if (live) follow(); } });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (shown) => { if (shown.persisted) { open(); if (live) follow(); } });
  // htmx looks at the page after the scripts have run. What was unfolded or chosen before that is told it now.
  function begin() {
    for (const details of document.querySelectorAll("details[open][hx-get]")) details.dispatchEvent(new Event("toggle"));
    const changed = [...document.querySelectorAll("form[hx-trigger] option:checked")].find((option) => !option.defaultSelected);
    changed?.parentElement.dispatchEvent(new Event("change", { bubbles: true }));
    document.documentElement.dataset.ready = "yes";
  }
  document.addEventListener("DOMContentLoaded", () => { beforeSwap(); markPart(); followDialog(); open(); setTimeout(begin); });
})();
