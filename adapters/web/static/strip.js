/* The strip of a fight: where the game lets the GM, a card is dragged, or moved with Alt and the arrows, to another place in the
   order. The same stands as buttons among a character's handles, for thumbs. */
"use strict";
(() => {
  const order = () => document.querySelector("[data-order]");
  const CARD = ".fighter";
  const cardAt = (at) => at?.closest?.(`[data-order] ${CARD}`);
  const nameOf = (card) => card?.dataset.who ?? card?.querySelector("[data-who]")?.dataset.who ?? "";
  const topOf = (card) => (card?.parentElement === order() ? card : card?.parentElement?.closest(CARD));
  let moved = null;
  function put(who, before) {
    const { order: to, orderWho, orderBefore } = order().dataset, name = nameOf(who);
    if (!name || name === before) return;
    const values = { [orderWho]: name, "roll.command": `order.${crypto.getRandomValues(new Uint32Array(3)).join(".")}` };
    if (before) values[orderBefore] = before;
    htmx.ajax("POST", to, { source: order(), target: "#act", swap: "outerHTML", values });
  }
  // The card before which one is let go: on the far half of a card that is the next one, and after the last nobody.
  function beforeOf(card, x) {
    const { left, width } = card.getBoundingClientRect();
    const isFar = (x - left > width / 2) === (getComputedStyle(card).direction === "ltr");
    return isFar ? nameOf(card.nextElementSibling) : nameOf(card);
  }
  function unmark() {
    for (const each of document.querySelectorAll(".is-before, .is-moved")) each.classList.remove("is-before", "is-moved");
  }
  document.addEventListener("dragstart", (begun) => {
    moved = cardAt(begun.target);
    if (!moved?.dataset.who) { moved = null; return; }
    begun.dataTransfer.setData("text/plain", moved.dataset.who);
    begun.dataTransfer.effectAllowed = "move";
    moved.classList.add("is-moved");
  });
  document.addEventListener("dragover", (over) => {
    const card = topOf(cardAt(over.target));
    if (!moved || !card) return;
    over.preventDefault();
    for (const each of document.querySelectorAll(".is-before")) each.classList.remove("is-before");
    card.classList.add("is-before");
  });
  document.addEventListener("drop", (dropped) => {
    const card = topOf(cardAt(dropped.target));
    if (!moved || !card) return;
    dropped.preventDefault();
    put(moved, beforeOf(card, dropped.clientX));
  });
  document.addEventListener("dragend", () => { moved = null; unmark(); });
  document.addEventListener("keydown", (pressed) => {
    const card = topOf(cardAt(document.activeElement));
    if (!card || !order() || !pressed.altKey || !["ArrowLeft", "ArrowRight"].includes(pressed.key)) return;
    pressed.preventDefault();
    const goesOn = pressed.key === "ArrowRight", beside = goesOn ? card.nextElementSibling : card.previousElementSibling;
    if (beside) put(card, goesOn ? nameOf(beside.nextElementSibling) : nameOf(beside));
  });
})();
