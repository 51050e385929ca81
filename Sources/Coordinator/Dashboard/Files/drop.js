// An edit that is dropped on the page: read by the coordinator, its media matched by name, uploaded unless the farm has their
// bytes, planned and submitted.
// Where several of its files have one name, a person says which is which. What only the command line can bring to a farm is shown as the command.
import { maySubmit, post, session } from "./api.js";
import { digestOf } from "./digest.js";
import { $, element, hide, keyed, say, text } from "./dom.js";
import { bytes, plural, rate, span } from "./words.js";

const baseName = (path) => path.split(/[\\/]/).at(-1);
const isEdit = (file) => /\.(json5?|jsonc|edit)$/i.test(file.name);
const largestEdit = 15 << 20;

export class DropZone {
  constructor({ onJob }) {
    Object.assign(this, { onJob, edit: null, digests: new WeakMap() });
    document.addEventListener("dragenter", (event) => this.hint(event));
    // The browser would leave the page and open the file, also for somebody who may not submit.
    document.addEventListener("dragover", (event) => { this.hint(event); if (!$("farm").hidden) event.preventDefault(); });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) hide($("drop-hint"), true); });
    document.addEventListener("drop", (event) => {
      hide($("drop-hint"), true);
      if ($("farm").hidden || !event.dataTransfer.files.length) return;
      event.preventDefault();
      if (!maySubmit()) return say("Your token may look at jobs, and not submit any.", true);
      this.take([...event.dataTransfer.files]);
    });
    $("drop-files").addEventListener("click", () => $("drop-input").click());
    $("drop-input").addEventListener("change", () => {
      const [files, entry] = [[...$("drop-input").files], this.choosing];
      $("drop-input").value = "";
      this.choosing = null;
      this.take(files, entry);
    });
    $("drop-input").addEventListener("cancel", () => { this.choosing = null; });
    $("drop-submit").addEventListener("click", () => this.submit());
    $("drop-dialog").addEventListener("close", () => this.stop());
    this.body = $("drop-body");
  }

  hint(event) {
    if ($("farm").hidden || !maySubmit() || ![...event.dataTransfer.types].includes("Files")) return false;
    hide($("drop-hint"), false);
    return true;
  }

  stop() {
    this.uploading?.abort();
    this.edit = null;
  }

  /** Takes files: the edit first, then media for it; the first of them for `entry`, where one was chosen for it. */
  async take(files, entry = null) {
    const edits = entry ? [] : files.filter(isEdit);
    const [edit] = edits;
    if (edits.length > 1) return say(`Drop one edit at a time: ${edits.map((file) => file.name).join(" and ")} are ${edits.length}.`, true);
    try {
      if (edit) await this.open(edit);
      if (!this.edit) return say("Drop the edit first: a file such as cut.json.", true);
      if (entry && files[0]) this.give(entry, files[0]);
      else this.match(files.filter((file) => file !== edit));
      await this.upload();
    } catch (error) {
      if (error.name !== "AbortError") this.problem(error);
    }
  }

  async open(file) {
    if (file.size > largestEdit) throw new Error(`${file.name} has ${bytes(file.size)}: that is no edit.`);
    const editText = await file.text();
    this.stop();
    this.shown = { findings: element("div"), media: element("ul", { class: "media-list" }), plan: element("p"), command: element("div") };
    this.body.replaceChildren(...Object.values(this.shown));
    text($("drop-title"), file.name);
    $("drop-submit").disabled = true;
    // One for the edit: whatever of it is on its way ends with the dialog.
    this.uploading = new AbortController();
    if (!$("drop-dialog").open) $("drop-dialog").showModal();
    const outline = await post("/v1/edits:read", { editText, fileName: file.name });
    const media = outline.assets.map((asset) => ({ ...asset, state: asset.digest ? "known" : asset.localOnly ? "local" : "missing", wanted: asset.path ? baseName(asset.path) : "" }));
    this.edit = { name: file.name, editText, outline, media, key: `${Date.now()}-${Math.random()}` };
    this.draw();
  }

  /** Whether other files of the edit have the name of this one: which of them a dropped file is, its name does not say. */
  isAmbiguous(entry) {
    return new Set(this.edit.media.filter((other) => other.wanted === entry.wanted).map((other) => other.path)).size > 1;
  }

  /** Finds for every entry the one dropped file of its name. */
  match(files) {
    for (const entry of this.edit.media) {
      if (entry.state !== "missing" && entry.state !== "failed") continue;
      const named = files.filter((file) => file.name === entry.wanted);
      if (named.length === 0) continue;
      if (named.length > 1 || this.isAmbiguous(entry)) entry.message = "several files have this name: choose this one";
      else this.give(entry, named[0]);
    }
    this.draw();
  }

  give(entry, file) {
    Object.assign(entry, { file, state: "waiting", share: 0, digest: undefined, message: undefined });
    this.draw();
  }

  choose(name) {
    this.choosing = this.edit?.media.find((entry) => entry.name === name) ?? null;
    $("drop-input").click();
  }

  async upload() {
    const { edit } = this;
    for (const entry of edit.media) {
      if (entry.state !== "waiting") continue;
      const { signal } = this.uploading;
      const onProgress = (share) => { entry.share = share; this.draw(); };
      try {
        entry.state = "checking";
        const digest = await this.digest(entry.file, signal, onProgress);
        if ((await post("/v1/assets:known", { digests: [digest] })).digests.length > 0) {
          Object.assign(entry, { digest, state: "known", message: "already on the farm" });
        } else {
          Object.assign(entry, { state: "uploading", share: 0 });
          const record = await send(entry.file, signal, onProgress);
          Object.assign(entry, { digest: record.digest, state: "known" });
        }
      } catch (error) {
        if (error.name === "AbortError") throw error;
        Object.assign(entry, { state: "failed", message: error.message });
      }
      if (this.edit !== edit) return;
      this.draw();
    }
    if (this.isComplete) await this.plan();
  }

  /** The SHA-256 of a file, computed once for each that is dropped. */
  async digest(file, signal, onProgress) {
    if (!this.digests.has(file)) this.digests.set(file, await digestOf(file, signal, onProgress));
    return this.digests.get(file);
  }

  get isComplete() {
    const { media, outline } = this.edit;
    return media.every((entry) => entry.state === "known") && outline.localOnly.length === 0 && !outline.findings.some((finding) => finding.severity === "error");
  }

  submission(output) {
    const { edit } = this;
    const count = edit.outline.outputs.length;
    const title = count > 1 ? `${edit.name}, output ${output + 1} of ${count}` : edit.name;
    return { idempotencyKey: `${edit.key}-${output}`, editText: edit.editText, title, assets: Object.fromEntries(edit.media.map((entry) => [entry.name, entry.digest])), output, priority: 0 };
  }

  async plan() {
    const { edit } = this;
    edit.plans = [];
    for (let output = 0; output < Math.max(1, edit.outline.outputs.length); output += 1) edit.plans.push(await post("/v1/jobs:plan", this.submission(output)));
    if (this.edit === edit) this.draw();
  }

  async submit() {
    const { edit } = this;
    $("drop-submit").disabled = true;
    try {
      const jobs = [];
      for (let output = 0; output < edit.plans.length; output += 1) jobs.push(await post("/v1/jobs", this.submission(output)));
      $("drop-dialog").close();
      say(jobs.length > 1 ? `${jobs.length} jobs submitted` : "Submitted");
      for (const job of jobs) this.onJob(job);
    } catch (error) {
      this.problem(error);
      $("drop-submit").disabled = false;
    }
  }

  problem(error) {
    if (!this.edit) $("drop-dialog").close();
    if (!this.edit || !$("drop-dialog").open) return say(error.message, true);
    this.edit.problem = error.problem?.findings ? null : error.message;
    if (error.problem?.findings) this.edit.outline.findings = error.problem.findings;
    this.draw();
  }

  draw() {
    const { edit, shown } = this;
    if (!edit) return;
    const findings = edit.plans?.flatMap((plan) => plan.findings) ?? edit.outline.findings;
    const lines = [...findings.map((finding) => ({ words: `${finding.line ? `Line ${finding.line}: ` : ""}${finding.message}${finding.suggestion ? ` → ${finding.suggestion}` : ""}`, isError: finding.severity === "error" })),
      ...(edit.problem ? [{ words: edit.problem, isError: true }] : [])];
    keyed(shown.findings, lines, (line) => line.words, () => element("p"), (node, line) => { node.className = line.isError ? "reason" : "reason warning"; text(node, line.words); });
    const words = { known: "uploaded", local: "only from the command line", missing: "drop it here", waiting: "waits", failed: "refused" };
    keyed(shown.media, edit.media, (entry) => entry.name, (entry) => element("li", {}, element("span"), element("button", { type: "button", class: "quiet", onclick: () => this.choose(entry.name) }, "Choose…"), element("span", { class: "soft" })), (node, entry) => {
      const isAmbiguous = this.isAmbiguous(entry);
      const shownName = isAmbiguous ? entry.path : entry.wanted;
      text(node.firstChild, shownName && shownName !== entry.name ? `${entry.name} (${shownName})` : entry.name);
      hide(node.children[1], !isAmbiguous || !["missing", "failed"].includes(entry.state));
      const size = entry.file ? ` · ${bytes(entry.file.size)}` : "";
      text(node.lastChild, (entry.state === "uploading" || entry.state === "checking" ? `${entry.state} ${Math.floor(100 * entry.share)} %` : entry.message ?? entry.localOnly ?? words[entry.state]) + size);
      node.lastChild.className = entry.state === "failed" ? "error" : "soft";
    });
    const missing = edit.media.filter((entry) => entry.state === "missing").length;
    const local = [...new Set([...edit.media.map((entry) => entry.localOnly).filter(Boolean), ...edit.outline.localOnly])];
    text(shown.plan, edit.plans ? edit.plans.map((plan) => `${plan.preset}: ${span(plan.frameCount / rate(plan.frameRate))}, ${plural(plan.segmentCount, "segment")}, about ${span(plan.costSeconds)} of one core`).join("\n")
      : missing > 0 && local.length === 0 ? `${plural(missing, "file")} missing: drop them on this page, or choose them.` : "");
    shown.command.replaceChildren(...(local.length === 0 ? [] : [element("p", {}, `Only the command line can bring ${local.join(", ")} to the farm:`), element("pre", { class: "log" }, `cutfarm submit ${/^[\w./-]+$/.test(edit.name) ? edit.name : `'${edit.name.replaceAll("'", "'\\''")}'`} --coordinator ${location.origin} --token-file token`)]));
    $("drop-submit").disabled = !edit.plans;
    hide($("drop-submit"), local.length > 0);
    hide($("drop-files"), local.length > 0 || missing === 0 && !edit.media.some((entry) => entry.state === "failed"));
  }
}

/** Uploads a file; the coordinator hashes it on arrival. fetch() tells no progress of an upload, XMLHttpRequest does. */
function send(file, signal, onProgress) {
  return new Promise((good, bad) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/v1/assets");
    request.setRequestHeader("X-CSRF-Token", session.csrf);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = (event) => onProgress(event.loaded / Math.max(1, event.total));
    request.onload = () => request.status < 300 ? good(request.response) : bad(new Error(request.response?.detail ?? `The coordinator answered with status ${request.status}.`));
    request.onerror = () => bad(new Error("The connection broke off; choose the file again."));
    request.onabort = () => bad(new DOMException("stopped", "AbortError"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}
