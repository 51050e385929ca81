"use strict";
// Everything shown comes from /v1 and reaches the page as text, never as markup.
const $ = (id) => document.getElementById(id);
const page = { csrf: "", scopes: [], owner: "", chosen: null, limit: 25, jobs: [], stream: null, timer: null, wanted: null };

async function ask(method, path, body) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRF-Token"] = page.csrf;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, { method, headers, credentials: "same-origin", body: body === undefined ? undefined : JSON.stringify(body) });
  const value = answer.status === 204 ? null : await answer.json().catch(() => null);
  if (answer.ok) return value;
  throw Object.assign(new Error(value?.detail ?? `The coordinator answered with status ${answer.status}.`), { status: answer.status });
}

function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}
const cell = (content, kind = "", ...more) => element("td", { class: kind }, content, ...more);
const state = (name, text = name) => element("span", { class: `state ${name}` }, text);

// Words and numbers

const names = { leased: "rendering", live: "running" };
const isFinal = (job) => ["completed", "failed", "cancelled"].includes(job.state);
const seconds = (value) => value < 60 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
const clock = (instant) => new Date(instant).toLocaleString([], { dateStyle: "short", timeStyle: "medium" });
function rate(text) {
  const [top, bottom = 1] = String(text).split("/").map(Number);
  return top / bottom;
}
function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  for (; count >= 1000 && unit < 4; unit += 1) count /= 1000;
  return `${count.toFixed(unit && count < 100 ? 1 : 0)} ${units[unit]}`;
}
function timecode(frame, fps) {
  const whole = Math.floor(frame / fps);
  const pad = (number) => String(number).padStart(2, "0");
  return `${pad(Math.floor(whole / 3600))}:${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
}

// Jobs

function progress(permille, kind) {
  const bar = element("progress", { max: "1000", value: String(permille), class: kind });
  return element("span", { class: "progress" }, bar, " ", element("span", { class: "percent" }, `${Math.floor(permille / 10)} %`));
}

function showJobs() {
  $("jobs").replaceChildren(...page.jobs.map((job) => {
    const title = element("button", { type: "button", class: "link" }, job.title);
    return element("tr", { class: job.id === page.chosen ? "chosen" : "", onclick: () => choose(job.id) },
      cell(title, "", element("small", { class: "narrow" }, clock(job.created))), cell(state(job.state)), cell(progress(job.permille, job.state)), cell(String(job.frameCount), "wide"),
      cell(job.owner, "wide"), cell(clock(job.created), "wide"));
  }));
  $("no-jobs").hidden = page.jobs.length > 0;
  $("older").hidden = page.jobs.length < page.limit;
}

function choose(id) {
  page.chosen = id;
  history.replaceState(null, "", `#${id}`);
  refresh();
}

// One job

const labels = { sound: "Sound", stitch: "Joining", measure: "Measuring sound" };
const isPart = (task) => task.kind === "picture" || task.kind === "stills";
const label = (task) => labels[task.kind] ?? `${task.kind === "stills" ? "Stills, part" : "Segment"} ${task.position + 1}`;

function tooltip(task, job) {
  const lines = [`${label(task)}: ${names[task.state] ?? task.state}`];
  if (task.frames) {
    const { start, count } = task.frames;
    const fps = rate(job.frameRate);
    lines.push(`frames ${start} to ${start + count - 1}, from ${timecode(start, fps)}`);
    if (task.copiedCount) lines.push(`${task.copiedCount} of ${count} frames are copied, not encoded`);
    if (task.startBorder) lines.push(`begins at ${task.startBorder}, ends at ${task.endBorder}`);
  }
  const last = task.attempts.at(-1);
  if (last) lines.push(`attempt ${task.attempts.length} by ${last.workerName}`);
  if (task.statistics) lines.push(`${seconds(task.statistics.wallMilliseconds / 1000)}, ${bytes(task.statistics.peakMemoryBytes)} memory`);
  const failure = task.failure ?? last?.failure;
  if (failure) lines.push(failure.message);
  return lines.join("\n");
}

