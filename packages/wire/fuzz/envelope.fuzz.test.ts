import fc from 'fast-check';
import { expect, it } from 'vitest';

import { keyPaths } from '../src/json/key-paths.js';
import { type Message } from '../src/message/message.js';
import { readMessage } from '../src/message/message-reader.js';
import type { Span } from '../src/json/span.js';
import { fuzzParameters } from '@mcpmux/testing/fuzz-seed';
import { hostileLine, Tally } from '@mcpmux/testing/hostile-line';

const WANTED = keyPaths(['name', 'uri', 'requestId', '_meta.progressToken']);
const BEYOND_LIMIT = /^(?:nesting deeper|more than)/;

/** What `JSON.parse` makes of a line; undefined when it is no JSON. */
function parsed(line: Buffer): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(line.toString('utf8')) as unknown };
  } catch {
    return undefined;
  }
}

function valueAt(line: Buffer, span: Span): unknown {
  return JSON.parse(line.toString('utf8', span.start, span.end)) as unknown;
}

/** The members of a message as the scanner found them, and as `JSON.parse` did. */
function bothReadings(
  line: Buffer,
  message: Exclude<Message, { kind: 'malformed' }>,
  value: unknown,
): unknown[][] {
  const object = value as Record<string, unknown>;
  const read = (span: Span | undefined): unknown => span && valueAt(line, span);
  if (message.kind === 'response') {
    return (['id', 'result', 'error'] as const).map((member) => [read(message[member]), object[member]]);
  }
  const params = [...message.params].map(([path, span]) => [read(span), valueBelow(object['params'], path)]);
  const id = message.kind === 'request' ? [[read(message.id), object['id']]] : [];
  return [[message.method, object['method']], ...id, ...params];
}

function valueBelow(value: unknown, path: string): unknown {
  return path.split('.').reduce((at, key) => (at as Record<string, unknown>)[key], value);
}

/** What the scanner says of a line, and what `JSON.parse` says of the same. */
function verdicts(line: Buffer): { readonly outcome: string; readonly pairs: readonly unknown[][] } {
  const message = readMessage(line, WANTED);
  const json = parsed(line);
  if (message.kind !== 'malformed') {
    const pairs = json === undefined ? [['accepted', 'no JSON']] : bothReadings(line, message, json.value);
    return { outcome: 'accepted', pairs };
  }
  const isJson = BEYOND_LIMIT.test(message.problem) ? [] : [[message.isJson, json !== undefined]];
  const { id, hasId } = message.hints;
  if (id === undefined) return { outcome: hasId ? 'refused, its id unclear' : 'refused', pairs: isJson };
  // throws when it is no whole value
  JSON.parse(id);
  return { outcome: 'refused with its id', pairs: isJson };
}

it('B11, B22, B25: the scanner agrees with JSON.parse on every line, those it accepts and those it refuses', () => {
  const tally = new Tally();
  fc.assert(
    fc.property(hostileLine, (line) => {
      const { outcome, pairs } = verdicts(line);
      tally.add(outcome);
      for (const [scanned, parsedValue] of pairs) expect(scanned).toEqual(parsedValue);
    }),
    fuzzParameters(4),
  );
  const least = {
    accepted: 0.03,
    refused: 0.03,
    'refused with its id': 0.02,
    'refused, its id unclear': 0.005,
  };
  for (const [outcome, share] of Object.entries(least)) {
    expect(tally.share(outcome)).toBeGreaterThan(share);
  }
});
