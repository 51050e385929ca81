// What is finished of a job: the newest frame, a contact sheet, and a player that plays the finished parts while the rest
// renders. Parts come as fragments for Media Source Extensions with timestamps of the output; where a browser lacks the
// codec there are stills.
import { bytes, get } from "./api.js";
import { $, attribute, hide, style, text } from "./dom.js";
import { fps, isFinal, span, timecode } from "./words.js";

const ahead = 20;

export class Player {
  constructor() {
    Object.assign(this, { job: null, info: null, generation: 0, frame: 0, isUnknown: false, asked: 0, answered: 0 });
    this.video = $("video");
    $("play").addEventListener("click", () => this.toggle());
    $("step-back").addEventListener("click", () => this.step(-1));
    $("step-on").addEventListener("click", () => this.step(1));
    $("seek").addEventListener("input", () => this.seek(Number($("seek").value)));
    $("show-sheet").addEventListener("click", () => this.toggleSheet());
    $("strip").addEventListener("click", (event) => {
      const box = $("strip").getBoundingClientRect();
      this.seek(Math.floor((event.clientX - box.left) / box.width * this.frameCount));
    });
    this.video.addEventListener("timeupdate", () => this.moved());
    this.video.addEventListener("seeked", () => this.moved());
    for (const name of ["waiting", "seeking", "canplay"]) this.video.addEventListener(name, () => this.moved());
    this.video.addEventListener("pause", () => this.drawTransport());
    this.video.addEventListener("play", () => this.drawTransport());
    this.video.addEventListener("ended", () => this.drawTransport());
    $("still").addEventListener("error", () => this.hideStill());
    this.video.addEventListener("error", () => this.failed());
    new ResizeObserver(() => this.drawStrip()).observe($("strip"));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawStrip());
  }

  get frameCount() { return this.info?.frameCount ?? 1; }
  get rate() { return this.job ? fps(this.job) : 25; }

  close() {
    this.generation += 1;
    clearTimeout(this.wanted);
    if (this.address) URL.revokeObjectURL(this.address);
    if (this.video.getAttribute("src")) {
      this.video.removeAttribute("src");
      this.video.load();
    }
    Object.assign(this, { job: null, info: null, source: null, buffers: null, address: null, frame: 0, hasMoved: false, isPlaying: false, hasFailed: false, isBroken: false, wanted: null });
    hide($("preview"), true);
    this.hideStill();
    hide(this.video, true);
    attribute($("show-sheet"), "aria-pressed", "false");
    $("upper").classList.remove("two");
  }

  async open(job, tasks) {
    if (this.isUnknown || !tasks.some((task) => task.kind === "picture")) return;
    const position = this.job?.id === job.id && this.hasMoved ? this.frame : null;
    if (this.job?.id !== job.id) this.close();
    Object.assign(this, { job, tasks });
    await this.refresh();
    if (position !== null) this.frame = position;
  }

  /** A part was accepted: what is there is asked anew, soon. */
  partsChanged(tasks) {
    this.tasks = tasks;
    if (!this.isUnknown && this.job) this.refreshIn(800);
  }

  refreshIn(milliseconds) {
    this.wanted ??= setTimeout(() => {
      this.wanted = null;
      this.refresh();
    }, milliseconds);
  }

  async refresh() {
    const { job } = this;
    if (!job) return;
    // An answer to an older question may come later than that to a newer one.
    const number = this.asked += 1;
    let info;
    try {
      info = await get(`/v1/jobs/${job.id}/preview`);
    } catch (error) {
      if (error.status === 404 || error.status === 405) this.isUnknown = true;
      if (this.job?.id === job.id && (error.status === 0 || error.status === 429 || error.status >= 500)) this.refreshIn(4000);
      return;
    }
    if (this.job?.id !== job.id || number < this.answered) return;
    this.answered = number;
    this.info = info;
    this.parts = { picture: info.parts.filter((part) => part.kind === "picture"), sound: info.parts.filter((part) => part.kind === "sound") };
    // Of a job that ended without a picture there is nothing to see.
    const isVain = isFinal(job) && !this.parts.picture.some((part) => part.isThere);
    hide($("preview"), isVain);
    $("upper").classList.toggle("two", !isVain);
    attribute($("seek"), "max", Math.max(0, this.frameCount - 1));
    const types = info.pictureType ? { picture: info.pictureType, ...(info.soundType ? { sound: info.soundType } : {}) } : splitTypes(info.type);
    this.canPlay = !this.isBroken && Boolean(types) && "MediaSource" in window && Object.values(types).every((type) => MediaSource.isTypeSupported(type));
    this.types = types;
    const sound = this.canPlay && this.types.sound && this.parts.sound.length > 0 && this.parts.sound.every((part) => part.isThere);
    if (this.source && sound !== this.hasSound) this.rebuild(sound);
    this.hasSound = sound;
    hide($("play"), !this.canPlay);
    const why = this.whyStills();
    text($("preview-why"), why);
    hide($("preview-why"), !why);
    if (!this.hasMoved) this.showNewest();
    this.drawStrip();
    this.moved();
    this.fill();
  }

  /** Why stills are shown in place of a player, or why it is silent; empty else, and while nothing is there to be played. */
  whyStills() {
    if (this.canPlay) return this.info.soundReason ?? "";
    if (this.isBroken) return "This browser could not play what was rendered. Stills are shown.";
    if (this.info.reason) return `${this.info.reason} Stills are shown.`;
    if (!this.types) return "";
    if (!("MediaSource" in window)) return "This browser has no Media Source Extensions, by which parts are played. Stills are shown.";
    const missing = Object.values(this.types).filter((type) => !MediaSource.isTypeSupported(type)).map((type) => /codecs="([^"]+)"/.exec(type)?.[1] ?? type);
    return `This browser does not play ${missing.join(" and ")}. Stills are shown.`;
  }

  // Stills

  showNewest() {
    const done = this.tasks.filter((task) => task.kind === "picture" && task.state === "completed" && task.frames);
    if (done.length === 0) return this.note("Nothing is finished yet.");
    const ended = (task) => task.attempts.at(-1)?.ended ?? "";
    const newest = done.reduce((best, task) => ended(task) > ended(best) ? task : best);
    const middle = newest.frames.start + Math.floor(newest.frames.count / 2);
    // What is shown and where the playhead stands are one frame: of a movie that is finished the first.
    this.frame = isFinal(this.job) && this.opens ? 0 : middle;
    this.showStill(this.frame);
    text($("still-at"), `Newest: ${timecode(middle, this.rate)}`);
    hide($("still-at"), isFinal(this.job));
  }

  /** Whether the first frame is there. */
  get opens() { return Boolean(this.parts?.picture[0]?.isThere); }

  showStill(frame) {
    const width = Math.min(1280, Math.max(320, Math.ceil($("still").parentNode.clientWidth * devicePixelRatio / 160) * 160));
    this.picture(`/v1/jobs/${this.job.id}/frame?frame=${frame}&width=${width}`, `Frame ${frame.toLocaleString()}, ${timecode(frame, this.rate)}`);
    this.drawTransport();
  }

  picture(address, words) {
    const still = $("still");
    hide(still, false);
    attribute(still, "alt", words);
    hide($("still-at"), true);
    if (still.getAttribute("src") !== address) still.setAttribute("src", address);
    this.note("");
  }

  hideStill() {
    hide($("still"), true);
    hide($("still-at"), true);
  }

  toggleSheet() {
    const isOn = $("show-sheet").getAttribute("aria-pressed") !== "true";
    attribute($("show-sheet"), "aria-pressed", String(isOn));
    if (isOn) {
      this.video.pause();
      this.picture(`/v1/jobs/${this.job.id}/sheet?columns=5&rows=5&width=256`, `Contact sheet of ${this.job.title}`);
    } else if (this.source && this.hasMoved) this.hideStill();
    else this.showStill(this.frame);
  }

  note(words) {
    text($("screen-note"), words);
    hide($("screen-note"), !words);
  }

  // Playing

  get isActive() { return Boolean(this.job && this.info); }

  /** Shows a frame without playing, unless the player has gone its own way meanwhile. */
  look(frame) {
    if (this.isActive && this.video.paused) this.seek(frame);
  }

  step(count) {
    if (!this.isActive) return;
    this.video.pause();
    this.seek(this.frame + count);
  }

  seek(frame) {
    if (!this.isActive) return;
    this.hasMoved = true;
    attribute($("show-sheet"), "aria-pressed", "false");
    this.frame = Math.max(0, Math.min(this.frameCount - 1, frame));
    const isThere = Boolean(this.partAt("picture", this.frame / this.rate + 0.001)?.isThere);
    if (!this.canPlay) {
      if (isThere) this.showStill(this.frame);
      else { this.hideStill(); this.note("This part is not rendered yet."); }
      this.drawTransport();
      return;
    }
    this.start();
    this.hideStill();
    // The middle of the frame: rounding of timestamps never shows its neighbour.
    this.video.currentTime = (this.frame + 0.5) / this.rate;
    this.moved();
    this.fill();
  }

  async toggle() {
    if (!this.isActive || !this.canPlay) return;
    if (!this.video.paused) return this.video.pause();
    if (this.frame >= this.frameCount - 1) this.seek(0);
    // Whoever has not gone anywhere plays from the start, as soon as that is there.
    else if (!this.source || !this.hasMoved) this.seek(!this.hasMoved && this.opens ? 0 : this.frame);
    await this.video.play().catch(() => {});
  }

  start() {
    if (this.source) return;
    this.source = new MediaSource();
    this.buffers = null;
    this.address = URL.createObjectURL(this.source);
    const generation = ++this.generation;
    hide(this.video, false);
    this.source.addEventListener("sourceopen", () => {
      if (generation !== this.generation || this.buffers) return;
      this.source.duration = this.info.duration ?? this.frameCount / this.rate;
      this.buffers = {};
      for (const kind of this.hasSound ? ["picture", "sound"] : ["picture"]) {
        this.buffers[kind] = new Track(kind, this.source.addSourceBuffer(this.types[kind]));
      }
      this.fill();
    });
    this.video.src = this.address;
  }

  /** The sound came, or went: the player is made anew where it stands. */
  rebuild(hasSound) {
    const wasPlaying = !this.video.paused;
    const at = this.video.currentTime;
    URL.revokeObjectURL(this.address);
    Object.assign(this, { source: null, buffers: null, hasSound });
    this.start();
    this.video.addEventListener("loadedmetadata", () => {
      this.video.currentTime = at;
      if (wasPlaying) this.video.play().catch(() => {});
    }, { once: true });
  }

  /** The browser cannot go on: the player is made anew once, and then stills are shown. */
  failed() {
    if (!this.source || !this.video.error) return;
    if (!this.hasFailed) {
      this.hasFailed = true;
      return this.rebuild(this.hasSound);
    }
    this.isBroken = true;
    this.canPlay = false;
    hide($("play"), true);
    hide(this.video, true);
    text($("preview-why"), this.whyStills());
    hide($("preview-why"), false);
    this.seek(this.frame);
  }

  /** Fetches the parts that are there from where the player stands on, one after the other. */
  fill() {
    if (!this.buffers) return;
    for (const track of Object.values(this.buffers)) this.fillTrack(track);
  }

  async fillTrack(track) {
    if (track.isBusy) return;
    track.isBusy = true;
    const { generation } = this;
    try {
      for (;;) {
        if (generation !== this.generation) return;
        const now = this.video.currentTime;
        const part = this.parts[track.kind].find((part) => part.isThere && !track.holds(part) && part.end > now - 0.05 && part.start < now + ahead);
        if (!part) return this.endIfWhole();
        const base = `/v1/jobs/${this.job.id}/preview/${track.kind}`;
        if (!track.hasHead) await append(track.buffer, (await bytes(`${base}/init`)).data);
        track.hasHead = true;
        const { data } = await bytes(`${base}/${part.position}`);
        if (generation !== this.generation) return;
        await this.append(track, part, data);
        this.moved();
      }
    } catch (error) {
      if (generation !== this.generation) return;
      // What passes by itself, such as too many requests at once, is tried again.
      if (error.status === 0 || error.status === 429 || error.status >= 500) setTimeout(() => { if (generation === this.generation) this.fill(); }, 4000);
      else this.note("This part cannot be shown.");
    } finally {
      track.isBusy = false;
    }
  }

  async append(track, part, data) {
    try {
      await append(track.buffer, data);
    } catch (error) {
      if (error.name !== "QuotaExceededError") throw error;
      // The browser holds no more: what lies far behind or far ahead goes.
      const now = this.video.currentTime;
      await remove(track.buffer, 0, Math.max(0.1, now - 5));
      await remove(track.buffer, now + 2 * ahead, Infinity);
      await append(track.buffer, data);
    }
    track.took(part);
  }

  /** Says that nothing follows once the last parts are there: a browser keeps the last frames back until then. */
  endIfWhole() {
    const tracks = Object.values(this.buffers ?? {});
    const isWhole = tracks.every((track) => !track.buffer.updating && track.holds(this.parts[track.kind].at(-1)));
    if (tracks.length > 0 && isWhole && this.source?.readyState === "open") this.source.endOfStream();
  }

  partAt(kind, at) { return this.parts?.[kind].find((part) => part.start <= at && at < part.end); }

  /** The player stands somewhere else: holes are shown, and passed over while it plays. */
  moved() {
    if (!this.info) return;
    if (this.source && this.hasMoved && this.canPlay) {
      const at = this.video.currentTime;
      // Until the frame is there the picture is another's.
      this.video.classList.toggle("coming", this.video.seeking || this.video.readyState < 2);
      this.frame = Math.max(0, Math.min(this.frameCount - 1, Math.floor(at * this.rate + 0.01)));
      const part = this.partAt("picture", at + 0.001);
      const isHole = part ? !part.isThere : at < this.frameCount / this.rate - 0.001;
      if (isHole && !this.video.paused) {
        const next = this.parts.picture.find((part) => part.isThere && part.start > at);
        if (next) {
          this.note(`Passed over ${span(next.start - at)} that are not rendered yet.`);
          setTimeout(() => this.note(""), 2500);
          this.video.currentTime = next.start + 0.5 / this.rate;
        } else {
          this.video.pause();
          this.note("The rest is not rendered yet.");
        }
      } else if (isHole) this.note("This part is not rendered yet.");
      else if (this.video.paused || $("screen-note").textContent.startsWith("This part")) this.note("");
      this.fill();
    }
    this.drawTransport();
  }

  drawTransport() {
    const isPlaying = Boolean(this.source) && !this.video.paused && !this.video.ended;
    text($("play"), isPlaying ? "❚❚" : "▶");
    attribute($("play"), "aria-label", isPlaying ? "Pause" : "Play");
    text($("code"), timecode(this.frame, this.rate));
    attribute($("code"), "title", `Frame ${this.frame.toLocaleString()}`);
    if (Number($("seek").value) !== this.frame) $("seek").value = String(this.frame);
    attribute($("seek"), "aria-valuetext", timecode(this.frame, this.rate));
    style($("strip-head"), "left", `${100 * (this.frame + 0.5) / this.frameCount}%`);
  }

  /** A line below the picture: what is there, and what is not. */
  drawStrip() {
    const canvas = $("strip-parts");
    const width = Math.round(canvas.clientWidth * devicePixelRatio);
    if (!this.info || width === 0) return;
    canvas.width = width;
    const context = canvas.getContext("2d");
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--f-done");
    const duration = this.info.duration ?? this.frameCount / this.rate;
    context.fillStyle = colour;
    for (const part of this.parts.picture) if (part.isThere) context.fillRect(width * part.start / duration, 0, Math.max(1, width * (part.end - part.start) / duration), 6);
  }
}