function block(task, job) {
  const text = tooltip(task, job);
  const node = element("div", { class: `task ${task.state}`, role: "listitem", title: text, "aria-label": text, tabindex: "0" });
  node.style.flexGrow = String(task.frames?.count ?? 1);
  if (task.state === "leased") {
    const done = element("span", { class: "done" });
    done.style.width = `${task.permille / 10}%`;
    node.append(done);
  }
  if (task.copiedCount && task.frames) {
    const copied = element("span", { class: "copied" });
    copied.style.width = `${100 * task.copiedCount / task.frames.count}%`;
    node.append(copied);
  }
  node.append(element("span", { class: "name" }, isPart(task) ? String(task.position + 1) : label(task)));
  return node;
}

function copying(job) {
  const { copiedCount, encoded, lost = [] } = job.copying;
  const share = job.frameCount > 0 ? Math.floor(100 * copiedCount / job.frameCount) : 0;
  const rest = encoded.map(({ frameCount, reason }) => `${frameCount} (${reason})`).join(", ");
  const missing = lost.map(({ frameCount, reason }) => `${frameCount} (${reason})`).join(", ");
  return `${copiedCount} of ${job.frameCount} frames (${share} %) are copied from their sources.${rest ? ` Encoded: ${rest}.` : ""}${missing ? ` Without messages of their source: ${missing}.` : ""}${job.copying.sound ? ` ${copiedSound(job.copying.sound)}` : ""}`;
}

function copiedSound({ copiedCount, sampleCount, sampleRate, encoded }) {
  const seconds = (count) => (count / sampleRate).toFixed(1);
  const share = sampleCount > 0 ? Math.floor(100 * copiedCount / sampleCount) : 0;
  const rest = encoded.map((part) => `${seconds(part.sampleCount)} s (${part.reason})`).join(", ");
  return `Of the sound ${seconds(copiedCount)} of ${seconds(sampleCount)} s (${share} %) are copied.${rest ? ` Encoded: ${rest}.` : ""}`;
}

function attemptRows(tasks) {
  const rows = tasks.flatMap((task) => task.attempts.map((attempt) => ({ task, attempt })));
  rows.sort((a, b) => b.attempt.started.localeCompare(a.attempt.started));
  return rows.slice(0, 60).map(({ task, attempt }) => {
    const took = (new Date(attempt.ended ?? Date.now()) - new Date(attempt.started)) / 1000;
    const shown = state(attempt.state === "live" ? "live-attempt" : attempt.state, names[attempt.state] ?? attempt.state);
    if (attempt.failure) shown.title = attempt.failure.message;
    return element("tr", {}, cell(label(task), "whole"), cell(shown), cell(attempt.workerName), cell(clock(attempt.started), "wide"),
      cell(seconds(Math.max(0, took)), "whole"));
  });
}

async function showJob() {
  const job = page.jobs.find((candidate) => candidate.id === page.chosen)
    ?? (page.chosen ? await ask("GET", `/v1/jobs/${page.chosen}`).catch(() => null) : null);
  $("job").hidden = !job;
  if (!job) return;
  const tasks = await ask("GET", `/v1/jobs/${job.id}/tasks`);
  if (page.chosen !== job.id) return;
  const fps = rate(job.frameRate);
  $("job-title").textContent = job.title;
  $("job-state").textContent = job.state;
  $("job-state").className = `state ${job.state}`;
  $("job-facts").textContent = [
    tasks.some((task) => task.kind === "stills") ? `${job.frameCount} stills`
      : `${seconds(job.frameCount / fps)} at ${String(job.frameRate).replace(/\/1$/, "")} fps`, job.preset,
    `${job.tasks.completed} of ${tasks.length} tasks done`,
    job.byteCount ? bytes(job.byteCount) : null,
    job.finished ? `finished ${clock(job.finished)} after ${seconds((new Date(job.finished) - new Date(job.created)) / 1000)}` : null, job.id,
  ].filter(Boolean).join(" · ");
  $("job-failure").hidden = !job.failure;
  $("job-failure").textContent = job.failure?.message ?? "";
  $("job-waits").hidden = !job.onHold && !job.awaitedVersions;
  $("job-waits").textContent = job.onHold ? `Waits: ${job.onHold}` : job.awaitedVersions
    ? `Waits: no worker or coordinator that is here and takes work has ${job.awaitedVersions}. Start one, or cancel the job and submit it again.` : "";
  $("job-copying").hidden = $("copied-legend").hidden = !job.copying;
  $("job-copying").textContent = job.copying ? copying(job) : "";
  $("output").hidden = job.state !== "completed" || ["stills", "measure"].includes(job.fileExtension);
  $("output").href = `/v1/jobs/${job.id}/output`;
  const mayCancel = page.scopes.includes("admin") || (page.scopes.includes("submit") && job.owner === page.owner);
  $("cancel").hidden = isFinal(job) || !mayCancel;
  $("timeline").replaceChildren(...tasks.filter(isPart).map((task) => block(task, job)));
  $("rest").replaceChildren(...tasks.filter((task) => !isPart(task)).map((task) => block(task, job)));
  const rows = attemptRows(tasks);
  $("attempts").replaceChildren(...rows);
  $("no-attempts").hidden = rows.length > 0;
}

