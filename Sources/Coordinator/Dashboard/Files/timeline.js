// The edit as an editor's timeline, and below it the segments that are rendered. Segments narrower than 8 px are drawn
// together. One tab stop: the arrow keys go from segment to segment.
import { $, attribute, className, element, hide, keyed, style, text } from "./dom.js";
import { fps, frameAt, isFinal, isPart, label, percent, plural, taskWord, timecode } from "./words.js";

const narrowest = 8;
// Of several segments drawn together, the block shows the state that wants to be seen most.
const urgency = ["failed", "leased", "queued", "cancelled", "completed"];

export class Timeline {
  /** `onChoose(position)` is called when a segment is chosen. */
  constructor(onChoose) {
    Object.assign(this, { onChoose, tasks: [], job: null, chosen: null, tracks: null });
    this.lanes = [$("segments"), $("rest"), $("join")];
    for (const lane of this.lanes) {
      lane.addEventListener("keydown", (event) => this.pressed(event, lane));
      lane.addEventListener("click", (event) => this.clicked(event, lane));
      lane.addEventListener("focus", () => { if (!this.tasksOf(lane).some((task) => task.position === this.chosen)) this.choose(this.tasksOf(lane)[0]); });
    }
    new ResizeObserver(() => this.draw()).observe($("segments"));
  }

  /** The number of frames that the width stands for: of stills and sound alone the number of tasks. */
  get frameCount() {
    const parts = this.tasks.filter(isPart);
    const end = Math.max(0, ...parts.map((task) => task.frames ? task.frames.start + task.frames.count : 0));
    return end || this.tracks?.frameCount || this.job?.frameCount || 1;
  }

  setTracks(tracks) {
    this.tracks = tracks;
    this.drawTracks();
  }

  setTasks(job, tasks) {
    if (this.job?.id !== job.id) this.chosen = null;
    Object.assign(this, { job, tasks });
    this.draw();
  }

  /** A lane has the picture's segments, the pieces of sound, or the joining. */
  tasksOf(lane) {
    const place = (task) => isPart(task) ? 0 : task.kind === "stitch" ? 2 : 1;
    return this.tasks.filter((task) => this.lanes[place(task)] === lane);
  }

  draw() {
    if (!this.job) return;
    this.drawRuler();
    const parts = this.tasksOf(this.lanes[0]);
    hide(this.lanes[0].parentNode, parts.length === 0);
    this.drawLane(this.lanes[0], this.blocks(parts, this.lanes[0].clientWidth));
    // Pieces of sound are of one length but for the last: they are drawn so.
    for (const lane of this.lanes.slice(1)) {
      const tasks = this.tasksOf(lane);
      hide(lane.parentNode, tasks.length === 0);
      this.drawLane(lane, this.blocks(tasks, lane.clientWidth, true));
    }
    const done = parts.filter((task) => task.state === "completed").length;
    const failed = parts.filter((task) => task.state === "failed").length;
    text($("timeline-sum"), parts.length === 0 ? "" : `${done} of ${plural(parts.length, "segment")} completed${failed ? `, ${failed} failed` : ""}`);
    const legend = (name, isThere) => hide(document.querySelector(`.legend .${name}`), !isThere);
    legend("copied", parts.some((task) => task.copiedCount > 0));
    legend("taken", this.tasks.some((task) => task.isTaken));
    legend("failed", failed > 0);
    legend("leased", !isFinal(this.job));
    legend("queued", !isFinal(this.job));
    legend("completed", !isFinal(this.job) || done > 0);
    legend("cancelled", isFinal(this.job) && this.tasks.some((task) => task.state === "cancelled"));
  }

  /** Blocks of `{ start, end, tasks }` in fractions of the width: narrow segments side by side are one of at least `narrowest` pixels. */
  blocks(tasks, width, isEven = false) {
    const whole = isEven ? tasks.length : this.frameCount;
    const least = narrowest / Math.max(1, width);
    const blocks = [];
    tasks.forEach((task, index) => {
      const start = isEven || !task.frames ? index / tasks.length : task.frames.start / whole;
      const end = isEven || !task.frames ? (index + 1) / tasks.length : (task.frames.start + task.frames.count) / whole;
      const last = blocks.at(-1);
      if (last && last.end - last.start < least && end - start < least) {
        last.end = end;
        last.tasks.push(task);
      } else blocks.push({ start, end, tasks: [task] });
    });
    return blocks;
  }

  drawLane(lane, blocks) {
    keyed(lane, blocks, (block) => block.tasks[0].position, () => {
      const node = element("div", { role: "option" }, element("span", { class: "done" }), element("span", { class: "copied" }), element("span", { class: "label" }));
      [node.done, node.copied, node.label] = node.children;
      return node;
    }, (node, block) => this.fill(node, block, lane));
    const active = [...lane.children].find((node) => node.classList.contains("chosen"));
    attribute(lane, "aria-activedescendant", active?.id);
  }

