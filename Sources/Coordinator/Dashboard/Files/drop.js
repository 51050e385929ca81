// An edit that is dropped on the page is submitted.
import { $, hide } from "./dom.js";

export class DropZone {
  constructor({ onJob }) {
    this.onJob = onJob;
  }
}
