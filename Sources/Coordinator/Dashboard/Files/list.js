// The list of jobs: sections by state, of which pages are fetched as they come into view, and of which only the rows in
// the window are elements. A row belongs to its job: it is filled anew, and never replaced while it is in sight.
import { get, mayChange, maySubmit } from "./api.js";
import { $, attribute, className, element, hide, style, text } from "./dom.js";
import { ago, headline, isFinal, percent, plural, sinceSubmission, span, stateOf, stateWord, titleOf } from "./words.js";

const rowHeight = 62;
const headHeight = 30;
const pageSize = 100;
const margin = 6;

const unfinished = "queued,rendering,stitching";
const sectionKinds = {
  rendering: { title: "Rendering", query: "state=rendering,stitching&paused=false", holds: (job) => ["rendering", "joining"].includes(stateOf(job)) },
  failed: { title: "Failed", query: "state=failed", holds: (job) => job.state === "failed" },
  queued: { title: "Queued", query: "state=queued&paused=false", holds: (job) => stateOf(job) === "queued" },
  paused: { title: "Paused", query: `state=${unfinished}&paused=true`, holds: (job) => stateOf(job) === "paused" },
  completed: { title: "Done", query: "state=completed", holds: (job) => job.state === "completed" },
  cancelled: { title: "Cancelled", query: "state=cancelled", holds: (job) => job.state === "cancelled" },
  all: { title: "All", query: "", holds: () => true },
};
const attention = ["rendering", "failed", "queued", "paused", "completed", "cancelled"];

export class JobList {
  /** `onOpen(id)` is called when a job is chosen, `onPriority(job, step)` by a row's buttons, `onDraw()` when it is drawn. */
  constructor({ onOpen, onPriority, onDraw }) {
    Object.assign(this, { onOpen, onPriority, onDraw, jobs: new Map(), summary: null, chosen: null, filter: { state: "", search: "", owner: "", sort: "" } });
    this.rows = new Map();
    this.view = $("list");
    this.canvas = $("list-canvas");
    this.view.addEventListener("scroll", () => this.drawSoon(), { passive: true });
    new ResizeObserver(() => this.drawSoon()).observe(this.view);
    this.restart();
  }

  setFilter(filter) {
    Object.assign(this.filter, filter);
    this.restart();
    this.view.scrollTop = 0;
    return this.refresh();
  }

  restart() {
    const { state, sort } = this.filter;
    const kinds = state ? [state] : sort === "newest" ? ["all"] : attention;
    this.generation = (this.generation ?? 0) + 1;
    this.sections = kinds.map((kind) => ({ kind, ...sectionKinds[kind], ids: [], isWhole: false, isLoading: false, isFresh: false }));
    this.isLoaded = false;
  }

  query(kind, before, filter = this.filter) {
    const parameters = new URLSearchParams(sectionKinds[kind].query);
    parameters.set("limit", pageSize);
    if (filter.search) parameters.set("search", filter.search);
    if (filter.owner) parameters.set("owner", filter.owner);
    if (before) parameters.set("before", before);
    return `/v1/jobs?${parameters.toString().replaceAll("%2C", ",")}`;
  }

  /** Fetches the counts, and of every section that has any the newest page; older pages that are loaded stay. */
  async refresh() {
    const generation = this.generation;
    const parameters = new URLSearchParams();
    if (this.filter.search) parameters.set("search", this.filter.search);
    if (this.filter.owner) parameters.set("owner", this.filter.owner);
    const summary = await get(`/v1/jobs:summary?${parameters}`);
    if (generation !== this.generation) return;
    this.summary = summary;
    for (const section of this.sections) {
      if (summary[section.kind] === 0 && section.ids.length === 0) Object.assign(section, { isFresh: true, isWhole: true });
    }
    await Promise.all(this.sections.filter((section) => section.kind === "all" || summary[section.kind] > 0 || section.ids.length > 0)
      .filter((section, index) => this.isLoaded ? section.isFresh || this.isNear(section) : index < 2 || this.isNear(section))
      .map((section) => this.refreshTop(section, generation)));
    if (generation !== this.generation) return;
    this.isLoaded = true;
    this.draw();
  }

  /** Fetches the counts and a few jobs of which events told; new ones take their places. */
  async update(ids) {
    const generation = this.generation;
    const parameters = new URLSearchParams(Object.entries({ search: this.filter.search, owner: this.filter.owner }).filter(([, value]) => value));
    const [summary, ...jobs] = await Promise.all([get(`/v1/jobs:summary?${parameters}`), ...ids.map((id) => get(`/v1/jobs/${id}`))]);
    if (generation !== this.generation) return [];
    this.summary = summary;
    for (const job of jobs) this.take(job);
    this.drawSoon();
    return jobs;
  }