  fill(node, block, lane) {
    const { tasks } = block;
    const state = urgency.find((name) => tasks.some((task) => task.state === name)) ?? "queued";
    const isAllTaken = tasks.every((task) => task.isTaken);
    const frames = (task) => task.frames?.count ?? 1;
    const whole = tasks.reduce((sum, task) => sum + frames(task), 0);
    const copied = tasks.reduce((sum, task) => sum + (task.copiedCount ?? 0), 0);
    const isCopied = copied > 0 && copied >= whole;
    const isChosen = tasks.some((task) => task.position === this.chosen);
    const kind = state === "completed" && isAllTaken ? "taken" : state === "completed" && isCopied ? "copied" : state;
    className(node, `block ${kind}${isChosen ? " chosen" : ""}`);
    attribute(node, "id", `task-${tasks[0].position}`);
    attribute(node, "aria-selected", String(isChosen));
    attribute(node, "aria-label", this.describe(tasks));
    attribute(node, "title", this.describe(tasks));
    style(node, "left", `${block.start * 100}%`);
    style(node, "width", `${(block.end - block.start) * 100}%`);
    const permille = tasks.reduce((sum, task) => sum + frames(task) * (task.state === "completed" ? 1000 : task.permille), 0) / whole;
    style(node.done, "transform", `scaleX(${state === "leased" ? permille / 1000 : 0})`);
    hide(node.done, state !== "leased");
    hide(node.copied, copied === 0 || isCopied);
    style(node.copied, "width", `${100 * copied / whole}%`);
    const pixels = (block.end - block.start) * lane.clientWidth;
    const isRest = lane !== this.lanes[0];
    const name = isRest ? label(tasks[0]) : tasks.length === 1 ? String(tasks[0].position + 1) : "";
    const more = isRest ? "" : state === "leased" ? percent(permille) : isCopied ? "copied" : "";
    text(node.label, pixels > 9 + 7 * name.length ? name : "");
    attribute(node.label, "data-more", pixels > 12 + 7 * more.length ? more : "");
    className(node.label, isRest ? "label" : "label two");
  }

  describe(tasks) {
    const rate = fps(this.job);
    const [first, last] = [tasks[0], tasks.at(-1)];
    if (tasks.length > 1) {
      const counts = urgency.map((name) => [name, tasks.filter((task) => task.state === name).length]).filter(([, count]) => count > 0);
      return `Segments ${first.position + 1} to ${last.position + 1}: ${counts.map(([name, count]) => `${count} ${taskWord({ state: name })}`).join(", ")}`;
    }
    const parts = [`${label(first)}: ${taskWord(first)}${first.state === "leased" ? `, ${percent(first.permille)}` : ""}`];
    if (first.frames && isPart(first)) parts.push(`from ${timecode(first.frames.start, rate)}, ${plural(first.frames.count, "frame")}`);
    if (first.copiedCount) parts.push(`${first.copiedCount} copied`);
    return parts.join(" · ");
  }

  // Choosing

  choose(task) {
    if (!task) return;
    this.chosen = task.position;
    this.draw();
    this.onChoose(task.position);
  }

  clicked(event, lane) {
    const node = event.target.closest(".block");
    if (!node) return;
    const first = Number(node.id.slice(5));
    const tasks = this.tasksOf(lane);
    const from = tasks.findIndex((task) => task.position === first);
    // A press on a block of several takes the one below the pointer.
    const box = node.getBoundingClientRect();
    const next = node.nextElementSibling ? tasks.findIndex((task) => task.position === Number(node.nextElementSibling.id.slice(5))) : tasks.length;
    const share = Math.min(0.999, Math.max(0, (event.clientX - box.left) / box.width));
    this.choose(tasks[from + Math.floor(share * (next - from))]);
  }

  pressed(event, lane) {
    const tasks = this.tasksOf(lane);
    const at = tasks.findIndex((task) => task.position === this.chosen);
    const steps = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tasks.length - 1, PageDown: at + 10, PageUp: at - 10 };
    let next = steps[event.key];
    if (event.key === "f") {
      const found = tasks.findIndex((task, index) => index > at && task.state === "failed");
      next = found >= 0 ? found : tasks.findIndex((task) => task.state === "failed");
      if (next < 0) return;
    }
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(tasks[Math.max(0, Math.min(tasks.length - 1, next))]);
  }

  // The edit

  drawRuler() {
    const rate = fps(this.job);
    const seconds = this.frameCount / rate;
    // A label is as wide as its letters: those of a hundred hours are wider.
    const room = Math.max(1, Math.floor($("ruler").clientWidth / 104));
    const step = [0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200].find((size) => seconds / size <= room) ?? 14400;
    const marks = [];
    for (let at = 0; at < seconds - step * 0.4; at += step) marks.push(frameAt(at, rate));
    keyed($("ruler"), marks, (frame) => frame, () => element("span"), (node, frame) => {
      text(node, timecode(frame, rate));
      style(node, "left", `${100 * frame / this.frameCount}%`);
    });
  }

  drawTracks() {
    const tracks = this.tracks?.tracks ?? [];
    const whole = this.tracks?.frameCount || 1;
    text($("tracks-omitted"), this.tracks?.omitted ?? "");
    hide($("tracks-omitted"), !this.tracks?.omitted);
    $("tracks").replaceChildren(...tracks.map((track) => {
      const rate = fps(this.job ?? this.tracks);
      const items = track.items.map((item) => {
        const from = item.sourceSeconds === undefined ? "" : `, from ${item.sourceSeconds.toFixed(2)} s of the source`;
        const title = `${item.kind === "transition" ? `Transition: ${item.label}` : item.label} · ${timecode(item.start, rate)} · ${plural(item.count, "frame")}${from}`;
        const node = element("div", { class: `item ${item.kind === "clip" ? track.kind : item.kind}`, title }, item.kind === "transition" ? "" : item.label);
        style(node, "left", `${100 * item.start / whole}%`);
        style(node, "width", `${100 * item.count / whole}%`);
        return node;
      });
      return element("div", { class: "lane", role: "img", "aria-label": `Track ${track.name}, ${plural(track.items.length, "item")}` },
        element("span", { class: "name" }, track.name), element("div", { class: "track" }, ...items));
    }));
  }
}
