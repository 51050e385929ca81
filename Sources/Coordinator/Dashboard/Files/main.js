// Signs in, follows the farm's events, and brings its views up to date: what changed at once, progress every two seconds
// while something renders and somebody looks. An idle page asks for nothing.
import { Actions } from "./actions.js";
import { EventFeed, ask, connection, get, mayView, optional, session } from "./api.js";
import { Batch } from "./batch.js";
import { Detail } from "./detail.js";
import { $, attribute, copy, element, hide, say, text } from "./dom.js";
import { DropZone } from "./drop.js";
import { listen } from "./keys.js";
import { JobList } from "./list.js";
import { Notices } from "./notify.js";
import { Player } from "./player.js";
import { countWorkers, showWorkers } from "./workers.js";
import { ago, isFinal } from "./words.js";

const page = { view: "jobs", feed: null, changed: new Set(), structure: false, hasGap: false, isBusy: false };

page.player = new Player();
page.list = new JobList({ onOpen: (id, options) => openJob(id, options), onPriority: (job, step) => page.actions.priority(job, step), onDraw: () => page.batch?.show() });
page.batch = new Batch({ list: page.list, onDone: () => { page.structure = true; wake(); } });
const submitted = (job) => { took(job); openJob(job.id); };
page.actions = new Actions({ current: () => page.detail.job, onJob: (job) => took(job), onNew: submitted });
page.detail = new Detail({ actions: page.actions, player: page.player });
page.drop = new DropZone({ onJob: submitted });
page.notices = new Notices({ onOpen: (id) => openJob(id) });
page.showJobs = () => { if (page.view !== "jobs" || document.body.classList.contains("has-detail")) page.back(); };
page.press = (name) => { const isThere = !$("job").hidden && !$(name).hidden; if (isThere) $(name).click(); return isThere; };
page.openChosen = () => { if (page.list.chosen) openJob(page.list.chosen); };
page.back = () => {
  document.body.classList.remove("has-detail");
  if (page.view !== "jobs") { setHash(page.list.chosen ? `#${page.list.chosen}` : ""); showView("jobs"); }
  page.list.rows.get(page.list.chosen)?.link.focus({ preventScroll: true });
};

// The address: filters before the hash, the job and its segment behind it.

function readFilter() {
  const query = new URLSearchParams(location.search);
  const states = ["rendering", "failed", "queued", "paused", "completed", "cancelled"];
  const filter = { state: states.includes(query.get("state")) ? query.get("state") : "", search: query.get("search") ?? "", owner: query.get("owner") ?? "", sort: query.get("sort") === "newest" ? "newest" : "" };
  $("search").value = filter.search;
  $("sort").value = filter.sort;
  return filter;
}

function writeFilter() {
  const query = new URLSearchParams(Object.entries(page.list.filter).filter(([, value]) => value));
  history.replaceState(history.state, "", `${location.pathname}${query.size ? `?${query}` : ""}${location.hash}`);
}

const setHash = (hash) => history.pushState(null, "", `${location.pathname}${location.search}${hash}`);

function readHash() {
  if (location.hash === "#workers") return showView("workers");
  const found = /^#(job_[0-9a-f-]+)(?:\/(\d+))?$/.exec(location.hash);
  showView("jobs");
  if (!found) {
    document.body.classList.remove("has-detail");
    return;
  }
  openJob(found[1], { isFromAddress: true, position: found[2] ? Number(found[2]) - 1 : null });
}

function showView(view) {
  page.view = view;
  hide($("workers-pane"), view !== "workers");
  hide($("detail-pane"), view === "workers");
  document.body.classList.toggle("in-workers", view === "workers");
  attribute($("view-jobs"), "aria-current", view === "jobs" ? "page" : null);
  attribute($("view-workers"), "aria-current", view === "workers" ? "page" : null);
  if (view === "workers") refreshWorkers().catch(() => {});
}

function openJob(id, { isFromAddress = false, isQuiet = false, position = null } = {}) {
  page.list.chosen = id;
  page.list.drawSoon();
  if (!isFromAddress) {
    if (isQuiet) history.replaceState(null, "", `${location.pathname}${location.search}#${id}`);
    else setHash(`#${id}`);
    showView("jobs");
  }
  if (!isQuiet || !matchMedia("(max-width: 48rem)").matches) document.body.classList.toggle("has-detail", true);
  if (!isQuiet && !isFromAddress && matchMedia("(max-width: 48rem)").matches) $("detail-pane").focus();
  // Whoever goes through the list with a key held down fetches only what they stop at.
  clearTimeout(page.opening);
  const open = () => page.detail.open(id, page.list.jobs.get(id), position).catch((error) => {
    if (error.status !== 404) return;
    page.detail.open(null);
    say("This job is not known here.", true);
  });
  if (isQuiet) page.opening = setTimeout(open, 120);
  else open();
}

