// The keyboard: one letter each, as in the list that `?` shows.
import { $ } from "./dom.js";

const isTyping = (node) => node.closest?.("input:not([type=range]), select, textarea, [contenteditable]");

export function listen(page) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $("farm").hidden || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape") {
      if (event.target === $("search")) {
        // A browser empties the field by itself, without saying so.
        event.preventDefault();
        page.clearSearch();
      }
      if (isTyping(event.target)) event.target.blur();
      else page.back();
      return;
    }
    if (isTyping(event.target)) {
      if (event.target === $("search") && (event.key === "Enter" || event.key === "ArrowDown")) { event.preventDefault(); page.list.move(0); }
      return;
    }
    const onButton = event.target.closest?.("button, summary, a");
    // The row of the job that is shown does nothing more when it is pressed.
    const onRow = event.target.closest?.(".row-link[aria-current]");
    const deeds = {
      "/": () => { page.showJobs(); $("search").focus(); $("search").select(); },
      j: () => page.list.move(1), k: () => page.list.move(-1),
      c: () => page.actions.cancel(), r: () => page.press("retry") || page.press("resume"), p: () => page.press("pause"),
      w: () => { location.hash = "#workers"; }, t: () => $("segments").focus(), "?": () => $("help-dialog").showModal(),
      ",": () => page.player.step(-1), ".": () => page.player.step(1),
      " ": onButton && !onRow ? null : () => page.player.toggle(),
      Enter: onButton || event.target.getAttribute?.("role") === "listbox" ? null : () => page.openChosen(),
    };
    const deed = deeds[event.key];
    if (!deed) return;
    event.preventDefault();
    deed();
  });
}
