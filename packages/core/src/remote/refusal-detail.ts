import type { IncomingMessage } from 'node:http';

import { escapeControls } from '../base/escape-controls.js';
import { isRecord } from '../base/is-record.js';
import { shownStart, type TextMask } from '../base/text-mask.js';

/** What a body may say of its error, in characters. */
const MAX_DETAIL = 200;
/** More of a body is not read to find it. */
const MAX_READ = 4096;

/** What the body of a refusal says: the message of a JSON error, or a short text. */
export async function refusalDetail(response: IncomingMessage, mask: TextMask): Promise<string | undefined> {
  const text = await beginningOf(response).catch(() => '');
  return detailIn(text, response.headers['content-type'], mask);
}

/** What a text of this type says of an error. */
export function detailIn(text: string, type = '', mask: TextMask): string | undefined {
  if (type.includes('html') || text.trimStart().startsWith('<')) return undefined;
  const detail = (messageIn(text) ?? text).replaceAll(/\s+/g, ' ').trim();
  const isWhole = Buffer.byteLength(text) < MAX_READ;
  const shown = escapeControls(shownStart(mask, detail, MAX_DETAIL, isWhole));
  return shown === '' ? undefined : shown;
}

async function beginningOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_READ) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_READ);
}

function messageIn(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { error, message, error_description: description } = value;
    const found = isRecord(error) ? error['message'] : (description ?? message ?? error);
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}
