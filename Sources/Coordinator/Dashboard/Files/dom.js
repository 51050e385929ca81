// The page's elements: found, made, and changed only where they differ, so that focus and selection stay.
export const $ = (id) => document.getElementById(id);

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const svgSpace = "http://www.w3.org/2000/svg";
export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(svgSpace, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function text(node, value) {
  if (node.textContent !== value) node.textContent = value;
}

export function attribute(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, String(value));
}

export function className(node, value) {
  if (node.className !== value) node.className = value;
}

export function hide(node, isHidden) {
  // An attribute, since SVG's elements have no such property.
  if (node.hasAttribute("hidden") !== Boolean(isHidden)) node.toggleAttribute("hidden", Boolean(isHidden));
}

export function style(node, name, value) {
  if (node.style.getPropertyValue(name) !== value) node.style.setProperty(name, value);
}

/**
 * Brings the children of `container` in line with `items`: one child for each, in order, found again by `key`. Children
 * that stay are neither replaced nor moved where their order is right.
 */
export function keyed(container, items, key, make, update) {
  const known = container.cutfarmChildren ?? (container.cutfarmChildren = new Map());
  const wanted = new Map();
  let place = container.firstElementChild;
  for (const item of items) {
    const name = key(item);
    let node = known.get(name);
    if (!node) node = make(item);
    if (node === place) place = place.nextElementSibling;
    else container.insertBefore(node, place);
    update(node, item);
    wanted.set(name, node);
  }
  for (const [name, node] of known) if (wanted.get(name) !== node) node.remove();
  container.cutfarmChildren = wanted;
}

/** Says something to screen readers, and shows it for some seconds. */
export function say(message, isError = false) {
  const note = element("div", { class: isError ? "toast bad" : "toast" }, message);
  $(isError ? "alerts" : "notes").append(note);
  setTimeout(() => note.remove(), isError ? 9000 : 4000);
}

/** Copies a text; on plain HTTP beyond localhost browsers lend no clipboard, and the text is shown to be copied by hand. */
export async function copy(value, what) {
  try {
    if (!navigator.clipboard) throw new Error("no clipboard");
    await navigator.clipboard.writeText(value);
    say(`${what} copied`);
  } catch {
    $("copy-text").value = value;
    $("copy-dialog").showModal();
    $("copy-text").select();
  }
}

/** Asks a question in a dialog. Answers whether the button that does it was pressed, which is red where nothing takes it back. */
export function confirm(title, detail, doIt, { isFinal = true, keep = "Keep it" } = {}) {
  text($("confirm-keep"), keep);
  $("confirm-do").className = isFinal ? "danger filled" : "primary";
  text($("confirm-title"), title);
  text($("confirm-text"), detail);
  text($("confirm-do"), doIt);
  const dialog = $("confirm-dialog");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((answer) => dialog.addEventListener("close", () => answer(dialog.returnValue === "do"), { once: true }));
}
