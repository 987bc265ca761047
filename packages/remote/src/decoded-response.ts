import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

import { RemoteError } from './remote-error.js';

const DECODERS: Readonly<Record<string, () => Duplex>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * Decodes a response's body. mcpmux requests no content coding, but some servers and proxies encode anyway (RFC 9110,
 * 8.4).
 *
 * @throws RemoteError for a coding that mcpmux does not support
 */
export function decodedResponse(message: IncomingMessage): IncomingMessage {
  const coding = message.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (coding === 'identity' || coding === '') return message;
  const decoder = Object.hasOwn(DECODERS, coding) ? DECODERS[coding]?.() : undefined;
  if (decoder === undefined) {
    message.destroy();
    throw new RemoteError(`it answers in the coding ${JSON.stringify(coding)}, which mcpmux does not read`);
  }
  message.on('error', (error) => decoder.destroy(error));
  message.on('aborted', () => decoder.destroy(new Error('the response broke off')));
  decoder.on('close', () => message.destroy());
  message.pipe(decoder);
  const { statusCode, headers, headersDistinct } = message;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the readers of responses use these members and a stream
  return Object.assign(decoder, { statusCode, headers, headersDistinct }) as unknown as IncomingMessage;
}
