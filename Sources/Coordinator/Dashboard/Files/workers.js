// The workers: what each does now and how fast, on which machine, with which memory and versions, and what it finished last.
import { isAdmin, now, post, optional } from "./api.js";
import { $, attribute, confirm, element, hide, keyed, say, style, text } from "./dom.js";
import { spark } from "./plot.js";
import { bytes, label, percent, plural, span, speed, titleOf } from "./words.js";

// A worker speaks every second or two; what it held goes to another one 6 s after its last word.
const leaseSeconds = 6;
const history = new Map();
const samples = 60;
const sampleSeconds = 1.5;
// A frame is made for each that is shown: a worker of short segments shows not every one.
const frameSeconds = 10;

const joins = (worker) => (worker.kinds ?? []).length === 1 && worker.kinds[0] === "stitch";
const isLost = (worker) => worker.secondsSinceSeen > leaseSeconds;

export function countWorkers(workers) {
  const present = workers.filter((worker) => !joins(worker) && !isLost(worker));
  text($("worker-count"), String(present.length));
  for (const worker of workers) remember(worker);
  for (const id of history.keys()) if (!workers.some((worker) => worker.id === id)) history.delete(id);
}

export function showWorkers(workers, refresh) {
  countWorkers(workers);
  const renderers = workers.filter((worker) => !joins(worker));
  const present = renderers.filter((worker) => !isLost(worker));
  const slots = present.reduce((sum, worker) => sum + worker.slots, 0);
  const running = present.reduce((sum, worker) => sum + worker.running, 0);
  const coordinators = workers.filter((worker) => joins(worker) && !isLost(worker)).length;
  text($("workers-sum"), `${plural(present.length, "worker")} connected · ${running} of ${plural(slots, "slot")} busy${coordinators ? ` · ${plural(coordinators, "coordinator joins", "coordinators join")}` : ""}`);
  hide($("no-workers"), present.length > 0);
  const sorted = [...workers].sort((a, b) => joins(a) - joins(b) || isLost(a) - isLost(b) || a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  keyed($("workers"), sorted, (worker) => worker.id, (worker) => make(worker, refresh), fill);
}

function make(worker, refresh) {
  const drain = element("button", { type: "button" }, "Drain");
  const node = element("li", { class: "card worker" },
    element("header", {}, element("h3", {}, worker.name), element("span", { class: "state" })),
    element("div", { class: "now-and-last" }, element("ul", { class: "doing" }), element("a", { class: "last", hidden: true }, element("img", { alt: "The frame that it finished last", width: 128, height: 72 }))),
    element("div", { class: "feet" }, element("span", { class: "facts-line" })),
    element("details", {}, element("summary", {}), element("p", { class: "soft" })));
  const graph = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  graph.setAttribute("class", "spark");
  graph.setAttribute("viewBox", "0 0 100 20");
  graph.setAttribute("preserveAspectRatio", "none");
  graph.setAttribute("role", "img");
  const pace = element("span", { class: "pace soft" });
  node.firstChild.append(drain);
  node.children[2].append(graph, pace);
  const [doing, last] = node.children[1].children;
  Object.assign(node, { state: node.firstChild.children[1], graph, pace, drain, doing, last, feet: node.children[2], versions: node.children[3] });
  // What could not be had now may be had later.
  last.firstChild.addEventListener("error", () => { hide(last, true); node.address = null; });
  drain.addEventListener("click", () => toggle(node.worker, refresh));
  return node;
}

async function toggle(worker, refresh) {
  try {
    if (worker.isDraining) {
      const answer = await optional(post(`/v1/workers/${worker.id}/undrain`).then(() => true));
      if (!answer) return say("This coordinator cannot take a drain back; start the worker again.", true);
      say(`${worker.name} takes work again`);
    } else {
      if (!await confirm(`Drain ${worker.name}?`, "It finishes what it has, takes nothing new, and leaves.", "Drain")) return;
      await post(`/v1/workers/${worker.id}/drain`);
      say(`${worker.name} is draining`);
    }
    refresh();
  } catch (error) {
    say(error.message, true);
  }
}

/** Seconds of output per second since a task's grant; null where that is not known. */
function paceOf(task) {
  const seconds = Math.max(0.1, (now() - Date.parse(task.started)) / 1000);
  return task.outputSeconds && task.permille > 0 ? task.outputSeconds * task.permille / 1000 / seconds : null;
}

/** Keeps how fast a worker renders, for its sparkline: the speeds of its tasks together, at most one number for each look. */
function remember(worker) {
  const kept = history.get(worker.id) ?? { values: [], at: 0 };
  history.set(worker.id, kept);
  const value = (worker.doing ?? []).reduce((sum, task) => sum + (paceOf(task) ?? 0), 0);
  if (Date.now() - kept.at < sampleSeconds * 1000) kept.values.pop();
  else kept.at = Date.now();
  kept.values.push(value);
  if (kept.values.length > samples) kept.values.shift();
}

/** The middle of the segment that a worker finished last. */
function fillLast(node, worker) {
  const { last } = worker;
  if (!last) return hide(node.last, true);
  const address = `/v1/jobs/${last.job}/frame?frame=${last.frames.start + Math.floor(last.frames.count / 2)}&width=256`;
  if (node.address === address || Date.now() - (node.framedAt ?? 0) < frameSeconds * 1000) return;
  Object.assign(node, { address, framedAt: Date.now() });
  node.last.firstChild.setAttribute("src", address);
  node.last.setAttribute("href", `#${last.job}/${last.position + 1}`);
  attribute(node.last, "title", `Segment ${last.position + 1}, finished last`);
  hide(node.last, false);
}

/** “1.5 GB of 16.8 GB memory”: what the worker and its render processes hold, and what the machine has. */
function memoryWords({ workerBytes, renderBytes, totalBytes }) {
  return `${bytes(workerBytes + renderBytes)} of ${bytes(totalBytes)} memory`;
}

function fill(node, worker) {
  node.worker = worker;
  const lost = isLost(worker);
  node.className = `card worker${lost ? " lost" : ""}`;
  const state = lost || worker.blocked ? "failed" : worker.isDraining ? "paused" : worker.running > 0 ? "rendering" : "completed";
  node.state.className = `state ${state}`;
  attribute(node.state, "title", worker.blocked ?? null);
  text(node.state, lost ? `silent for ${span(worker.secondsSinceSeen)}` : worker.blocked ? "blocked" : worker.isDraining ? "draining" : worker.running > 0 ? joins(worker) ? "joining" : `${worker.running} of ${worker.slots} busy` : "idle");
  const { values } = history.get(worker.id);
  const isStill = Math.max(...values) === 0;
  spark(node.graph, values);
  node.graph.setAttribute("aria-label", `Speed lately, now ${speed(values.at(-1))} real time`);
  hide(node.graph, lost || isStill);
  text(node.pace, lost || values.at(-1) === 0 ? "" : speed(values.at(-1)));
  fillLast(node, worker);
  hide(node.drain, !isAdmin() || lost || joins(worker));
  text(node.drain, worker.isDraining ? "Take work again" : "Drain");
  keyed(node.doing, worker.doing ?? [], (task) => task.attempt, () => {
    const bar = element("span", { class: "bar rendering" }, element("span"));
    return element("li", {}, element("a", {}, element("span"), element("span", { class: "soft" }), bar));
  }, (item, task) => {
    const [what, much, bar] = item.firstChild.children;
    item.firstChild.setAttribute("href", `#${task.job}/${task.position + 1}`);
    text(what, `${titleOf(task)} · ${label(task).toLowerCase()}`);
    const pace = paceOf(task);
    text(much, `${percent(task.permille)} · ${pace === null ? span(Math.max(0, (now() - Date.parse(task.started)) / 1000)) : speed(pace)}`);
    style(bar.firstChild, "transform", `scaleX(${task.permille / 1000})`);
  });
  const { machine } = worker;
  const facts = [machine && machine.host !== worker.name ? machine.host : null, joins(worker) ? "joins finished parts" : plural(worker.slots, "slot"), `${worker.completed.toLocaleString()} done`,
    worker.failed ? `${worker.failed.toLocaleString()} failed` : null, machine ? memoryWords(machine) : null];
  text(node.feet.firstChild, facts.filter(Boolean).join(" · "));
  attribute(node.feet, "title", machine ? `The worker ${bytes(machine.workerBytes)}, its render processes ${bytes(machine.renderBytes)}` : null);
  const versions = (worker.versions ?? "").split(", ");
  hide(node.versions, !worker.versions);
  text(node.versions.firstChild, versions.filter((name) => /^(renderer|ffmpeg)/.test(name)).map((name) => name.replace(/[-+].*/, "")).join(" · "));
  text(node.versions.lastChild, worker.versions ?? "");
}