// Workers

// A worker speaks every second or two; what it held goes to another one 6 s after its last word.
const leaseSeconds = 6;

function showWorkers(workers) {
  $("workers").replaceChildren(...workers.map((worker) => {
    const isLost = worker.secondsSinceSeen > leaseSeconds;
    return element("tr", {},
      cell(worker.isDraining ? `${worker.name} (draining)` : worker.name), cell(`${worker.running} of ${worker.slots}`, "whole"),
      cell(String(worker.completed)), cell(String(worker.failed), "wide"),
      cell(`${isLost ? "lost, " : ""}${seconds(worker.secondsSinceSeen)} ago`, isLost ? "whole late" : "whole"));
  }));
  $("no-workers").hidden = workers.length > 0;
}

// Keeping up

async function refresh() {
  clearTimeout(page.wanted);
  page.wanted = null;
  try {
    const [jobs, workers] = await Promise.all([ask("GET", `/v1/jobs?limit=${page.limit}`), ask("GET", "/v1/workers")]);
    page.jobs = jobs;
    page.chosen ??= jobs[0]?.id ?? null;
    showJobs();
    showWorkers(workers);
    await showJob();
    $("problem").hidden = true;
  } catch (error) {
    if (error.status === 401) return signedOut();
    $("problem").textContent = error.message;
    $("problem").hidden = false;
  }
}

/// Many events may come at once: they are answered together, a quarter of a second later.
function refreshSoon() { page.wanted ??= setTimeout(refresh, 250); }

function follow() {
  page.stream = new EventSource("/v1/events");
  page.stream.onopen = () => { $("live").className = "live on"; $("live").textContent = "live"; refreshSoon(); };
  page.stream.onerror = () => { $("live").className = "live"; $("live").textContent = "reconnecting"; };
  page.stream.onmessage = refreshSoon;
  // Progress inside a task is no event.
  page.timer = setInterval(() => { if (!document.hidden) refreshSoon(); }, 2000);
}

// Signing in and out

function signedIn(session) {
  Object.assign(page, { csrf: session.csrf, scopes: session.scopes, owner: session.owner });
  $("owner").textContent = session.owner;
  for (const id of ["farm", "account", "live"]) $(id).hidden = false;
  $("sign-in").hidden = true;
  if (/^#job_[0-9a-f-]+$/.test(location.hash)) page.chosen = location.hash.slice(1);
  refresh();
  follow();
}

function signedOut() {
  page.stream?.close();
  clearInterval(page.timer);
  for (const id of ["farm", "account", "live"]) $(id).hidden = true;
  $("sign-in").hidden = false;
  $("token").focus();
}

$("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = $("token").value.trim();
  $("token").value = "";
  $("sign-in-error").textContent = "";
  try {
    signedIn(await ask("POST", "/v1/session", { token }));
  } catch (error) {
    $("sign-in-error").textContent = error.status === 401 ? "This token is not known here." : error.message;
  }
});
$("sign-out").addEventListener("click", async () => {
  await ask("DELETE", "/v1/session").catch(() => null);
  signedOut();
});
$("older").addEventListener("click", () => { page.limit = Math.min(500, page.limit + 50); refresh(); });
$("cancel").addEventListener("click", async () => {
  $("cancel").disabled = true;
  try {
    await ask("POST", `/v1/jobs/${page.chosen}/cancel`);
    await refresh();
  } catch (error) {
    $("problem").textContent = error.message;
    $("problem").hidden = false;
  }
  $("cancel").disabled = false;
});
ask("GET", "/v1/session").then(signedIn, signedOut);
