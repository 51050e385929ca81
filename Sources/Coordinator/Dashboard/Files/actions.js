// What the viewer may do with a job.
import { ask, get, maySubmit, mayChange, optional, post } from "./api.js";
import { $, confirm, copy, hide, say, text } from "./dom.js";
import { isFinal, stateOf, titleOf } from "./words.js";

export class Actions {
  /** `onJob(job)` takes what the coordinator answered, `onNew(job)` a job that was submitted; `current()` is the job that is shown. */
  constructor({ current, onJob, onNew }) {
    Object.assign(this, { current, onJob, onNew, asked: new Map(), orders: Promise.resolve() });
    for (const name of ["retry", "pause", "resume"]) $(name).addEventListener("click", () => this.control(name));
    $("cancel").addEventListener("click", () => this.cancel());
    $("copy-link").addEventListener("click", () => copy(`${location.origin}/#${this.current().id}`, "Link"));
    $("resubmit").addEventListener("click", () => this.resubmit());
    for (const button of $("priority").querySelectorAll("button")) {
      button.addEventListener("click", () => this.priority(this.current(), Number(button.dataset.step)));
    }
  }

  /** Shows the actions that the job's state and the viewer's rights allow. */
  show(job) {
    const may = mayChange(job);
    const state = stateOf(job);
    const open = !isFinal(job);
    hide($("retry"), !may || job.state !== "failed" || job.isPruned === true);
    hide($("pause"), !may || !open || state === "paused");
    hide($("resume"), !may || state !== "paused");
    hide($("cancel"), !may || !open);
    hide($("priority"), !may || !open);
    text($("priority").querySelector(".value"), job.priority > 0 ? `+${job.priority}` : String(job.priority).replace("-", "−"));
    $("priority").title = `Priority ${job.priority}, among the jobs of ${job.owner}`;
    hide($("output"), job.state !== "completed" || ["stills", "measure"].includes(job.fileExtension));
    $("output").setAttribute("href", `/v1/jobs/${job.id}/output`);
    hide($("resubmit"), open || !maySubmit());
  }

  async run(work, done) {
    try {
      const job = await work();
      if (job) this.onJob(job);
      if (done) say(done);
    } catch (error) {
      say(error.message, true);
    }
  }

  control(name) {
    const job = this.current();
    const words = { retry: "Rendering what failed again", pause: "Paused: nothing new begins", resume: "Resumed" };
    return this.run(() => post(`/v1/jobs/${job.id}/${name}`, {}), words[name]);
  }

  async cancel() {
    const job = this.current();
    if (!job || isFinal(job) || !mayChange(job)) return;
    const detail = job.tasks.completed > 0 ? `${job.tasks.completed} of its ${Object.values(job.tasks).reduce((a, b) => a + b, 0) - (job.tasks.taken ?? 0)} tasks are done. What is under way stops; a cancelled job cannot be resumed.` : "A cancelled job cannot be resumed.";
    if (await confirm(`Cancel “${titleOf(job)}”?`, detail, "Cancel the job")) await this.run(() => ask("POST", `/v1/jobs/${job.id}/cancel`), "Cancelled");
  }

  /** Presses that come faster than answers add up, and are sent one after the other. */
  priority(job, step) {
    const priority = (this.asked.get(job.id) ?? job.priority) + step;
    this.asked.set(job.id, priority);
    this.orders = this.orders.then(async () => {
      if (this.asked.get(job.id) !== priority) return;
      await this.run(() => post(`/v1/jobs/${job.id}/priority`, { priority }));
      if (this.asked.get(job.id) === priority) this.asked.delete(job.id);
    });
    return this.orders;
  }

  /** Submits the job's edit again. The coordinator keeps no text of it: a compiled edit is an edit, too. */
  async resubmit() {
    const job = this.current();
    await this.run(async () => {
      const composition = await optional(get(`/v1/jobs/${job.id}/composition`));
      if (!composition) throw new Error("The edit is no longer kept; submit its file again.");
      const assets = Object.fromEntries(composition.assets.map((asset) => [asset.name, asset.digest]));
      const output = Math.max(0, composition.outputs.findIndex((output) => output.preset === job.preset));
      this.onNew(await post("/v1/jobs", { idempotencyKey: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`, editText: JSON.stringify(composition), title: job.title, assets, output, priority: job.priority, copies: job.copying ? true : undefined }));
    }, "Submitted again: parts that are kept are taken");
  }
}
