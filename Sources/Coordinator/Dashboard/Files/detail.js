// The pane of one job. It is filled in place; tasks are fetched once, and then only those that changed.
import { get, optional } from "./api.js";
import { $, attribute, className, element, hide, keyed, style, text } from "./dom.js";
import { Inspector, showAttempts } from "./inspector.js";
import { drawThroughput } from "./plot.js";
import { Timeline } from "./timeline.js";
import { ago, bytes, clock, fps, headline, isFinal, percent, plural, span, speed, stateOf, stateWord, timecode, titleOf, WorkedTime } from "./words.js";

export class Detail {
  constructor({ actions, player }) {
    Object.assign(this, { actions, player, id: null, job: null, tasks: [], worked: new WorkedTime(), dirty: new Set(), tracks: null, hasNoLogs: false });
    this.timeline = new Timeline((position) => this.inspect(position));
    this.inspector = new Inspector(this);
    new ResizeObserver(() => this.drawPlot()).observe($("plot"));
  }

  /** Shows another job, of which `known` may be what the list knows. */
  async open(id, known, position = null) {
    if (this.id === id) {
      if (position !== null) this.choose(position);
      return;
    }
    Object.assign(this, { id, job: null, tasks: [], worked: new WorkedTime(), places: new Map(), tracks: null, history: null, wanted: position });
    this.dirty.clear();
    this.timeline.setTracks(null);
    this.inspector.clear();
    this.player.close();
    hide($("job"), !known);
    hide($("nothing"), Boolean(id));
    if (!id) return hide($("job"), true);
    $("detail-pane").scrollTop = 0;
    if (known) this.take(known);
    await this.load(id);
  }

  /** Fetches all of the job. */
  async load(id = this.id) {
    const [job, tasks] = await Promise.all([get(`/v1/jobs/${id}`), get(`/v1/jobs/${id}/tasks`)]);
    if (this.id !== id) return;
    this.tasks = tasks;
    this.worked = new WorkedTime();
    this.worked.take(tasks);
    this.places = new Map(tasks.map((task, index) => [task.id, index]));
    this.take(job);
    hide($("job"), false);
    this.player.open(job, tasks);
    const [tracks] = await Promise.all([this.tracks ?? optional(get(`/v1/jobs/${id}/tracks`)), this.loadHistory(id)]);
    if (this.id !== id) return;
    this.tracks = tracks;
    this.timeline.setTracks(tracks);
    if (this.wanted !== null) this.choose(this.wanted);
    this.wanted = null;
    this.draw();
  }

  async loadHistory(id = this.id) {
    const history = await optional(get(`/v1/jobs/${id}/history`));
    if (this.id !== id || !history) return;
    this.history = history.samples;
    if (this.job && this.tasks.length > 0) this.draw();
    this.drawPlot();
  }

  /** Takes a newer view of the job. */
  take(job) {
    if (job.id !== this.id) return;
    const hasEnded = this.job && !isFinal(this.job) && isFinal(job);
    const wasRetried = this.job && isFinal(this.job) && !isFinal(job);
    this.job = job;
    this.draw();
    if (hasEnded || wasRetried) this.load().catch(() => {});
  }

  /** An event told that a task changed. */
  note(task) {
    const place = this.places?.get(task);
    if (place !== undefined) this.dirty.add(place);
  }

  /** Fetches the tasks that changed or are under way, at most 500. */
  async refreshTasks() {
    const id = this.id;
    if (!id || this.tasks.length === 0) return;
    const live = this.tasks.map((task, index) => task.state === "leased" ? index : -1).filter((index) => index >= 0);
    const places = [...new Set([...this.dirty, ...live])].slice(0, 500);
    if (places.length === 0) return;
    const hasNews = this.dirty.size > 0;
    for (const place of places) this.dirty.delete(place);
    const positions = places.map((place) => this.tasks[place].position);
    const tasks = await get(`/v1/jobs/${id}/tasks?positions=${positions.join(",")}`);
    if (this.id !== id) return;
    let done = false;
    for (const task of tasks) {
      const place = this.places.get(task.id);
      if (place === undefined) continue;
      done ||= task.state === "completed" && this.tasks[place].state !== "completed";
      this.tasks[place] = task;
    }
    this.worked.take(tasks);
    this.draw();
    if (done) {
      this.player.partsChanged(this.tasks);
      if (hasNews) this.loadHistory(id).catch(() => {});
    }
  }

  choose(position) {
    this.timeline.choose(this.tasks.find((task) => task.position === position));
  }

  inspect(position) {
    this.inspector.show(this.job, this.tasks.find((task) => task.position === position), this.tracks);
    history.replaceState(history.state, "", `${location.pathname}${location.search}#${this.id}/${position + 1}`);
    const task = this.tasks.find((candidate) => candidate.position === position);
    if (task?.frames && task.kind === "picture") this.player.look(task.frames.start);
  }