  async refreshTop(section, generation) {
    const page = await get(this.query(section.kind));
    if (generation !== this.generation) return;
    for (const job of page) this.jobs.set(job.id, job);
    const last = page.at(-1)?.id;
    const isWhole = page.length < pageSize;
    // What is older than the page stays as it was loaded.
    const older = isWhole ? [] : section.ids.filter((id) => id < last && section.holds(this.jobs.get(id)));
    section.ids = page.map((job) => job.id).concat(older);
    section.isWhole = isWhole || (section.isWhole && older.length > 0);
    section.isFresh = true;
  }

  async loadMore(section) {
    if (section.isLoading || section.isWhole) return;
    section.isLoading = true;
    const generation = this.generation;
    try {
      const page = await get(this.query(section.kind, section.ids.at(-1)));
      if (generation !== this.generation) return;
      for (const job of page) this.jobs.set(job.id, job);
      const known = new Set(section.ids);
      section.ids.push(...page.map((job) => job.id).filter((id) => !known.has(id)));
      section.isWhole = page.length < pageSize;
      section.isFresh = true;
    } catch { /* The connection says so; the next draw asks again. */
      await new Promise((done) => setTimeout(done, 2000));
    } finally {
      section.isLoading = false;
    }
    this.drawSoon();
  }

  /** Takes a newer view of one job, and moves it to the section that holds it now. */
  take(job) {
    const before = this.jobs.get(job.id);
    this.jobs.set(job.id, job);
    if (!before || stateOf(before) !== stateOf(job)) {
      for (const section of this.sections) {
        const place = section.ids.indexOf(job.id);
        if (section.holds(job) && this.matches(job)) {
          if (place >= 0 || !section.isFresh) continue;
          const at = section.ids.findIndex((id) => id < job.id);
          if (at >= 0) section.ids.splice(at, 0, job.id);
          else if (section.isWhole) section.ids.push(job.id);
        } else if (place >= 0) section.ids.splice(place, 1);
      }
    }
    this.drawSoon();
  }

  matches(job) {
    const { search, owner } = this.filter;
    return (!search || job.title.toLowerCase().includes(search.toLowerCase())) && (!owner || job.owner === owner);
  }

  /** The unfinished jobs of which a row is in sight. */
  get visibleUnfinished() {
    return [...this.rows.keys()].map((id) => this.jobs.get(id)).filter((job) => job && !isFinal(job));
  }

  // Geometry: every section knows how many rows it has, also those that are not loaded.

  count(section) {
    if (section.isWhole || !this.summary) return section.ids.length;
    if (section.kind === "all") return Math.max(section.ids.length, Object.values(this.summary).reduce((sum, count) => sum + count, 0));
    return Math.max(section.ids.length, this.summary[section.kind]);
  }

  layout() {
    const places = [];
    let top = 0;
    const hasHeads = this.sections.length > 1;
    for (const section of this.sections) {
      const count = this.count(section);
      const head = count > 0 && hasHeads ? headHeight : 0;
      places.push({ section, top, head, count, end: top + head + count * rowHeight });
      top += head + count * rowHeight;
    }
    return { places, height: top };
  }

