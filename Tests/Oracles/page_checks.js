// What is computed of a page that is shown: the contrast of all its text, and whether it is wider than its window.
(() => {
  const numbers = (text) => {
    const found = /^(rgba?|color)\(([^)]*)\)$/.exec(text);
    if (!found) return [0, 0, 0, 0];
    const values = found[2].replace("srgb", "").split(/[\s,/]+/).filter(Boolean).map(Number);
    const scale = found[1] === "color" ? 255 : 1;
    return [values[0] * scale, values[1] * scale, values[2] * scale, values[3] ?? 1];
  };
  const over = (top, below) => [0, 1, 2].map((channel) => top[channel] * top[3] + below[channel] * (1 - top[3]));
  const luminance = (colour) => {
    const [red, green, blue] = colour.map((value) => value / 255).map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  /** The colour behind a node: those of its ancestors, laid over each other. */
  const behind = (node) => {
    const layers = [];
    for (let at = node; at; at = at.parentElement) {
      const colour = numbers(getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reduceRight((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const poor = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !node.checkVisibility({ opacityProperty: true, visibilityProperty: true }) || node.closest("[disabled], option")) continue;
    const box = node.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    count += 1;
    const grounds = [behind(node)];
    // A bar of progress lies between a segment and its number.
    const done = node.classList.contains("label") && node.parentElement.querySelector(".done:not([hidden])");
    if (done) grounds.push(numbers(getComputedStyle(done).backgroundColor).slice(0, 3));
    for (const ground of grounds) {
      const value = ratio(over(numbers(getComputedStyle(node).color), ground), ground);
      if (value < 4.5) poor.push(`${value.toFixed(2)}: “${walker.currentNode.textContent.trim().slice(0, 40)}” in ${node.tagName.toLowerCase()}.${node.className}`);
    }
  }
  const wide = [document.documentElement, ...document.querySelectorAll("main, #detail-pane, #workers-pane, #jobs-pane, .card")]
    .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
    .map((node) => `${node.tagName.toLowerCase()}#${node.id}.${node.className} is ${node.scrollWidth - node.clientWidth} px too wide`);
  return { count, poor, wide };
})()
