// The workers: what each does now, where, with which versions.
import { isAdmin, post, optional } from "./api.js";
import { $, confirm, element, hide, keyed, say, style, text } from "./dom.js";
import { spark } from "./plot.js";
import { label, percent, plural, span, speed, titleOf } from "./words.js";

// A worker speaks every second or two; what it held goes to another one 6 s after its last word.
const leaseSeconds = 6;
const history = new Map();

const joins = (worker) => (worker.kinds ?? []).length === 1 && worker.kinds[0] === "stitch";
const isLost = (worker) => worker.secondsSinceSeen > leaseSeconds;

export function countWorkers(workers) {
  const present = workers.filter((worker) => !joins(worker) && !isLost(worker));
  text($("worker-count"), String(present.length));
}

export function showWorkers(workers, refresh) {
  countWorkers(workers);
  const renderers = workers.filter((worker) => !joins(worker));
  const present = renderers.filter((worker) => !isLost(worker));
  const slots = present.reduce((sum, worker) => sum + worker.slots, 0);
  const running = present.reduce((sum, worker) => sum + worker.running, 0);
  const coordinators = workers.filter(joins).length;
  text($("workers-sum"), `${plural(present.length, "worker")} connected · ${running} of ${plural(slots, "slot")} busy${coordinators ? ` · ${plural(coordinators, "coordinator joins", "coordinators join")}` : ""}`);
  hide($("no-workers"), present.length > 0);
  const sorted = [...workers].sort((a, b) => joins(a) - joins(b) || isLost(a) - isLost(b) || a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
  keyed($("workers"), sorted, (worker) => worker.id, (worker) => make(worker, refresh), fill);
}

function make(worker, refresh) {
  const drain = element("button", { type: "button" }, "Drain");
  const node = element("li", { class: "card worker" },
    element("header", {}, element("h3", {}, worker.name), element("span", { class: "state" })),
    element("ul", { class: "doing" }), element("div", { class: "feet" }),
    element("details", {}, element("summary", {}), element("p", { class: "soft" })));
  const graph = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  graph.setAttribute("class", "spark");
  graph.setAttribute("viewBox", "0 0 100 20");
  graph.setAttribute("preserveAspectRatio", "none");
  graph.setAttribute("role", "img");
  node.firstChild.append(graph, drain);
  Object.assign(node, { state: node.firstChild.children[1], graph, drain, doing: node.children[1], feet: node.children[2], versions: node.children[3] });
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

/** What a worker last rendered, for its sparkline: the share of its slots that were busy, one number for each look. */
function remember(worker) {
  const values = history.get(worker.id) ?? [];
  values.push(worker.running / Math.max(1, worker.slots));
  if (values.length > 60) values.shift();
  history.set(worker.id, values);
  return values;
}

function fill(node, worker) {
  node.worker = worker;
  const lost = isLost(worker);
  node.className = `card worker${lost ? " lost" : ""}`;
  const state = lost ? "failed" : worker.isDraining ? "paused" : worker.running > 0 ? "rendering" : "completed";
  node.state.className = `state ${state}`;
  text(node.state, lost ? `silent for ${span(worker.secondsSinceSeen)}` : worker.isDraining ? "draining" : worker.running > 0 ? joins(worker) ? "joining" : `${worker.running} of ${worker.slots} busy` : "idle");
  const values = remember(worker);
  spark(node.graph, values);
  node.graph.setAttribute("aria-label", `Busy slots lately: ${Math.round(100 * values.at(-1))} %`);
  hide(node.graph, lost);
  hide(node.drain, !isAdmin() || lost || joins(worker));
  text(node.drain, worker.isDraining ? "Take work again" : "Drain");
  keyed(node.doing, worker.doing ?? [], (task) => task.attempt, () => {
    const bar = element("span", { class: "bar rendering" }, element("span"));
    return element("li", {}, element("a", {}, element("span"), element("span", { class: "soft" }), bar));
  }, (item, task) => {
    const [what, much, bar] = item.firstChild.children;
    item.firstChild.setAttribute("href", `#${task.job}/${task.position + 1}`);
    text(what, `${titleOf(task)} · ${label(task).toLowerCase()}`);
const seconds = Math.max(0.1, (Date.now() - Date.parse(task.started)) / 1000);
    const pace = task.outputSeconds && task.permille > 0 ? speed(task.outputSeconds * task.permille / 1000 / seconds) : span(seconds);
    text(much, `${percent(task.permille)} · ${pace}`);
    style(bar.firstChild, "transform", `scaleX(${task.permille / 1000})`);
  });
  const facts = [joins(worker) ? "joins finished parts" : plural(worker.slots, "slot"), `${worker.completed.toLocaleString()} done`,
    worker.failed ? `${worker.failed.toLocaleString()} failed` : null];
  text(node.feet, facts.filter(Boolean).join(" · "));
  const versions = (worker.versions ?? "").split(", ");
  hide(node.versions, !worker.versions);
  text(node.versions.firstChild, versions.filter((name) => /^(renderer|ffmpeg)/.test(name)).map((name) => name.replace(/[-+].*/, "")).join(" · "));
  text(node.versions.lastChild, worker.versions ?? "");
}
