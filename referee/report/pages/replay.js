"use strict";
(() => {
  const game = JSON.parse(document.getElementById("game").textContent);
  const by = (id) => document.getElementById(id);
  const slider = by("slider"), now = by("now"), live = by("live"), play = by("play");
  const rows = [...document.querySelectorAll("#log li[data-n]")];
  const units = [...document.querySelectorAll("#units [data-unit]")];
  const last = game.moments.length - 1;
  const { side, half, dx, dy } = game.grid;

  // What a moment changes is small: every moment is the one before it with those changes.
  const positions = [];
  let here = game.units.map((unit) => ({ at: "", gone: new Set(), shields: unit.shields, dead: false, speed: "", power: 0 }));
  for (const moment of game.moments) {
    here = here.slice();
    for (const [n, change] of Object.entries(moment.u)) {
      const unit = { ...here[n] };
      if ("at" in change) unit.at = change.at;
      if (change.lost || change.back) {
        unit.gone = new Set(unit.gone);
        (change.lost || []).forEach((box) => unit.gone.add(box));
        (change.back || []).forEach((box) => unit.gone.delete(box));
      }
      if (change.shields) unit.shields = { ...unit.shields, ...change.shields };
      if ("dead" in change) unit.dead = change.dead;
      if ("speed" in change) unit.speed = change.speed;
      if ("power" in change) unit.power = change.power;
      here[n] = unit;
    }
    positions.push(here);
  }

  const drawn = new Map();
  document.querySelectorAll(".ssds [data-ship]").forEach((holder) => {
    const boxes = new Map(), labels = new Map();
    holder.querySelectorAll("rect[data-box]").forEach((box) => {
      const next = box.nextElementSibling;
      const mark = next && next.classList.contains("mark") ? next : null;
      let cross = mark ? mark.nextElementSibling : next;
      if (!cross || cross.tagName !== "path") cross = null;
      boxes.set(box.dataset.box, { box, cross, sure: box.classList.contains("unsure") ? " unsure" : "" });
    });
    holder.querySelectorAll("[data-shield]").forEach((label) => labels.set(label.dataset.shield, label));
    const power = holder.querySelector("[data-power]");
    drawn.set(Number(holder.dataset.ship), { boxes, labels, holder, power });
  });

  function crossed(entry, kind) {
    const { box } = entry;
    const style = kind + entry.sure;
    if (box.getAttribute("class") === style) return;
    box.setAttribute("class", style);
    if (kind === "box") { if (entry.cross) entry.cross.remove(); entry.cross = null; return; }
    if (!entry.cross) {
      const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
      entry.cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
      entry.cross.setAttribute("d", `M${x} ${y}l${w} ${h}M${x + w} ${y}l-${w} ${h}`);
      box.after(entry.cross);
    }
    entry.cross.setAttribute("class", kind === "now" ? "nowcross" : "cross");
  }

  function showShip(n, unit, before) {
    const sheet = drawn.get(n);
    if (!sheet) return;
    for (const [id, entry] of sheet.boxes) {
      const shield = /^shield (\d)\/(\d+)$/.exec(id);
      const gone = (state) => (shield ? Number(shield[2]) > (state.shields[shield[1]] || 0) : state.gone.has(id));
      crossed(entry, !gone(unit) ? "box" : gone(before) ? "gone" : "now");
    }
    for (const [number, label] of sheet.labels) {
      label.textContent = label.textContent.replace(/: -?\d+\//, `: ${unit.shields[number] || 0}/`);
    }
    sheet.power.textContent = `power ${unit.power}` + (unit.speed ? `, speed ${unit.speed}` : "");
    sheet.holder.classList.toggle("dead", unit.dead);
  }

  function showUnit(n, unit, before) {
    const counter = units[n];
    const match = /^(\d\d)(\d\d)([A-F]?)$/.exec(unit.at);
    counter.style.display = match ? "" : "none";
    if (!match) return;
    const column = Number(match[1]), row = Number(match[2]);
    const x = column * 1.5 * side + dx, y = (row * 2 + (column % 2 === 0 ? 1 : 0)) * half + dy;
    counter.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    counter.firstElementChild.setAttribute("transform", `rotate(${"ABCDEF".indexOf(match[3] || "A") * 60})`);
    counter.classList.toggle("moved", unit.at !== before.at);
  }

  const told = (moment) => moment.step + (moment.step && moment.text ? ": " : "") + moment.text;
  const board = document.querySelector(".board");
  function bringIntoView(counter) {
    const [x, y] = counter.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const room = 60;
    if (x < board.scrollLeft + room || x > board.scrollLeft + board.clientWidth - room) board.scrollLeft = x - board.clientWidth / 2;
    if (y < board.scrollTop + room || y > board.scrollTop + board.clientHeight - room) board.scrollTop = y - board.clientHeight / 2;
  }

  let current = -1, timer = 0;
  function show(n, quiet) {
    n = Math.max(0, Math.min(last, n));
    if (n === current) return;
    const moment = game.moments[n], position = positions[n];
    const jumped = current < 0 || Math.abs(n - current) > 1;
    const before = positions[Math.max(0, n - 1)], old = current < 0 ? null : positions[current];
    const marked = current < 0 ? null : positions[Math.max(0, current - 1)];
    position.forEach((unit, k) => {
      if (old && old[k] === unit && before[k] === unit && marked[k] === old[k]) return;
      showUnit(k, unit, before[k]);
      showShip(k, unit, before[k]);
    });
    const mover = units.find((counter) => counter.classList.contains("moved") && counter.style.display !== "none");
    const shown = units.filter((counter) => counter.style.display !== "none");
    if (mover) bringIntoView(mover);
    else if (jumped && shown.length) bringIntoView(shown[0]);
    if (rows[current]) rows[current].removeAttribute("aria-current");
    current = n;
    const row = rows[n];
    row.setAttribute("aria-current", "step");
    const list = row.parentElement;
    if (row.offsetTop < list.scrollTop || row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = row.offsetTop - list.clientHeight / 3;
    }
    slider.value = String(n);
    slider.setAttribute("aria-valuetext", `${moment.when}, ${moment.step}`);
    now.replaceChildren(Object.assign(document.createElement("b"), { textContent: moment.when }),
      ` ${told(moment)} (${moment.place})`);
    if (!quiet) live.textContent = `${moment.when} ${told(moment)}. ${moment.found || ""}`;
  }

  function go(n) { show(n); history.replaceState(null, "", `#t${game.moments[current].when}`); }
  function findingFrom(n, way) {
    for (let k = n + way; k >= 0 && k <= last; k += way) if (game.moments[k].found) return k;
    return n;
  }
  function toggle() {
    if (timer) { clearInterval(timer); timer = 0; }
    else { if (current === last) show(0); timer = setInterval(() => (current < last ? show(current + 1, true) : toggle()), 600); }
    play.textContent = timer ? "Pause" : "Play";
  }
  function fromAddress() {
    const match = /^#t(\d+)(?:\.(\d+))?$/.exec(location.hash);
    if (!match) return /^#m\d+$/.test(location.hash) ? Number(location.hash.slice(2)) : null;
    const wanted = match[2] ? `${match[1]}.${match[2]}` : match[1];
    const n = game.moments.findIndex((moment) => moment.when === wanted || (!match[2] && moment.when.startsWith(`${wanted}.`)));
    if (n >= 0) return n;
    // Nothing was done then: the game as it stood.
    const value = (when) => { const [turn, impulse] = when.split(".").map(Number); return turn * 1000 + (impulse || 0); };
    let last = null;
    game.moments.forEach((moment, k) => { if (value(moment.when) <= value(wanted)) last = k; });
    return last;
  }

  slider.max = String(last);
  slider.addEventListener("input", () => go(Number(slider.value)));
  const buttons = { first: () => go(0), back: () => go(current - 1), play: toggle, next: () => go(current + 1), last: () => go(last),
    finding: () => go(findingFrom(current, 1)) };
  for (const [id, act] of Object.entries(buttons)) by(id).addEventListener("click", act);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const inSlider = event.target === slider;
    const acts = { ArrowLeft: buttons.back, ArrowRight: buttons.next, Home: buttons.first, End: buttons.last,
      n: buttons.finding, p: () => go(findingFrom(current, -1)), " ": toggle };
    const act = acts[event.key];
    if (!act || (event.key === " " && event.target.closest("button, a, summary")) || (inSlider && event.key !== " " && event.key.length > 1)) return;
    event.preventDefault();
    act();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link) return;
    event.preventDefault();
    go(Number(link.dataset.go));
  });
  window.addEventListener("hashchange", () => { const n = fromAddress(); if (n !== null) show(n); });
  document.documentElement.classList.add("live");
  const begin = fromAddress();
  show(begin === null ? 0 : begin, true);
})();
