import { cutText } from './cut-text.js';
import { escapeControls } from './escape-controls.js';

/** Text of a peer within a message: in quotes, one line, and not longer than a reader wants. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(text.length > 200 ? `${cutText(text, 200)}…` : text));
}
