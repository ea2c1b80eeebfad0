/* What steps through a replay, by hand or by itself. It knows places and times, and nothing of what is there:

   newPlayer({ lastOf: () => place, isStep: (at) => boolean, timeOf: (at) => milliseconds, moved: (at, isPlaying) => {} })
   A pace is { every: milliseconds } from step to step, or { faster: times } than it was, with long silences cut short. */
"use strict";
const rollbookPlayer = (() => {
  const SHORTEST = 120, LONGEST = 8000;
  return function newPlayer({ lastOf, isStep, timeOf, moved }) {
    let at = 0, timer = null, pace = { every: 1000 };
    const said = () => moved(at, timer !== null);
    const within = (place) => Math.max(0, Math.min(lastOf(), Math.round(place) || 0));

    // The nearest step from a place on, in one direction; where there is none, in the other.
    function stepFrom(place, way) {
      for (let seen = place; seen >= 0 && seen <= lastOf(); seen += way) if (isStep(seen)) return seen;
      return null;
    }
    function go(place) {
      const wanted = within(place);
      at = stepFrom(wanted, -1) ?? stepFrom(wanted, 1) ?? wanted;
      said();
    }
    function step(way) {
      const next = stepFrom(at + way, way);
      if (next !== null) at = next;
      said();
      return next !== null;
    }
    // To the next place of a list of places in order, or the one before; to an end where there is none.
    function leap(places, way) {
      const there = way > 0 ? places.find((place) => place > at) : places.findLast((place) => place < at);
      go(there ?? (way > 0 ? lastOf() : 0));
    }
    function wait() {
      if (pace.every) return pace.every;
      const next = stepFrom(at + 1, 1) ?? at;
      return Math.max(SHORTEST, Math.min(LONGEST, (timeOf(next) - timeOf(at)) / pace.faster));
    }
    function tick() {
      if (!step(1)) return pause();
      timer = setTimeout(tick, wait());
    }
    function play() {
      if (timer !== null) return;
      if (stepFrom(at + 1, 1) === null) at = stepFrom(0, 1) ?? 0;
      timer = setTimeout(tick, wait());
      said();
    }
    function pause() {
      clearTimeout(timer);
      timer = null;
      said();
    }
    function setPace(wanted) {
      pace = wanted;
      if (timer !== null) clearTimeout(timer), (timer = setTimeout(tick, wait()));
    }
    return { go, step, leap, play, pause, setPace, toggle: () => (timer === null ? play() : pause()), get at() { return at; }, get isPlaying() { return timer !== null; } };
  };
})();
