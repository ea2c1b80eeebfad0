/* Signals on one's own turn, a sound or a buzz, and keys for verbs, as a person sets them in this browser. Nothing is kept until then. */
"use strict";
(() => {
  const KEY = "rollbook.signals";
  const kept = () => { try { return new Set((localStorage.getItem(KEY) ?? "").split(",").filter(Boolean)); } catch { return new Set(); } };
  function keep(on) {
    try { if (on.size) localStorage.setItem(KEY, [...on].join(",")); else localStorage.removeItem(KEY); } catch { /* the page does without */ }
  }
  // A page with a signal goes on listening while nobody looks at it: that is what signals are for.
  const listen = (on) => { if (on.has("sound") || on.has("buzz")) document.documentElement.dataset.signals = "yes"; else delete document.documentElement.dataset.signals; };
  let sounds = null;
  const NOTES = [[523, 0], [784, .14]], LENGTH = .35, LOUD = .18, SILENT = .0001;
  function ring() {
    sounds ??= new AudioContext();
    for (const [tone, after] of NOTES) {
      const at = sounds.currentTime + after, voice = sounds.createOscillator(), level = sounds.createGain();
      voice.frequency.value = tone;
      level.gain.setValueAtTime(LOUD, at);
      level.gain.exponentialRampToValueAtTime(SILENT, at + LENGTH);
      voice.connect(level).connect(sounds.destination);
      voice.start(at);
      voice.stop(at + LENGTH);
    }
  }
  const BUZZ = [120, 60, 120];
  function signal(on) {
    document.documentElement.dataset.signalled = String(Number(document.documentElement.dataset.signalled ?? 0) + 1);
    if (on.has("sound")) ring();
    if (on.has("buzz")) navigator.vibrate?.(BUZZ);
  }
  let last = null;
  const mine = () => { const band = document.querySelector("[data-turn]"); return band?.dataset.mine ? band.dataset.turn : ""; };
  function look() {
    const now = mine(), on = kept();
    if (now && last !== null && now !== last && (on.has("sound") || on.has("buzz"))) signal(on);
    last = now;
  }
  document.addEventListener("htmx:after:swap", look);
  document.addEventListener("DOMContentLoaded", () => {
    const on = kept();
    for (const box of document.querySelectorAll("[data-signal]")) box.checked = on.has(box.dataset.signal);
    listen(on);
    look();
  });
  // The keys 1 to 6 choose a verb, where nobody types and they were not switched off.
  document.addEventListener("keydown", ({ key, altKey, ctrlKey, metaKey, target }) => {
    if (altKey || ctrlKey || metaKey || !/^[1-6]$/.test(key) || target.closest("input, select, textarea, dialog")) return;
    if (!kept().has("no-keys")) document.querySelector(`#act [data-key="${key}"]`)?.click();
  });
  document.addEventListener("change", ({ target }) => {
    if (!target.matches?.("[data-signal]")) return;
    const on = kept();
    if (target.checked) on.add(target.dataset.signal); else on.delete(target.dataset.signal);
    keep(on);
    listen(on);
    if (target.checked && target.dataset.signal !== "no-keys") signal(new Set([target.dataset.signal]));
  });
})();
