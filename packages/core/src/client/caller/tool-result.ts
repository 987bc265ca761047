/** Returns the `tools/call` result of a failed call as JSON text. `text` describes the failure to the model. */
export function errorResultJson(text: string): string {
  return JSON.stringify({ content: [{ type: 'text', text }], isError: true });
}

/** Returns a `tools/call` result with `json` as structured content and, for clients that ignore it, as text. */
export function structuredResultJson(json: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