function took(job) {
  page.list.take(job);
  page.detail.take(job);
  page.structure = true;
  wake();
}

// Keeping up

/** Many events may come at once: they are answered together, a quarter of a second later. */
function wake(delay = 250) { page.waking ??= setTimeout(() => { page.waking = null; catchUp(); }, delay); }

function onEvent(event) {
  if (event.task === undefined || event.task === null) page.structure = true;
  else if (event.job === page.detail.id) page.detail.note(event.task);
  page.changed.add(event.job);
  page.notices.note(event);
  wake();
}

async function catchUp({ isTick = false } = {}) {
  if (page.isBusy || document.hidden || $("farm").hidden) return;
  page.isBusy = true;
  let hasFailed = false;
  try {
    const { structure, hasGap, changed } = page;
    page.structure = page.hasGap = false;
    page.changed = new Set();
    const few = changed.size <= 12;
    if (hasGap || !page.list.isLoaded || (structure && !few)) {
      await page.list.refresh();
      fillOwners();
    } else if (structure) {
      for (const job of await page.list.update([...changed].filter((id) => id !== page.detail.id))) if (!job.finished) fillOwners();
    } else if (changed.size > 0 || isTick) await refreshProgress(changed);
    const id = page.detail.id;
    if (id && page.view === "jobs" && (changed.has(id) || (isTick && page.detail.job && !isFinal(page.detail.job)))) {
      const [job] = await Promise.all([get(`/v1/jobs/${id}`), page.detail.refreshTasks()]);
      page.list.take(job);
      page.detail.take(job);
    }
    if (page.view === "workers" || structure || (isTick && page.ticks % 5 === 0)) await refreshWorkers();
  } catch (error) {
    if (error.status === 401) return signedOut();
    if (error.status !== 0 && !connection.isLost) say(error.message, true);
    hasFailed = page.hasGap = true;
  } finally {
    page.isBusy = false;
  }
  if (page.structure || page.hasGap || page.changed.size > 0) wake(hasFailed ? 4000 : 600);
}

/** Fetches the unfinished jobs of which rows are in sight: few by themselves, many together. */
async function refreshProgress(changed) {
  const visible = page.list.visibleUnfinished.filter((job) => job.id !== page.detail.id || page.view !== "jobs");
  const wanted = visible.filter((job) => changed.has(job.id) || job.tasks.leased > 0 || job.waiting).slice(0, 24);
  if (wanted.length === 0) return;
  if (wanted.length <= 3) {
    for (const job of await Promise.all(wanted.map((job) => get(`/v1/jobs/${job.id}`)))) page.list.take(job);
    return;
  }
  const states = [...new Set(wanted.map((job) => job.state))].join(",");
  for (const job of await get(`/v1/jobs?state=${states}&limit=40`)) if (page.list.jobs.has(job.id)) page.list.take(job);
}

async function refreshWorkers() {
  const workers = await get("/v1/workers");
  if (page.view === "workers") showWorkers(workers, () => refreshWorkers().catch(() => {}));
  else countWorkers(workers);
}

/** Progress inside a task is no event, and neither is a worker's coming. */
function tick() {
  page.ticks = (page.ticks ?? 0) + 1;
  showConnection();
  if (document.hidden || $("farm").hidden || !page.list.summary) return;
  const { rendering, queued } = page.list.summary;
  const isSlow = page.ticks % 8 === 0;
  if (rendering > 0 || (queued > 0 && isSlow) || (page.view === "workers" && page.ticks % 2 === 0)) catchUp({ isTick: true });
  if (isSlow) { page.list.drawSoon(); page.detail.draw(); }
}

function fillOwners() {
  // An answer may come after its reader signed out.
  if ($("farm").hidden) return;
  const select = $("owner-filter");
  const known = [...select.options].map((option) => option.value);
  const owners = [...new Set([session.owner, page.list.filter.owner, ...page.list.owners])].filter(Boolean);
  for (const owner of owners) if (!known.includes(owner)) select.append(element("option", { value: owner }, owner === session.owner ? `${owner} (you)` : owner));
  select.value = page.list.filter.owner;
}

function showConnection() {
  const { isLost, since, reason } = connection;
  document.body.classList.toggle("stale", isLost && !$("farm").hidden);
  hide($("lost"), !isLost || $("farm").hidden);
  if (isLost) {
    text($("lost-reason"), reason);
    text($("lost-since"), `What is shown is of ${ago(since)}; the page comes back by itself.`);
  }
  $("live").classList.toggle("off", isLost);
  text($("live"), isLost ? "connection lost" : isSecureContext ? "live" : "live, over plain HTTP");
}

// Signing in and out

