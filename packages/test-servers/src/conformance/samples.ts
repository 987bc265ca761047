/** One red pixel as a PNG file in base64. */
const PIXEL_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** An empty WAV file in base64. */
const SILENCE_BASE64 = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

/** The URIs of the listed resources. */
export const RESOURCE_URIS = ['test://static-text', 'test://static-binary', 'test://watched-resource'];

/** Returns a text block for a result or a prompt. */
export function text(value: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text: value };
}

/** An image block for a result or a prompt. */
export const IMAGE = { type: 'image', data: PIXEL_BASE64, mimeType: 'image/png' } as const;

/** An audio block for a result or a prompt. */
export const AUDIO = { type: 'audio', data: SILENCE_BASE64, mimeType: 'audio/wav' } as const;

/** Returns a block with an embedded resource. */
export function embeddedResource(uri: string, mimeType: string, value: string) {
  return { type: 'resource', resource: { uri, mimeType, text: value } } as const;
}

/** Returns the contents of a resource, or undefined if the server has no such resource. */
export function resourceContents(uri: string): Readonly<Record<string, string>> | undefined {
  if (uri === 'test://static-binary') return { uri, mimeType: 'image/png', blob: PIXEL_BASE64 };
  const known = TEXT_BY_URI[uri];
  if (known !== undefined) return { uri, mimeType: 'text/plain', text: known };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  if (id === undefined) return undefined;
  const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
  return { uri, mimeType: 'application/json', text: data };
}

const TEXT_BY_URI: Readonly<Record<string, string>> = {
  'test://static-text': 'This is the content of the static text resource.',
  'test://watched-resource': 'This may change.',
};
