// What the viewer may do with all jobs of a state at once, after a search and for an owner where these are chosen.
import { get, mayChange, maySubmit, post } from "./api.js";
import { $, confirm, hide, say, text } from "./dom.js";
import { plural } from "./words.js";

/** What may be done with jobs of each state: the request, the words of its button, and what a question says. */
const retry = { path: "retry", words: "Retry all", detail: "What is finished of them is kept." };
const pause = { path: "pause", words: "Pause all", detail: "What is under way is finished and kept; nothing new begins." };
const resume = { path: "resume", words: "Resume all", detail: "They go on where they were." };
const cancel = { path: "cancel", words: "Cancel all…", detail: "A cancelled job cannot be resumed.", isFinal: true };
const orders = { failed: [retry], rendering: [pause, cancel], queued: [pause, cancel], paused: [resume, cancel] };

/** Requests that are under way at a time, and jobs that a page of the list has. */
const requestCount = 4;
const pageSize = 100;

export class Batch {
  /** `list` is the list of jobs; `onDone()` is called when all were asked. */
  constructor({ list, onDone }) {
    Object.assign(this, { list, onDone, isBusy: false });
    for (const button of $("batch").querySelectorAll("button")) {
      button.addEventListener("click", () => this.carryOut(orders[this.list.filter.state]?.[Number(button.dataset.place)]));
    }
  }

  /** Shows the buttons of the state that is chosen. */
  show() {
    const { filter, summary } = this.list;
    const count = summary?.[filter.state] ?? 0;
    const choices = maySubmit() && count > 0 ? orders[filter.state] ?? [] : [];
    hide($("batch"), choices.length === 0);
    for (const button of $("batch").querySelectorAll("button")) {
      const order = choices[Number(button.dataset.place)];
      hide(button, !order);
      button.disabled = this.isBusy;
      button.classList.toggle("danger", order?.isFinal === true);
      if (order) text(button, order.words);
    }
    if (!this.isBusy) text($("batch-state"), plural(count, "job"));
  }

  /** All jobs that a list with this filter would show, of any page, which the viewer may change. */
  async jobs(filter) {
    const found = [];
    for (let last; ;) {
      const page = await get(this.list.query(filter.state, last, filter));
      found.push(...page.filter(mayChange));
      if (page.length < pageSize) return found;
      last = page.at(-1).id;
    }
  }

  async carryOut(order) {
    if (!order || this.isBusy) return;
    this.isBusy = true;
    this.show();
    try {
      text($("batch-state"), "Counting…");
      // What is searched for may change while pages come.
      const filter = { ...this.list.filter };
      const jobs = await this.jobs(filter);
      if (jobs.length === 0) return say("None of these jobs is yours to change.", true);
      const what = order.words.split(" ")[0];
      const which = [`${filter.state} jobs`, filter.search && `with “${filter.search}”`, filter.owner && `of ${filter.owner}`].filter(Boolean).join(" ");
      if (!await confirm(`${what} ${plural(jobs.length, "job")}?`, `All ${which} that you may change. ${order.detail}`, `${what} ${plural(jobs.length, "job")}`)) return;
      await this.ask(jobs, order);
    } catch (error) {
      say(error.message, true);
    } finally {
      this.isBusy = false;
      this.show();
      this.onDone();
    }
  }

  /** Sends the requests, the oldest job's first. One that is refused stops no other; a lost connection stops the rest. */
  async ask(jobs, order) {
    const waiting = [...jobs];
    const refusals = [];
    let done = 0;
    const work = async () => {
      while (waiting.length > 0) {
        const job = waiting.pop();
        try {
          await post(`/v1/jobs/${job.id}/${order.path}`, {});
          done += 1;
        } catch (error) {
          if ([0, 401, 502, 503, 504].includes(error.status)) {
            waiting.length = 0;
            throw error;
          }
          refusals.push(error.message);
        }
        text($("batch-state"), `${done + refusals.length} of ${jobs.length.toLocaleString()}`);
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: requestCount }, work));
    const lost = ends.find((end) => end.status === "rejected")?.reason;
    const count = `${done.toLocaleString()} of ${plural(jobs.length, "job")}`;
    if (lost) say(`${count} done, then: ${lost.message}`, true);
    else if (refusals.length > 0) say(`${count} done. ${plural(refusals.length, "refusal")}: ${refusals[0]}`, true);
    else say(`Done with ${plural(done, "job")}`);
  }
}
