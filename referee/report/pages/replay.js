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
  let here = game.units.map((unit) => ({ at: "", gone: new Set(), shields: unit.shields, dead: false, speed: "", power: unit.power }));
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
      const shield = /^shield (\d)\/(\d+)$/.exec(box.dataset.box);
      boxes.set(box.dataset.box, { box, cross, shield: shield && shield[1], place: shield && Number(shield[2]), kind: box.classList[0], sure: box.classList.contains("unsure") ? " unsure" : "" });
    });
    holder.querySelectorAll("[data-shield]").forEach((label) => labels.set(label.dataset.shield, label));
    const power = holder.querySelector("[data-power]");
    drawn.set(Number(holder.dataset.ship), { boxes, labels, holder, power });
  });

  function crossed(entry, kind) {
    const { box } = entry;
    if (entry.kind === kind) return;
    entry.kind = kind;
    box.setAttribute("class", kind + entry.sure);
    if (kind === "box") { if (entry.cross) entry.cross.remove(); entry.cross = null; return; }
    if (!entry.cross) {
      const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(box.getAttribute(name)));
      entry.cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
      entry.cross.setAttribute("d", `M${x} ${y}l${w} ${h}M${x + w} ${y}l-${w} ${h}`);
      box.after(entry.cross);
    }
    entry.cross.setAttribute("class", kind === "now" ? "nowcross" : "cross");
  }

  const write = (part, text) => { if (part.textContent !== text) part.textContent = text; };
  function showShip(n, unit, before) {
    const sheet = drawn.get(n);
    if (!sheet) return;
    for (const [id, entry] of sheet.boxes) {
      const gone = (state) => (entry.shield ? entry.place > (state.shields[entry.shield] || 0) : state.gone.has(id));
      crossed(entry, !gone(unit) ? "box" : gone(before) ? "gone" : "now");
    }
    for (const [number, label] of sheet.labels) {
      write(label, label.textContent.replace(/: -?\d+\//, `: ${unit.shields[number] || 0}/`));
    }
    write(sheet.power, `power ${unit.power}` + (unit.speed ? `, speed ${unit.speed}` : ""));
    sheet.holder.classList.toggle("dead", unit.dead);
  }

  const hexOf = (at) => at.slice(0, 4);
  function middle(at) {
    const column = Number(at.slice(0, 2)), row = Number(at.slice(2, 4));
    return [column * 1.5 * side + dx, (row * 2 + (column % 2 === 0 ? 1 : 0)) * half + dy];
  }

  // Several in a hex stand beside each other, as in the pictures of maps.
  function beside(n, count) {
    if (count < 2) return [0, 0, 1];
    if (count === 2) return [n ? 9 : -9, 0, 0.8];
    const turn = 2 * Math.PI * n / count - Math.PI / 2;
    return [0.46 * side * Math.cos(turn), 0.46 * side * Math.sin(turn), Math.min(0.62, Math.max(0.3, 1.9 / (count + 0.3)))];
  }

  const names = units.map((counter) => counter.querySelector("text"));
  const edges = units.map((counter) => [...counter.querySelectorAll("[data-struck]")]);
  const tracks = [...document.querySelectorAll("[data-track]")];
  const set = (part, name, value) => { if (part.getAttribute(name) !== value) part.setAttribute(name, value); };
  const hide = (part, hidden) => { const style = hidden ? "none" : ""; if (part.style.display !== style) part.style.display = style; };

  function showUnits(position, before) {
    const crowd = new Map();
    position.forEach((unit, k) => {
      if (!unit.at) return;
      const hex = hexOf(unit.at);
      crowd.set(hex, [...(crowd.get(hex) || []), k]);
    });
    position.forEach((unit, k) => {
      const counter = units[k];
      hide(counter, !unit.at);
      if (!unit.at) return;
      const together = crowd.get(hexOf(unit.at)), place = together.indexOf(k);
      const [x, y] = middle(unit.at), [across, down, scale] = beside(place, together.length);
      set(counter, "transform", `translate(${(x + across).toFixed(1)} ${(y + down).toFixed(1)})`);
      const turned = "ABCDEF".indexOf(unit.at[4] || "A") * 60;
      set(counter.firstElementChild, "transform", `rotate(${turned})${scale < 1 ? ` scale(${scale.toFixed(2)})` : ""}`);
      if (names[k]) set(names[k], "y", (11 * place - 6).toFixed(0));
      counter.classList.toggle("moved", unit.at !== before[k].at);
    });
  }

  const turnOf = (n) => game.moments[n].when.split(".")[0];
  function begunAt(n) {
    let first = n;
    while (first > 0 && turnOf(first - 1) === turnOf(n)) first -= 1;
    return first;
  }

  // The way of each unit in this turn, and the shields that were struck in it; what was taken back is left out.
  function showTurn(n) {
    const first = begunAt(n), start = positions[Math.max(0, first - 1)];
    const ways = start.map((unit) => (unit.at ? [hexOf(unit.at)] : []));
    for (let k = first; k <= n; k += 1) {
      if (game.moments[k].back) continue;
      positions[k].forEach((unit, u) => {
        const hex = unit.at && hexOf(unit.at);
        if (hex && ways[u][ways[u].length - 1] !== hex) ways[u].push(hex);
      });
    }
    ways.forEach((way, u) => {
      const shown = way.length > 1 && positions[n][u].at;
      set(tracks[u], "points", shown ? way.map((hex) => middle(hex).map((part) => part.toFixed(1)).join(",")).join(" ") : "");
    });
    const whole = first ? start : positions[first];
    positions[n].forEach((unit, u) => edges[u].forEach((edge) => {
      const number = edge.dataset.struck;
      hide(edge, !((whole[u].shields[number] || 0) > (unit.shields[number] || 0)));
    }));
  }

  const told = (moment) => moment.step + (moment.step && moment.text ? ": " : "") + moment.text;
  const board = document.querySelector(".board");
  const chart = board.querySelector("svg"), wide = Number(chart.getAttribute("width"));
  let zoom = 1;

  // All units in sight, on a map made smaller where they stand far apart; too far apart for a map that can be read, the one
  // that moved.
  function bringIntoView(counters, mover, room, scrolled) {
    const places = counters.map((counter) => counter.getAttribute("transform").match(/-?[\d.]+/g).map(Number));
    const ends = (of) => [0, 1].map((k) => [Math.min(...of.map((place) => place[k])) - 40, Math.max(...of.map((place) => place[k])) + 40]);
    const fits = (scale) => ends(places).every(([from, to], k) => (to - from) * scale <= room[k]);
    const wanted = [1, 0.8, 0.65, 0.5].find(fits);
    const scale = wanted || 1, shown = ends(wanted ? places : [places[Math.max(0, counters.indexOf(mover))]]);
    if (scale !== zoom) { zoom = scale; chart.style.width = `${Math.round(wide * zoom)}px`; chart.style.height = "auto"; }
    ["scrollLeft", "scrollTop"].forEach((side, k) => {
      const [from, to] = shown[k].map((end) => end * zoom), at = scrolled[k];
      if (from < at || to > at + room[k]) board[side] = (from + to - room[k]) / 2;
    });
  }

  let current = -1, timer = 0;
  function show(n, quiet) {
    n = Math.max(0, Math.min(last, n));
    if (n === current) return;
    const moment = game.moments[n], position = positions[n];
    const jumped = current < 0 || Math.abs(n - current) > 1;
    const before = positions[Math.max(0, n - 1)], old = current < 0 ? null : positions[current];
    const marked = current < 0 ? null : positions[Math.max(0, current - 1)];
    // Where things are is asked before anything is changed: asked after it, the page would be laid out twice.
    const row = rows[n], list = row.parentElement;
    const stands = [row.offsetTop, row.offsetHeight, list.scrollTop, list.clientHeight];
    const room = [board.clientWidth, parseFloat(getComputedStyle(board).maxHeight) || board.clientHeight];
    const scrolled = [board.scrollLeft, board.scrollTop];
    position.forEach((unit, k) => {
      if (old && old[k] === unit && before[k] === unit && marked[k] === old[k]) return;
      showShip(k, unit, before[k]);
    });
    showUnits(position, before);
    showTurn(n);
    const mover = units.find((counter) => counter.classList.contains("moved") && counter.style.display !== "none");
    const shown = units.filter((counter) => counter.style.display !== "none");
    if (shown.length && (mover || jumped)) bringIntoView(shown, mover, room, scrolled);
    if (rows[current]) rows[current].removeAttribute("aria-current");
    current = n;
    row.setAttribute("aria-current", "step");
    const [top, high, from, seen] = stands;
    if (top < from || top + high > from + seen) list.scrollTop = top - seen / 3;
    slider.value = String(n);
    slider.setAttribute("aria-valuetext", `${moment.when}, ${moment.step}`);
    now.replaceChildren(Object.assign(document.createElement("b"), { textContent: moment.when }),
      ` ${told(moment)}${moment.place ? ` (${moment.place})` : ""}`);
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
