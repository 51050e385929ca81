// Notifications of the browser when a job failed, or is done if that is wanted. The browser is asked when a person presses
// the button for it, and never by itself. Browsers offer them only to pages over HTTPS or of this machine.
import { get, maySubmit, session } from "./api.js";
import { $, attribute, hide, text } from "./dom.js";
import { headline, isFinal, plural, titleOf } from "./words.js";

const place = "cutfarm.notifications";
// Events that come together are told together.
const pause = 500;
const most = 3;

export class Notices {
  /** `onOpen(id)` is called when a notification of a job is pressed. */
  constructor({ onOpen }) {
    Object.assign(this, { onOpen, ended: new Map() });
    $("notify").addEventListener("click", () => { this.draw(); $("notify-dialog").showModal(); });
    $("notify-ask").addEventListener("click", () => this.ask());
    for (const name of ["failed", "completed", "others"]) $(`notify-${name}`).addEventListener("change", () => this.keep());
  }

  get isOffered() { return isSecureContext && "Notification" in window; }
  get isOn() { return this.isOffered && Notification.permission === "granted" && (this.wanted.failed || this.wanted.completed); }

  /** Whoever may only look has no jobs of their own. */
  read() {
    let kept = {};
    try { kept = JSON.parse(localStorage.getItem(place)) ?? {}; } catch { /* Nothing is kept, or it is not understood. */ }
    this.wanted = { failed: kept.failed ?? true, completed: kept.completed ?? false, others: kept.others ?? !maySubmit() };
    this.draw();
  }

  keep() {
    for (const name of Object.keys(this.wanted)) this.wanted[name] = $(`notify-${name}`).checked;
    try { localStorage.setItem(place, JSON.stringify(this.wanted)); } catch { /* They hold for as long as the page is open. */ }
    this.draw();
  }

  async ask() {
    await Notification.requestPermission();
    this.draw();
  }

  draw() {
    const permission = this.isOffered ? Notification.permission : "none";
    const sentences = {
      none: isSecureContext ? "This browser shows no notifications." : `This page came over plain HTTP. Browsers offer notifications, and the clipboard, only to pages over HTTPS or of this machine (localhost): open https://${location.host}, or start the coordinator with --tls-certificate and --tls-key.`,
      default: "The browser asks once whether this page may show them.",
      denied: "This browser does not show notifications of this page: allow them in its settings for this site.",
      granted: "They come while a tab of the dashboard is open.",
    };
    text($("notify-state"), sentences[permission]);
    hide($("notify-ask"), permission !== "default");
    for (const name of Object.keys(this.wanted)) {
      $(`notify-${name}`).checked = this.wanted[name];
      $(`notify-${name}`).disabled = permission === "none" || permission === "denied";
    }
    const words = this.isOn ? "Notifications: on" : "Notifications: off";
    attribute($("notify"), "aria-label", words);
    attribute($("notify"), "title", words);
    $("notify").classList.toggle("on", this.isOn);
  }

  /** Takes an event of the farm: of a job that ended in a wanted way it will be told. */
  note(event) {
    if (event.task !== undefined && event.task !== null) return;
    // A movie that was put where it goes is that of a job which ended before.
    if (event.state === "delivered") return;
    if (!["failed", "completed"].includes(event.state)) return void this.ended.delete(event.job);
    if (!this.isOn || !this.wanted[event.state]) return;
    this.ended.set(event.job, event.state);
    this.telling ??= setTimeout(() => this.tell(), pause);
  }

  async tell() {
    this.telling = null;
    const asked = [...this.ended.keys()].slice(-50);
    this.ended.clear();
    const jobs = await Promise.all(asked.map((id) => get(`/v1/jobs/${id}`).catch(() => null)));
    const told = jobs.filter((job) => job && isFinal(job) && this.wanted[job.state] && (this.wanted.others || job.owner === session.owner));
    if (told.length <= most) {
      for (const job of told) this.show(`${job.state === "failed" ? "Failed" : "Done"}: ${titleOf(job)}`, headline(job), job.id);
      return;
    }
    const failed = told.filter((job) => job.state === "failed");
    this.show(`${plural(told.length, "job")} ended`, `${failed.length} failed, ${told.length - failed.length} done`, (failed[0] ?? told[0]).id);
  }

  /** The newest notification of a job takes the place of the one before. */
  show(title, body, job) {
    try {
      const notice = new Notification(title, { body, tag: job, renotify: true });
      notice.onclick = () => { window.focus(); this.onOpen(job); notice.close(); };
    } catch { /* Browsers of phones show only those of service workers, which this page has none of. */ }
  }
}
