import { cutText } from './cut-text.js';
import { escapeControls } from './escape-controls.js';

/** Quotes a peer's text for a message: in quotes, on one line, and cut off after 200 characters. */
export function quote(text: string): string {
  return escapeControls(JSON.stringify(text.length > 200 ? `${cutText(text, 200)}…` : text));
}
