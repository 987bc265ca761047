import { cutText } from '../base/cut-text.js';

/** A text of a peer for a message: in quotes, and not longer than a reader wants. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${cutText(text, 200)}…` : text);
}
