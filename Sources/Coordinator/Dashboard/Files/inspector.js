// One task in full: frames, timecode, sources, why it begins and ends there, attempts with their failures and logs.
import { get, now, optional } from "./api.js";
import { $, element, hide, keyed, text } from "./dom.js";
import { ago, attemptWord, border, bytes, clock, fps, isPart, label, percent, plural, span, taskWord, time, timecode } from "./words.js";

const fact = (name, value, title) => value === null || value === undefined || value === "" ? null
  : element("div", { title }, element("dt", {}, name), element("dd", {}, value));

export class Inspector {
  constructor(farm) {
    Object.assign(this, { farm, key: null, logs: new Map() });
    $("inspector-body").addEventListener("toggle", (event) => {
      if (event.target.open && event.target.dataset.attempt) this.follow(event.target);
    }, true);
  }

  clear() {
    this.key = null;
    text($("inspector-title"), "Segment");
    $("inspector-body").replaceChildren(element("p", { class: "soft" }, "Choose a segment: press it, or use the arrow keys on the timeline."));
  }

  /** Shows a task. What does not change stays as it is, with the logs that are open. */
  show(job, task, tracks) {
    if (!task) return this.clear();
    const body = $("inspector-body");
    if (this.key !== task.id) {
      this.key = task.id;
      this.parts = { facts: element("dl", { class: "facts" }), failure: element("p", { class: "reason" }), warnings: element("div"), tries: element("div") };
      body.replaceChildren(...Object.values(this.parts));
    }
    text($("inspector-title"), `${label(task)} · ${taskWord(task)}${task.state === "leased" ? ` · ${percent(task.permille)}` : ""}`);
    const { facts, failure, warnings, tries } = this.parts;
    const json = JSON.stringify([task.state, task.frames, task.statistics, task.attempts.length]);
    if (facts.dataset.json !== json) {
      facts.dataset.json = json;
      facts.replaceChildren(...this.facts(job, task, tracks).filter(Boolean));
    }
    // An attempt below says the same in most cases.
    hide(failure, !task.failure || task.attempts.some((attempt) => attempt.failure?.message === task.failure.message));
    text(failure, task.failure?.message ?? "");
    keyed(warnings, task.statistics?.warnings ?? [], (warning) => warning.message, () => element("p", { class: "reason warning" }), (node, warning) => text(node, warning.message));
    keyed(tries, [...task.attempts].reverse(), (attempt) => attempt.id, (attempt) => this.makeTry(attempt), (node, attempt) => this.fillTry(node, attempt, task));
  }

  facts(job, task, tracks) {
    const rate = fps(job);
    const statistics = task.statistics;
    const rows = [];
    if (task.frames) {
      const { start, count } = task.frames;
      rows.push(fact("Frames", `${start.toLocaleString()} – ${(start + count - 1).toLocaleString()} (${count.toLocaleString()})`));
      if (isPart(task)) rows.push(fact("Timecode", `${timecode(start, rate)} – ${timecode(start + count, rate)}`));
    }
    if (task.copiedCount !== undefined && task.copiedCount !== null) rows.push(fact("Copied", task.copiedCount === 0 ? "none" : `${task.copiedCount.toLocaleString()} of ${task.frames.count.toLocaleString()}`));
    if (task.startBorder) rows.push(fact("Begins at", border(task.startBorder)), fact("Ends at", border(task.endBorder)));
    const sources = this.sources(task, tracks);
    if (sources.length > 0) rows.push(fact("Sources", sources.length > 4 ? `${sources.slice(0, 4).join(", ")} and ${sources.length - 4} more` : sources.join(", "), sources.join("\n")));
    if (statistics) {
      rows.push(fact("Took", span(statistics.wallMilliseconds / 1000)), fact("Processor", span(statistics.cpuMilliseconds / 1000)),
        fact("Memory", statistics.peakMemoryBytes ? bytes(statistics.peakMemoryBytes) : null), fact("Fetched", statistics.fetchedBytes ? bytes(statistics.fetchedBytes) : null));
    }
    return rows;
  }

  /** The names of what the tracks show in the task's frames. */
  sources(task, tracks) {
    if (!task.frames || !tracks) return [];
    const { start, count } = task.frames;
    const kinds = task.kind === "sound" || task.kind === "measure" ? ["audio"] : ["video"];
    const names = tracks.tracks.filter((track) => kinds.includes(track.kind)).flatMap((track) => track.items)
      .filter((item) => item.source && item.start < start + count && item.start + item.count > start).map((item) => item.source);
    return [...new Set(names)];
  }

