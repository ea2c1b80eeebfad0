/* Where a replay in a file has its moments and its chain from: they are packed in the page. */
"use strict";
const rollbookSource = (() => {
  const packed = (id) => rollbookFrames.unpack(document.getElementById(id).textContent);
  async function frames() {
    if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot unpack the page: it needs one of 2023 or later.");
    return JSON.parse(rollbookDigests.decode(await packed("frames")));
  }
  return { frames, chain: () => packed("chain") };
})();