async function signedIn(answer) {
  Object.assign(session, answer);
  if (!mayView()) {
    // Its answer takes the cookie away: were the next token's cookie there before it, that one would go.
    await optional(ask("DELETE", "/v1/session")).catch(() => null);
    signedOut();
    text($("sign-in-error"), "This token may not look at jobs: it is a worker's.");
    return;
  }
  text($("owner"), session.owner);
  page.notices.read();
  showConnection();
  for (const id of ["farm", "account", "live", "views"]) hide($(id), false);
  hide($("sign-in"), true);
  const here = location.origin;
  text($("step-worker"), `cutfarm worker --coordinator ${here} --token-file worker-token`);
  text($("worker-command"), `cutfarm worker --coordinator ${here} --token-file worker-token`);
  text($("step-submit"), `cutfarm submit edit.json --coordinator ${here} --token-file token`);
  text($("step-watch"), `cutfarm jobs --coordinator ${here} --token-file token`);
  Object.assign(page.list.filter, readFilter());
  page.list.restart();
  hide($("nothing"), false);
  readHash();
  start();
}

function follow() {
  page.feed = new EventFeed(onEvent, () => {
    // What happened while nobody listened may have been missed.
    page.hasGap = true;
    if (page.detail.id) page.changed.add(page.detail.id);
    if (page.hasBegun && page.detail.id) page.detail.load().catch(() => {});
    page.hasBegun = true;
    wake(50);
  });
}

async function start() {
  follow();
  page.timer ??= setInterval(tick, 2000);
  try {
    await page.list.refresh();
    fillOwners();
    if (!page.detail.id && !location.hash && page.list.order.length > 0 && !matchMedia("(max-width: 48rem)").matches) openJob(page.list.order[0], { isQuiet: true });
    await refreshWorkers();
  } catch (error) {
    if (error.status === 401) signedOut();
  }
}

function signedOut() {
  page.feed?.close();
  page.feed = null;
  page.hasBegun = false;
  for (const id of ["farm", "account", "live", "views", "lost"]) hide($(id), true);
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  document.body.classList.remove("stale", "has-detail");
  page.list.jobs.clear();
  page.list.summary = page.list.chosen = null;
  page.list.restart();
  $("owner-filter").replaceChildren($("owner-filter").options[0]);
  page.list.draw();
  page.detail.open(null);
  hide($("sign-in"), false);
  if (location.hash === "#link-used") {
    text($("sign-in-error"), "That link was used before, or is older than ten minutes. Sign in with a token, or start the coordinator again for another link.");
    history.replaceState(null, "", location.pathname);
  }
  $("token").focus();
}

$("sign-in-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  const token = $("token").value.trim();
  $("token").value = "";
  text($("sign-in-error"), "");
  try {
    await signedIn(await ask("POST", "/v1/session", { token }));
  } catch (error) {
    text($("sign-in-error"), error.status === 401 ? "This token is not known here." : error.message);
  }
});
$("sign-out").addEventListener("click", async () => {
  await optional(ask("DELETE", "/v1/session")).catch(() => null);
  signedOut();
});

let typing;
const filterBy = (filter) => { page.list.setFilter(filter).then(fillOwners).catch(() => {}); writeFilter(); };
$("search").addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => filterBy({ search: $("search").value.trim() }), 200); });
page.clearSearch = () => {
  clearTimeout(typing);
  $("search").value = "";
  if (page.list.filter.search) filterBy({ search: "" });
};
$("owner-filter").addEventListener("change", () => filterBy({ owner: $("owner-filter").value }));
$("sort").addEventListener("change", () => filterBy({ sort: $("sort").value }));
$("chips").addEventListener("click", (event) => {
  const chip = event.target.closest("button");
  if (chip) filterBy({ state: chip.dataset.state });
});
$("clear-filters").addEventListener("click", () => {
  clearTimeout(typing);
  $("search").value = "";
  filterBy({ state: "", search: "", owner: "" });
});
$("back").addEventListener("click", () => { if (history.length > 1 && document.body.classList.contains("has-detail")) setHash(""); page.back(); });
$("home").addEventListener("click", (event) => { event.preventDefault(); page.back(); });
$("view-jobs").addEventListener("click", (event) => { event.preventDefault(); page.back(); });
$("help").addEventListener("click", () => $("help-dialog").showModal());
for (const button of document.querySelectorAll("button.copy")) button.addEventListener("click", () => copy($(button.dataset.copy).textContent, "Command"));
window.addEventListener("popstate", readHash);
window.addEventListener("hashchange", readHash);
document.addEventListener("visibilitychange", () => { if (!document.hidden) { page.hasGap = true; wake(0); } });
// A page that is left may be kept to go back to, and its stream with it: browsers have six connections to a host.
window.addEventListener("pagehide", () => page.feed?.close());
window.addEventListener("pageshow", (event) => { if (event.persisted && page.feed) follow(); });
connection.listeners.add(showConnection);
session.onEnd = () => { if ($("sign-in").hidden) signedOut(); };
listen(page);

hide($("plain-http"), isSecureContext);
get("/v1/session").then(signedIn, signedOut);