  isNear(section) {
    const place = this.layout().places.find((place) => place.section === section);
    return place.top < this.view.scrollTop + this.view.clientHeight + 400 && place.end > this.view.scrollTop - 400;
  }

  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const { places, height } = this.layout();
    style(this.canvas, "height", `${height}px`);
    const top = this.view.scrollTop;
    const end = top + this.view.clientHeight;
    const wanted = new Map();
    const heads = [];
    for (const place of places) {
      if (place.count === 0) continue;
      if (place.head && place.end >= top && place.top <= end) heads.push(place);
      const first = Math.max(0, Math.floor((top - place.top - place.head) / rowHeight) - margin);
      const last = Math.min(place.count - 1, Math.ceil((end - place.top - place.head) / rowHeight) + margin);
      for (let index = first; index <= last; index += 1) {
        const id = place.section.ids[index];
        if (id) wanted.set(id, place.top + place.head + index * rowHeight);
      }
      if (last >= place.section.ids.length && place.top <= end + 400 && place.end >= top - 400) this.loadMore(place.section);
    }
    this.drawHeads(heads, top);
    this.drawRows(wanted);
    const isEmpty = this.isLoaded && height === 0;
    hide($("list-empty"), !isEmpty || this.isFiltered);
    hide($("list-nothing"), !isEmpty || !this.isFiltered);
    const isNew = isEmpty && !this.isFiltered && maySubmit();
    hide($("nothing-drop"), !isNew);
    hide($("nothing-choose"), isNew);
    this.drawChips();
    this.onDraw();
  }

  get isFiltered() { return Boolean(this.filter.state || this.filter.search || this.filter.owner); }

  drawHeads(places, top) {
    this.heads ??= new Map();
    const wanted = new Set(places.map((place) => place.section.kind));
    for (const [kind, node] of this.heads) if (!wanted.has(kind)) { node.remove(); this.heads.delete(kind); }
    for (const place of places) {
      let node = this.heads.get(place.section.kind);
      if (!node) {
        node = element("div", { class: `list-head ${place.section.kind}`, role: "listitem" }, element("h3"), element("span", { class: "count" }));
        this.heads.set(place.section.kind, node);
        this.canvas.append(node);
      }
      // The head of the section at the top stays in sight.
      const y = Math.max(place.top, Math.min(top, place.end - headHeight));
      style(node, "transform", `translateY(${y}px)`);
      text(node.firstChild, place.section.title);
      text(node.lastChild, place.count.toLocaleString());
    }
  }

  drawRows(wanted) {
    for (const [id, row] of this.rows) {
      if (wanted.has(id) || row.contains(document.activeElement)) continue;
      row.remove();
      this.rows.delete(id);
    }
    for (const [id, y] of wanted) {
      let row = this.rows.get(id);
      if (!row) {
        row = this.makeRow(id);
        this.rows.set(id, row);
        this.canvas.append(row);
      }
      style(row, "transform", `translateY(${y}px)`);
    }
    for (const [id, row] of this.rows) this.fillRow(row, this.jobs.get(id));
  }

  makeRow(id) {
    const link = element("a", { class: "row-link", href: `#${id}`, onclick: (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      this.onOpen(id);
    } }, element("span", { class: "title" }), element("span", { class: "what" }), element("span", { class: "who" }));
    const step = (value, name, sign) => element("button", { type: "button", class: "step", tabindex: "-1", "aria-label": name, title: name,
      onclick: () => this.onPriority(this.jobs.get(id), value) }, sign);
    const priority = element("span", { class: "priority" }, step(-1, "Lower the priority", "−"), element("span", { class: "value" }), step(1, "Raise the priority", "+"));
    const row = element("div", { class: "row", role: "listitem" }, link, priority, element("span", { class: "bar" }, element("span")));
    [row.link, row.priority, row.bar] = [link, priority, row.lastChild.firstChild];
    return row;
  }

  fillRow(row, job) {
    if (!job) return;
    const state = stateOf(job);
    className(row, `row ${state}${job.id === this.chosen ? " chosen" : ""}`);
    attribute(row.link, "aria-current", job.id === this.chosen ? "true" : null);
    const [title, what, who] = row.link.children;
    text(title, titleOf(job));
    attribute(title, "title", titleOf(job));
    const words = state === "failed" || state === "completed" || state === "cancelled" ? `${stateWord(job)} · ${state === "completed" ? (job.finished ? `after ${span(sinceSubmission(job))}` : "") : state === "failed" ? job.failure?.message ?? "" : percent(job.permille)}`
      : headline(job);
    text(what, words);
    attribute(what, "title", words);
    text(who, `${job.owner} · ${ago(job.finished ?? job.created)}`);
    const isOpen = !isFinal(job);
    hide(row.priority, !isOpen || (!mayChange(job) && job.priority === 0));
    className(row.priority, `priority${mayChange(job) ? "" : " fixed"}${job.priority === 0 ? " normal" : ""}`);
    text(row.priority.children[1], job.priority > 0 ? `+${job.priority}` : String(job.priority).replace("-", "−"));
    attribute(row.priority.children[1], "title", `Priority ${job.priority}`);
    style(row.bar, "transform", `scaleX(${job.permille / 1000})`);
    hide(row.bar.parentNode, !isOpen && state !== "failed");
  }

  // Chips

  drawChips() {
    if (!this.summary) return;
    const counts = { ...this.summary, "": Object.values(this.summary).reduce((sum, count) => sum + count, 0) };
    for (const chip of $("chips").children) {
      const state = chip.dataset.state;
      text(chip.lastElementChild, counts[state].toLocaleString());
      attribute(chip, "aria-pressed", String(this.filter.state === state));
      hide(chip, (state === "paused" || state === "cancelled") && counts[state] === 0 && this.filter.state !== state);
      chip.classList.toggle("none", counts[state] === 0);
    }
    attribute($("list"), "aria-label", `Jobs, ${plural(counts[this.filter.state] ?? 0, "job")}`);
  }

  // Keyboard

  get order() { return this.sections.flatMap((section) => section.ids); }

  /** Chooses the job `step` rows further, brings it into sight and puts the focus on it. */
  move(step) {
    const order = this.order;
    if (order.length === 0) return;
    const at = order.indexOf(this.chosen);
    const next = order[at < 0 ? 0 : Math.max(0, Math.min(order.length - 1, at + step))];
    this.reveal(next);
    this.onOpen(next, { isQuiet: true });
    this.draw();
    this.rows.get(next)?.link.focus({ preventScroll: true });
  }

  reveal(id) {
    for (const { section, top, head } of this.layout().places) {
      const index = section.ids.indexOf(id);
      if (index < 0) continue;
      const y = top + head + index * rowHeight;
      if (y - headHeight < this.view.scrollTop) this.view.scrollTop = Math.max(0, y - headHeight);
      else if (y + rowHeight > this.view.scrollTop + this.view.clientHeight) this.view.scrollTop = y + rowHeight - this.view.clientHeight;
      return;
    }
  }

  get owners() { return [...new Set([...this.jobs.values()].map((job) => job.owner))].sort(); }
}
