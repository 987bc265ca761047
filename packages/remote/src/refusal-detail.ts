import type { IncomingMessage } from 'node:http';

import { escapeControls, isRecord, parsedJson, shownStart, type TextMask } from '@mcpmux/kit';

/** The maximum length of a detail, in characters. */
const MAX_DETAIL_LENGTH = 200;
/** The maximum number of bytes of a body to read for its detail. */
const MAX_READ_BYTES = 4096;

/** The detail from a rejection's body. */
export interface RefusalDetail {
  /** The message from a JSON error, or a short plain text. */
  readonly text?: string | undefined;
  /** The code from a JSON-RPC error. */
  readonly code?: number | undefined;
}

/** Reads the detail from a rejection's body. */
export async function readRefusalDetail(response: IncomingMessage, mask: TextMask): Promise<RefusalDetail> {
  const text = await readBeginning(response).catch(() => '');
  return parseDetail(text, mask, response.headers['content-type']);
}

/** Extracts the detail from the text of a response body. */
export function parseDetail(text: string, mask: TextMask, type = ''): RefusalDetail {
  if (type.includes('html') || text.trimStart().startsWith('<')) return {};
  const { message, code } = parseError(text);
  const detail = (message ?? text.slice(0, MAX_READ_BYTES)).replaceAll(/\s+/g, ' ').trim();
  const isWhole = Buffer.byteLength(text) < MAX_READ_BYTES;
  const shown = escapeControls(shownStart(mask, detail, MAX_DETAIL_LENGTH, isWhole));
  return { text: shown === '' ? undefined : shown, code };
}

async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= MAX_READ_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8', 0, MAX_READ_BYTES);
}

function parseError(text: string): { readonly message?: string | undefined; readonly code?: number } {
  const value = parsedJson(text);
  if (!isRecord(value)) return {};
  const { error, message, error_description: description } = value;
  const reported = isRecord(error) ? error['message'] : (description ?? message ?? error);
  const code = isRecord(error) && 'jsonrpc' in value ? error['code'] : undefined;
  return {
    message: typeof reported === 'string' ? reported : undefined,
    ...(typeof code === 'number' && { code }),
  };
}