  draw() {
    const job = this.job;
    if (!job) return;
    const state = stateOf(job);
    text($("job-title"), titleOf(job));
    text($("job-sub"), `${job.owner} · ${job.finished ? `${stateWord(job).toLowerCase()} ${ago(job.finished)}` : `submitted ${ago(job.created)}`}`);
    text($("job-id"), ` · ${job.id}`);
    attribute($("job-sub"), "title", `Submitted ${clock(job.created)}${job.finished ? `, ended ${clock(job.finished)}` : ""}`);
    className($("status"), `status ${state}`);
    className($("job-state"), `state ${state}`);
    text($("job-state"), stateWord(job));
    text($("job-now"), headline(job));
    style($("job-bar").firstChild, "transform", `scaleX(${job.permille / 1000})`);
    attribute($("job-bar"), "aria-valuenow", Math.floor(job.permille / 10));
    attribute($("job-bar"), "aria-valuetext", headline(job));
    hide($("job-bar"), job.state === "completed");
    const why = this.why(job);
    hide($("job-why"), !why);
    text($("job-why-text"), why);
    this.actions.show(job);
    this.drawFacts(job);
    if (this.tasks.length === 0) return;
    this.timeline.setTasks(job, this.tasks);
    showAttempts(this.tasks, (position) => {
      this.choose(position);
      $("inspector").scrollIntoView({ block: "nearest", behavior: "smooth" });
    });
    if (this.timeline.chosen !== null) this.inspector.show(job, this.tasks.find((task) => task.position === this.timeline.chosen), this.tracks);
    const isPlain = !this.tasks.some((task) => task.kind === "picture" || task.kind === "stills");
    hide($("plot"), isPlain || (isFinal(job) && (this.history?.length ?? 0) < 2));
    text($("plot-name"), $("plot").hidden ? "Facts" : "Throughput");
    text($("plot-now"), job.speed ? `now ${speed(job.speed)}` : "");
  }

  why(job) {
    if (job.state === "failed") {
      const failed = this.tasks.filter((task) => task.state === "failed");
      return [job.failure?.code ? `Code: ${job.failure.code}` : "", failed.length ? `Failed: ${failed.slice(0, 12).map((task) => `segment ${task.position + 1}`).join(", ")}. What is finished is kept; Retry renders the rest.` : ""].filter(Boolean).join("\n");
    }
    if (job.delivery?.problem) return job.delivery.problem;
    return job.waiting?.detail ?? "";
  }

  drawFacts(job) {
    const rate = fps(job);
    const total = job.tasks.queued + job.tasks.leased + job.tasks.completed + job.tasks.failed + job.tasks.cancelled;
    const isStills = this.tasks.some((task) => task.kind === "stills");
    const work = this.worked.seconds(this.tasks);
    const facts = [
      ["Duration", isStills ? plural(job.frameCount, "still") : `${timecode(job.frameCount, rate)}`, plural(job.frameCount, "frame")],
      ["Rate", isStills ? "" : `${Number(rate.toFixed(3))} fps`], ["Preset", job.preset],
      ["Tasks", `${job.tasks.completed} of ${total} completed`], ["Taken over", job.tasks.taken ? `${job.tasks.taken} from earlier jobs` : ""],
      ["Requires", (job.requirements ?? []).join(", ")],
      ["Audit", job.audit ? `${job.audit.audited} of ${job.audit.chosen} parts` : "", job.audit ? audit(job.audit) : ""],
      ["Copied", job.copying ? `${percent(1000 * job.copying.copiedCount / Math.max(1, job.frameCount))} of the frames` : "", job.copying ? copying(job) : ""],
      ["Size", job.byteCount ? bytes(job.byteCount) : ""],
      ["Worked on", work > 0 ? span(work) : "", "The time in which a worker or the joining was at it, without waiting and pauses"],
      ["Priority", job.priority ? String(job.priority) : ""],
      ["Deadline", job.deadline ? clock(job.deadline) : "", job.deadlineWarning ?? ""],
      ["Lies at", job.delivery?.delivered ? job.delivery.to : "", job.delivery?.delivered ? `Since ${clock(job.delivery.delivered)}` : ""],
      ["Goes to", job.delivery && !job.delivery.delivered ? job.delivery.to : "", job.delivery?.problem ?? ""],
      ["Window", job.window ? `${job.window.after} to ${job.window.until}` : "", job.window ? `${job.window.days ?? "every day"}, ${job.window.timeZone}` : ""],
    ].filter(([, value]) => value);
    keyed($("facts"), facts, ([name]) => name, ([name]) => element("div", {}, element("dt", {}, name), element("dd")), (node, [, value, title]) => {
      text(node.lastChild, value);
      attribute(node, "title", title || null);
    });
  }

  drawPlot() {
    const samples = this.history ?? [];
    const place = $("plot");
    if (samples.length > 1 && this.job) drawThroughput(place, samples, fps(this.job));
    else if (!place.querySelector("p")) place.replaceChildren(element("p", { class: "soft" }, "Nothing was rendered yet."));
  }
}

function audit({ share, differed }) {
  const words = `${share} of the parts are rendered by two machines before the movie is joined.`;
  return differed > 0 ? `${words} ${plural(differed, "time")} they differed; a third machine decides which is faulty.` : words;
}

function copying(job) {
  const { encoded = [], lost = [], sound } = job.copying;
  const shares = (list, unit) => list.map(({ frameCount, reason }) => `${frameCount} ${unit}: ${reason}`);
  const lines = [`${job.copying.copiedCount} of ${job.frameCount} frames are copied from their sources.`, ...shares(encoded, "encoded"), ...shares(lost, "without messages of their source")];
  if (sound) lines.push(`Of the sound ${span(sound.copiedCount / sound.sampleRate)} of ${span(sound.sampleCount / sound.sampleRate)} are copied.`, ...(sound.encoded ?? []).map((part) => `${span(part.sampleCount / sound.sampleRate)} encoded: ${part.reason}`));
  return lines.join("\n");
}
