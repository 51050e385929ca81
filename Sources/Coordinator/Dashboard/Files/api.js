// Requests to /v1, and the state of the connection. Everything that comes back reaches the page as text, never as markup.
/** `onEnd` is called when the coordinator no longer knows the session. */
export const session = { csrf: "", scopes: [], owner: "", onEnd: () => {} };

/** The connection: `isLost` while the coordinator, or a proxy before it, does not answer as it should. */
export const connection = { isLost: false, since: null, reason: "", listeners: new Set() };

/** By how many milliseconds the coordinator's clock is ahead of this browser's; 0 for clocks that agree within seconds. */
let ahead = 0;

/** The time by the coordinator's clock, by which jobs and attempts are dated: a browser's clock may be hours away from it. */
export const now = () => Date.now() + ahead;

/** Compares the clocks by an answer's Date, which has whole seconds and was written between `asked` and now. */
function compareClocks(answer, asked) {
  const date = Date.parse(answer.headers.get("Date"));
  if (Number.isNaN(date)) return;
  const [least, most] = [date - Date.now(), date + 1000 - asked];
  const agrees = (value) => value > least - 2000 && value < most + 2000;
  if (!agrees(ahead)) ahead = agrees(0) ? 0 : (least + most) / 2;
}

export class Refusal extends Error {
  constructor(status, code, message, problem) {
    super(message);
    Object.assign(this, { status, code, problem });
  }
}

function tell(isLost, reason = "") {
  if (connection.isLost === isLost && connection.reason === reason) return;
  if (isLost && !connection.isLost) connection.since = now();
  Object.assign(connection, { isLost, reason });
  for (const listener of connection.listeners) listener();
}

/** Whether the coordinator itself said it is busy or goes; a proxy's 502 to 504 has no such code. */
const isAway = (status) => status === 502 || status === 503 || status === 504;

async function send(method, path, { body, headers = {}, signal } = {}) {
  if (method !== "GET") headers["X-CSRF-Token"] = session.csrf;
  let answer;
  const asked = Date.now();
  try {
    answer = await fetch(path, { method, headers, body, signal, credentials: "same-origin" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    tell(true, "The coordinator does not answer.");
    throw new Refusal(0, "unreachable", "The coordinator does not answer.");
  }
  if (answer.ok) {
    compareClocks(answer, asked);
    tell(false);
    return answer;
  }
  const problem = await answer.json().catch(() => null);
  const message = problem?.detail ?? `The coordinator answered with status ${answer.status}.`;
  if (isAway(answer.status)) tell(true, problem?.detail ?? `A proxy before the coordinator answers with status ${answer.status}.`);
  else tell(false);
  if (answer.status === 401 && path !== "/v1/session") session.onEnd();
  throw new Refusal(answer.status, problem?.code ?? "", message, problem);
}

export async function ask(method, path, value, options = {}) {
  const headers = { Accept: "application/json" };
  if (value !== undefined) headers["Content-Type"] = "application/json";
  const body = value === undefined ? undefined : JSON.stringify(value);
  const answer = await send(method, path, { ...options, body, headers });
  return answer.status === 204 ? null : answer.json();
}

export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, value) => ask("POST", path, value);

/** The bytes of an answer, with its headers. */
export async function bytes(path, options) {
  const answer = await send("GET", path, options);
  return { data: await answer.arrayBuffer(), headers: answer.headers };
}

/** What is optional on a coordinator: nil where it has no such route. */
export async function optional(promise) {
  try {
    return await promise;
  } catch (error) {
    if ([404, 405, 409, 410, 422].includes(error.status)) return null;
    throw error;
  }
}

// Rights

const has = (scope) => session.scopes.includes(scope) || session.scopes.includes("admin");
export const mayChange = (job) => session.scopes.includes("admin") || (has("submit") && job.owner === session.owner);
export const maySubmit = () => has("submit");
/** Whether the session may look at jobs, which a worker's may not. */
export const mayView = () => has("view") || has("submit");
export const isAdmin = () => session.scopes.includes("admin");

/**
 * The events of all jobs, from now on. Connects again by itself, also after a proxy's 503, which ends an EventSource for
 * good: `onGap` is called after every new connection, since what happened in between may have been missed.
 */
export class EventFeed {
  constructor(onEvent, onGap) {
    Object.assign(this, { onEvent, onGap, wait: 1000, last: null });
    this.open();
  }

  open() {
    if (this.isClosed) return;
    this.source = new EventSource(this.last === null ? "/v1/events" : `/v1/events?after=${this.last}`);
    this.source.onopen = () => {
      this.wait = 1000;
      tell(false);
      this.onGap();
    };
    this.source.onmessage = (message) => {
      this.last = Number(message.lastEventId);
      this.onEvent(JSON.parse(message.data));
    };
    this.source.onerror = () => {
      tell(true, connection.reason || "The connection to the coordinator is lost.");
      if (this.source.readyState !== EventSource.CLOSED) return;
      this.timer = setTimeout(() => this.again(), this.wait);
      this.wait = Math.min(8000, this.wait * 2);
    };
  }

  /** Asks who is signed in before it connects again: an EventSource does not say that it was refused with 401. */
  async again() {
    try {
      await get("/v1/session");
    } catch (error) {
      if (error.status === 401 && !this.isClosed) return session.onEnd();
    }
    this.open();
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.source.close();
  }
}
