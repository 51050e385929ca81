// Throughput over time as a plot, and sparklines: SVG paths.
import { svg } from "./dom.js";
import { span, time } from "./words.js";

/** Numbers for an axis from 0 to at least `most`: 3 to 5 steps of 1, 2 or 5 times a power of ten. */
export function ticks(most) {
  const raw = Math.max(most, 1e-6) / 4;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= raw);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, index) => index * step);
}

/**
 * Draws the speed (seconds of output per second) of a job into `place`.
 * @param samples `[{ at, frames }]`: frames rendered in the interval that ends at `at`; the first only begins one.
 */
export function drawThroughput(place, samples, framesPerSecond) {
  const points = samples.slice(1).map((sample, index) => {
    const [start, end] = [Date.parse(samples[index].at), Date.parse(sample.at)];
    return { start, end, speed: sample.frames / framesPerSecond / Math.max(0.001, (end - start) / 1000) };
  });
  if (points.length === 0) return place.replaceChildren();
  const width = Math.max(200, place.clientWidth);
  const height = Math.max(90, place.clientHeight);
  const marks = ticks(Math.max(...points.map((point) => point.speed)));
  const [left, right, top, bottom] = [42, width - 2, 8, height - 20];
  const [first, last] = [points[0].start, points.at(-1).end];
  const x = (at) => left + (right - left) * (at - first) / Math.max(1, last - first);
  const y = (speed) => bottom - (bottom - top) * speed / marks.at(-1);
  const corners = points.flatMap((point) => [[x(point.start), y(point.speed)], [x(point.end), y(point.speed)]]);
  const path = corners.map(([across, down], index) => `${index ? "L" : "M"}${across.toFixed(1)} ${down.toFixed(1)}`).join("");
  const digits = marks[1] < 0.1 ? 2 : marks[1] < 1 ? 1 : 0;
  const average = points.reduce((sum, point) => sum + point.speed * (point.end - point.start), 0) / Math.max(1, last - first);
  place.replaceChildren(svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Throughput over ${span((last - first) / 1000)}: ${average.toFixed(1)} times real time on average` },
    ...marks.flatMap((mark) => [svg("line", { class: "grid", x1: left, x2: right, y1: y(mark), y2: y(mark) }), svg("text", { x: left - 6, y: y(mark) + 4, "text-anchor": "end" }, `${mark.toFixed(digits)} ×`)]),
    svg("path", { class: "area", d: `${path}L${right} ${bottom}L${left} ${bottom}Z` }), svg("path", { class: "curve", d: path }),
    svg("text", { x: left, y: height - 4 }, time(first)), svg("text", { x: right, y: height - 4, "text-anchor": "end" }, time(last))));
}

/** A line without axes: of numbers from 0 up. */
export function spark(place, values) {
  const most = Math.max(0.05, ...values);
  const across = (index) => values.length < 2 ? 0 : 100 * index / (values.length - 1);
  const path = values.map((value, index) => `${index ? "L" : "M"}${across(index).toFixed(1)} ${(18 - 16 * value / most).toFixed(1)}`).join("");
  if (place.firstChild?.getAttribute("d") === path) return;
  place.replaceChildren(svg("path", { d: path || "M0 18" }));
}