/** What a browser has of the pictures, or of the sound. */
class Track {
  constructor(kind, buffer) {
    // For each part that was appended, whether the browser said then that it has all of it.
    Object.assign(this, { kind, buffer, taken: new Map(), isBusy: false, hasHead: false });
  }

  took(part) { this.taken.set(part.position, this.covers(part)); }

  /** Whether the part need not be fetched. Browsers drop what lies far from where they play without a word. */
  holds(part) { return Boolean(part) && this.taken.has(part.position) && (!this.taken.get(part.position) || this.covers(part)); }

  covers({ start, end }) {
    const { buffered } = this.buffer;
    for (let index = 0; index < buffered.length; index += 1) if (buffered.start(index) <= start + 0.1 && buffered.end(index) >= end - 0.1) return true;
    return false;
  }
}

/** `video/mp4; codecs="avc1.…, mp4a.40.2"` as the types of the two buffers; null where there is none. */
function splitTypes(type) {
  const codecs = /codecs="([^"]+)"/.exec(type ?? "")?.[1].split(",").map((name) => name.trim());
  if (!codecs) return null;
  const isSound = (name) => /^(mp4a|opus|flac|ac-3|ec-3|alac)/i.test(name);
  const [picture, sound] = [codecs.find((name) => !isSound(name)), codecs.find(isSound)];
  if (!picture) return null;
  return { picture: `video/mp4; codecs="${picture}"`, ...(sound ? { sound: `audio/mp4; codecs="${sound}"` } : {}) };
}

function settled(buffer) {
  return new Promise((good, bad) => {
    buffer.addEventListener("updateend", good, { once: true });
    buffer.addEventListener("error", () => bad(new Error("The browser does not take this part.")), { once: true });
  });
}

async function append(buffer, data) {
  const done = settled(buffer);
  buffer.appendBuffer(data);
  await done;
}

async function remove(buffer, start, end) {
  const done = settled(buffer);
  buffer.remove(start, end);
  await done;
}