  makeTry() {
    const node = element("div", { class: "try" }, element("p", {}, element("strong"), element("span"), element("span", { class: "soft" })), element("p", { class: "reason" }),
      element("details", {}, element("summary", {}, "Log"), element("pre", { class: "log", tabindex: "0", role: "region", "aria-label": "Log of the attempt" }, "…")));
    [node.line, node.reason, node.log] = node.children;
    return node;
  }

  fillTry(node, attempt, task) {
    const number = task.attempts.findIndex((other) => other.id === attempt.id) + 1;
    const [name, what, when] = node.line.children;
    text(name, `Attempt ${number}`);
    text(what, `${attemptWord(attempt)} · ${attempt.workerName}`);
    const took = (new Date(attempt.ended ?? now()) - new Date(attempt.started)) / 1000;
    text(when, `${time(attempt.started)} (${ago(attempt.started)}) · ${span(Math.max(0, took))}`);
    when.title = clock(attempt.started);
    hide(node.reason, !attempt.failure);
    text(node.reason, attempt.failure ? `${attempt.failure.message}\n${attempt.failure.code}` : "");
    node.log.dataset.attempt = attempt.id;
    node.log.dataset.isLive = attempt.state === "live" ? "yes" : "";
    if (this.farm.hasNoLogs) hide(node.log, true);
    else if (node.log.open && node.log.dataset.isLive) this.follow(node.log);
  }

  /** Reads the lines of an attempt's log that are not shown yet. */
  async follow(details) {
    if (details.isReading) return;
    details.isReading = true;
    const place = details.querySelector("pre");
    try {
      const answer = await optional(get(`/v1/attempts/${details.dataset.attempt}/log${details.next === undefined ? "" : `?after=${details.next}`}`));
      if (answer === null && details.next === undefined) {
        text(place, "This coordinator keeps no log of this attempt.");
      } else if (answer) {
        const lines = answer.lines.map((line) => `${time(line.at)}  ${line.text}`).join("\n");
        if (details.next === undefined) text(place, lines || "Nothing was said.");
        else if (lines) place.append(`${place.textContent === "Nothing was said." ? "" : "\n"}${lines}`);
        details.next = answer.next;
        place.scrollTop = place.scrollHeight;
      }
    } finally {
      details.isReading = false;
    }
  }
}

/** The newest attempts of a job, as rows that stay where they are. */
export function showAttempts(tasks, onChoose) {
  const rows = tasks.flatMap((task) => task.attempts.map((attempt) => ({ task, attempt })));
  rows.sort((a, b) => b.attempt.started.localeCompare(a.attempt.started) || b.attempt.id.localeCompare(a.attempt.id));
  const failed = rows.filter(({ attempt }) => attempt.state === "failed").length;
  text($("attempts-sum"), rows.length === 0 ? "" : `${plural(rows.length, "attempt")}${failed ? `, ${failed} failed` : ""}${rows.length > 60 ? ", the newest 60" : ""}`);
  hide($("no-attempts"), rows.length > 0);
  hide(document.querySelector("#attempts-card .scroll"), rows.length === 0);
  keyed($("attempts"), rows.slice(0, 60), ({ attempt }) => attempt.id, ({ task }) => {
    const node = element("tr", {}, element("td", {}, element("button", { type: "button", onclick: () => onChoose(task.position) })), element("td", {}, element("span", { class: "state" })), element("td"), element("td", { class: "number" }), element("td", { class: "number" }));
    return node;
  }, (node, { task, attempt }) => {
    const [name, state, worker, began, took] = node.children;
    text(name.firstChild, label(task));
    state.firstChild.className = `state ${{ live: "leased", completed: "completed", failed: "failed" }[attempt.state] ?? "cancelled"}`;
    text(state.firstChild, attemptWord(attempt));
    state.title = attempt.failure?.message ?? "";
    text(worker, attempt.workerName);
    text(began, time(attempt.started));
    began.title = clock(attempt.started);
    text(took, span(Math.max(0, (new Date(attempt.ended ?? now()) - new Date(attempt.started)) / 1000)));
  });
}
