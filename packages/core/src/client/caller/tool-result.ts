/** A `tools/call` result for the model: text that says what went wrong. JSON text. */
export function errorResultJson(text: string): string {
  return JSON.stringify({ content: [{ type: 'text', text }], isError: true });
}

/** A `tools/call` result that carries `json` both as structured content and, for clients that ignore that, as text. */
export function structuredResultJson(json: string): string {
  return `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json}}`;
}
