/** A text of a peer for a message: in quotes, and not longer than a reader wants. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
