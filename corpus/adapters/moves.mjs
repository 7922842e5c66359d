// Answers the turn modes of docs/corpus.md and nothing else: a program in another language that speaks the protocol.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { ships } = JSON.parse(readFileSync(new URL("../ships.json", import.meta.url)));
const RULES = ["C1.4", "C3.2", "C3.3", "C3.4", "C3.43"];
const USUAL = { "sfb-cadet": 16, "sfb-standard": 32 };

const hexesNeeded = (cls, speed) =>
  ships.find((ship) => ship.id === cls)?.turn_mode.find(([from, to]) => from <= speed && speed <= to)?.[2];
const isCalled = (speed, n, of) => Math.floor((n * speed) / of) > Math.floor(((n - 1) * speed) / of);

// Plays the lines of an orders file; each fault with its rule and where it stands. Throws for what is not known here.
function faultsOf(lines, rulebook) {
  const units = {}, faults = [];
  let of = USUAL[rulebook], turn = 0, impulse = 0;
  lines.forEach((text, n) => {
    const words = text.split("#")[0].trim().split(/\s+/);
    const [first, second] = words;
    if (first === "rulebook" || first === "") return;
    if (first === "impulses") of = Number(second);
    else if (first === "ship") {
      const speed = words.indexOf("speed");
      if (speed < 0) throw new Error("no speed before the first turn");
      units[second] = { cls: words[3], speed: Number(words[speed + 1]), straight: Infinity };
    } else if (first === "turn") turn = Number(second);
    else if (first === "impulse") impulse = Number(second);
    else if (second === "speed") units[first.slice(0, -1)].speed = Number(words[2]);
    else if (["ahead", "left", "right"].includes(second) && words.length === 2) {
      const unit = units[first.slice(0, -1)];
      const needed = hexesNeeded(unit.cls, unit.speed);
      if (needed === undefined) throw new Error("no turn mode known");
      const place = { subject: first.slice(0, -1), turn, impulse, line: n + 1 };
      if (!isCalled(unit.speed, impulse, of)) faults.push({ key: "C1.4", severity: "error", ...place });
      if (second === "ahead") unit.straight += 1;
      else {
        if (unit.straight < needed)
          faults.push({ key: "C3.2", severity: "error", ...place, expected: `≥ ${needed}`, found: `${unit.straight}` });
        unit.straight = 1; // the hex of the turn counts
      }
    } else throw new Error(`only moves are played here, not ${text.trim()}`);
  });
  return faults;
}

function answer({ id, rulebook, rule, input }) {
  if (!RULES.includes(rule) || !input.orders) return { type: "skipped", id, reason: "only turn modes are answered" };
  try {
    const findings = faultsOf(input.orders.lines, rulebook);
    const mine = ["C1.4", "C3.2"].includes(rule) ? findings.filter(({ key }) => key === rule) : findings;
    return { type: "answer", id, verdict: mine.length ? "illegal" : "legal", findings };
  } catch (error) {
    return { type: "skipped", id, reason: error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  const said = {
    start: () => ({ type: "started", protocol: 1, program: "moves.mjs", version: "1.0" }),
    dialect: ({ rulebook }) => ({ type: "dialect", rulebook, known: rulebook in USUAL }),
    run: answer,
  }[message.type]?.(message);
  if (!said) break;
  console.log(JSON.stringify(said));
}
