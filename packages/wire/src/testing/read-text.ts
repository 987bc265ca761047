import { keyPaths } from '../json/key-paths.js';
import { type Message } from '../message/message.js';
import { readMessage } from '../message/message-reader.js';
import type { Span } from '../json/span.js';
import { sliceAmid } from '@mcpmux/testing/slice-amid';

const WANTED = keyPaths(['name', 'cursor', 'requestId', '_meta.progressToken', 'ref.name', 'ref.uri']);

/** Reads `text` as a message, and gives it with the text at its spans in place of the spans. */
export function readText(text: string): Record<string, unknown> {
  // in the middle of other memory: an offset into the wrong buffer would show
  const line = sliceAmid(Buffer.from(text), 3);
  const at = (span: Span | undefined) => span && line.toString('utf8', span.start, span.end);
  const message: Message = readMessage(line, WANTED);
  switch (message.kind) {
    case 'request':
    case 'notification': {
      const params = Object.fromEntries([...message.params].map(([path, span]) => [path, at(span)]));
      return { ...message, ...('id' in message && { id: at(message.id) }), params };
    }
    case 'response':
      return { ...message, id: at(message.id), result: at(message.result), error: at(message.error) };
    case 'malformed': {
      const { kind, problem, isJson, hints } = message;
      return { kind, problem, isJson, id: hints.id };
    }
  }
}
