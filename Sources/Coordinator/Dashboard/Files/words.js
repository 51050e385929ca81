// Words and numbers for people: states, times in the viewer's zone, timecodes, sizes.
import { now } from "./api.js";

export const fps = (job) => rate(job.frameRate);

export function rate(value) {
  const [top, bottom = 1] = String(value).split("/").map(Number);
  return top / bottom;
}

/** The state that a person thinks of. */
export function stateOf(job) {
  if (job.isPaused) return "paused";
  if (job.state === "stitching") return "joining";
  return job.state;
}

const stateWords = { queued: "Queued", rendering: "Rendering", joining: "Joining", completed: "Done", failed: "Failed", cancelled: "Cancelled", paused: "Paused" };
export const stateWord = (job) => stateWords[stateOf(job)];
export const isFinal = (job) => ["completed", "failed", "cancelled"].includes(job.state);

const taskWords = { queued: "queued", leased: "rendering", completed: "completed", failed: "failed", cancelled: "cancelled" };
export const taskWord = (task) => task.isTaken ? "taken from an earlier job" : taskWords[task.state] ?? task.state;
const attemptWords = { live: "running", completed: "completed", failed: "failed", released: "handed back", superseded: "replaced", cancelled: "cancelled" };
export const attemptWord = (attempt) => attemptWords[attempt.state] ?? attempt.state;

const kinds = { sound: "Sound", stitch: "Joining", measure: "Measuring" };
export const isPart = (task) => task.kind === "picture" || task.kind === "stills";
export const label = (task) => kinds[task.kind] ?? `${task.kind === "stills" ? "Stills" : "Segment"} ${task.position + 1}`;

const borders = {
  edge: "the edge of the output", cut: "a cut", transition: "a transition", keyframe: "a keyframe of the source",
  length: "the longest length of a segment", middle: "the middle of a short output", forced: "a number of segments that was asked for",
};
export const border = (reason) => borders[reason] ?? String(reason);

export function percent(permille) { return `${Math.floor(permille / 10)} %`; }

export function span(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}

/** How long it still takes: estimates have no tenths. */
export const left = (seconds) => `${seconds < 60 ? `${Math.max(1, Math.round(seconds))} s` : span(seconds)} left`;
export const speed = (value) => `${value >= 9.95 ? Math.round(value) : value.toFixed(value < 0.095 ? 2 : 1)} ×`;

export function ago(instant) {
  const seconds = (now() - new Date(instant)) / 1000;
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${Math.floor(seconds)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86400);
  return days < 14 ? `${days} ${days === 1 ? "day" : "days"} ago` : new Date(instant).toLocaleDateString();
}

export const clock = (instant) => new Date(instant).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
export const time = (instant) => new Date(instant).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

export function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  for (; count >= 1000 && unit < 4; unit += 1) count /= 1000;
  return `${count.toFixed(unit && count < 100 ? 1 : 0)} ${units[unit]}`;
}

/** The labels of a second, and how many of them drop frame leaves out in most minutes: at 30000/1001 and 60000/1001 only. */
function labels(framesPerSecond) {
  const nominal = Math.max(1, Math.ceil(framesPerSecond - 1e-9));
  const isDrop = [30, 60].includes(nominal) && Math.abs(framesPerSecond - nominal / 1.001) < 1e-6;
  return { nominal, skipped: isDrop ? nominal / 15 : 0 };
}

/** Timecode: hours, minutes, seconds and frames; drop frame (SMPTE ST 12-1) where the command line has it too. */
export function timecode(frame, framesPerSecond) {
  const { nominal, skipped } = labels(framesPerSecond);
  const ten = 600 * nominal - 9 * skipped;
  const minutes = Math.floor(Math.max(frame % ten - skipped, 0) / (60 * nominal - skipped));
  const number = frame + skipped * (9 * Math.floor(frame / ten) + minutes);
  const pad = (value) => String(value).padStart(2, "0");
  const seconds = Math.floor(number / nominal);
  return `${pad(Math.floor(seconds / 3600))}:${pad(Math.floor(seconds / 60) % 60)}:${pad(seconds % 60)}${skipped ? ";" : ":"}${pad(number % nominal)}`;
}

/** The first frame whose timecode is not below so many seconds. */
export function frameAt(seconds, framesPerSecond) {
  const { nominal, skipped } = labels(framesPerSecond);
  const label = Math.ceil(seconds * nominal - 1e-9);
  const minute = Math.floor(label / (60 * nominal));
  // The labels that a minute leaves out are its first.
  const left = minute % 10 === 0 ? 0 : Math.max(0, skipped - label % (60 * nominal));
  return label - skipped * (minute - Math.floor(minute / 10)) + left;
}

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** The seconds from a job's submission to its end, with all that it waited and was paused. */
export const sinceSubmission = (job) => (new Date(job.finished) - new Date(job.created)) / 1000;

/**
 * The time in which at least one attempt of a job ran: what the job waited, or was paused, is no part of it. Attempts that
 * have ended are kept as the few stretches that they cover together, so that a look costs the same after 50,000 of them.
 */
export class WorkedTime {
  constructor() {
    Object.assign(this, { stretches: [], known: new Set() });
  }

  /** Takes the attempts of tasks that are new or have changed. */
  take(tasks) {
    for (const attempt of tasks.flatMap((task) => task.attempts)) {
      if (!attempt.ended || this.known.has(attempt.id)) continue;
      this.known.add(attempt.id);
      cover(this.stretches, Date.parse(attempt.started), Date.parse(attempt.ended));
    }
  }

  /** The seconds until now, with the attempts of `tasks` that run. */
  seconds(tasks) {
    const stretches = [...this.stretches];
    const live = tasks.filter((task) => task.state === "leased").flatMap((task) => task.attempts).filter((attempt) => !attempt.ended);
    for (const attempt of live) cover(stretches, Date.parse(attempt.started), now());
    return stretches.reduce((sum, [start, end]) => sum + end - start, 0) / 1000;
  }
}

/** Adds a stretch to others, which are in order and do not touch each other. New ones mostly belong to the end. */
function cover(stretches, start, end) {
  if (end < start) return;
  let first = stretches.length;
  while (first > 0 && stretches[first - 1][1] >= start) first -= 1;
  let last = first;
  while (last < stretches.length && stretches[last][0] <= end) last += 1;
  const met = stretches.slice(first, last);
  stretches.splice(first, last - first, [Math.min(start, ...met.map(([from]) => from)), Math.max(end, ...met.map(([, to]) => to))]);
}

/** “43 % · 0.9 × · 41 s left”, or the one reason why it waits, or how it ended, and how it misses its deadline. */
export function headline(job) {
  return job.deadlineWarning ? `${progress(job)} · ${job.deadlineWarning}` : progress(job);
}

function progress(job) {
  if (job.state === "completed") return job.finished ? `${span(sinceSubmission(job))} after it was submitted` : "Done";
  if (job.state === "failed") return job.failure?.message ?? "Failed";
  if (job.state === "cancelled") return `Cancelled at ${percent(job.permille)}`;
  if (job.waiting) return job.permille > 0 ? `${percent(job.permille)} · ${job.waiting.sentence}` : job.waiting.sentence;
  const parts = [percent(job.permille)];
  if (job.state === "stitching") parts.push("joining");
  if (job.speed) parts.push(speed(job.speed));
  if (job.secondsLeft !== undefined && job.secondsLeft !== null) parts.push(left(job.secondsLeft));
  return parts.join(" · ");
}

/** A title as text that nothing obeys: controls, and what changes the direction of what follows, are shown as signs. */
export const titleOf = (job) => job.title.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd").trim() || "Untitled";
