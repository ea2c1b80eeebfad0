/* A roll from left to right, as projections/roll_lines.py has it: texts, with the places of the dice behind each. A roll that cannot
   be read here, or does not add up, has its dice behind it. In the texts every label is in brackets, behind a blank. */
"use strict";
const rollbookRollLines = (() => {
  const LONGEST = 1200, HERE = "\0", LABEL = / \[([^\]]*)\]/u;
  const ADDED = /(?: [+-] [0-9]+(?:\[[^\]]*\])?)+$/u;
  const PART = /([0-9]+d[0-9]+(?:[a-z]+[<>=]*[0-9]+)*)|(\[[^\]]*\])|(\*|\/\/|\/\^)/gu;
  const TOKEN = /\s+|([0-9]+d[0-9]+(?:[a-z]+[<>=]*[0-9]+)*|[0-9]+|\[[^\]]*\]|max(?=\()|min(?=\()|\/\/|\/\^|[-+*(),])|[^]/gu;
  const DICE = /^([0-9]+)d([0-9]+)/u;
  const worth = ([, face, kept, , as]) => (kept ? as || face : 0);
  const down = (one, by) => (one - (((one % by) + by) % by)) / by;
  const DOES = { "*": (one, by) => one * by, "//": down, "/^": (one, by) => -down(-one, by) };

  // What the tokens come to, where dice terms add these sums from left to right; throws for what is no roll.
  function valueOf(tokens, sums) {
    let at = 0, term = 0;
    const take = (...signs) => (signs.includes(tokens[at]) ? tokens[at++] : "");
    const need = (sign) => { if (!take(sign)) throw new SyntaxError(sign); };
    const several = () => {
      const found = [sum()];
      while (take(",")) found.push(sum());
      need(")");
      return found;
    };
    function atom() {
      if (take("-")) return -atom();
      if (take("(")) { const inner = sum(); need(")"); return inner; }
      const pick = take("max", "min");
      if (pick) { need("("); return Math[pick](...several()); }
      const token = tokens[at++] ?? "";
      if (DICE.test(token)) return sums[term++];
      if (!/^[0-9]+$/u.test(token)) throw new SyntaxError(token);
      return Number(token);
    }
    function product() {
      let found = atom();
      for (let sign; (sign = take("*", "//", "/^"));) found = DOES[sign](found, atom());
      return found;
    }
    function sum() {
      let found = product();
      for (let sign; (sign = take("+", "-"));) found += sign === "+" ? product() : -product();
      return found;
    }
    const found = sum();
    if (at < tokens.length) throw new SyntaxError(tokens[at]);
    return found;
  }
  // Whether the dice are those of the terms, and come to the total.
  function addsUp(expression, byTerm, { dice, total }) {
    const tokens = [...expression.matchAll(TOKEN)].filter(([all]) => all.trim()).map(([, token]) => token ?? "?");
    const terms = tokens.filter((token) => DICE.test(token)).map((token) => DICE.exec(token).slice(1).map(Number));
    if ([...byTerm.keys()].some((term) => !(term in terms))) return false;
    const fallen = terms.map((_, term) => (byTerm.get(term) ?? []).map((place) => dice[place]));
    if (terms.some(([count, sides], term) => fallen[term].length < count || fallen[term].some(([size]) => size !== sides))) return false;
    const sums = fallen.map((some) => some.reduce((sum, die) => sum + worth(die), 0));
    try {
      return valueOf(tokens.filter((token) => !token.startsWith("[")), sums) === total;
    } catch {
      return false;
    }
  }
  function listed({ expression, typed, dice }) {
    const asked = typed || expression, terms = [];
    dice.forEach(([sides, , , , , term], place) => {
      const last = terms.at(-1);
      if (last && last.term === term && last.sides === sides) last.dice.push(place);
      else terms.push({ term, sides, before: `${last ? "" : `${asked} from`} d${sides}`, dice: [place] });
    });
    return { terms: terms.map(({ before, dice: places }) => ({ before, dice: places })), after: terms.length ? "" : asked };
  }
  function lineOf(roll) {
    const { expression, dice } = roll, byTerm = new Map();
    dice.forEach(([, , , , , term], place) => (byTerm.has(term) ? byTerm.get(term).push(place) : byTerm.set(term, [place])));
    if (expression.length > LONGEST || !addsUp(expression, byTerm, roll)) return listed(roll);
    const behind = (added) => added.replace(/ ([+-]) (?=[0-9])(?![^[]*\])/gu, " $1");
    const spelled = (all, isDice, _, sign) => (isDice ? all + HERE : sign ? ` ${all} ` : ` ${all}`);
    const texts = expression.replace(/ +(?=\[)/gu, "").replace(ADDED, behind).replace(PART, spelled).split(HERE), after = texts.pop();
    return { terms: texts.map((before, term) => ({ before, dice: byTerm.get(term) ?? [] })), after };
  }
  return { lineOf, LABEL };
})();
