import { isUtf8 } from 'node:buffer';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  jsonNumber,
  jsonObjectOf,
  jsonString,
  jsonValue,
  withSpaceAround,
} from '@mcpmux/testing/arbitrary-json';
import { mutatedBytes } from '@mcpmux/testing/byte-mutation';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { keyPaths } from '../json/key-paths.js';
import { type Message } from './message.js';
import { readMessage } from './message-reader.js';
import type { Span } from '../json/span.js';

const PATHS = ['name', 'cursor', '_meta.progressToken', 'ref.name'];
const NODES = keyPaths(PATHS);
const ENVELOPE = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** Objects that nest a few of the keys which the reader looks for, some of them escaped, some of them twice. */
const key = fc
  .constantFrom('name', 'cursor', '_meta', 'progressToken', 'ref', 'id', 'method', 'params', 'Method', 'x')
  .chain((text) => fc.constantFrom(text, text, escapeFirst(text)))
  .map((text) => `"${text}"`);
const leaf = fc.oneof(jsonNumber, jsonString, fc.constantFrom('null', 'true', '[]', '[{"name":1}]'));
const inner = jsonObjectOf(key, fc.oneof(leaf, jsonObjectOf(key, leaf)));

const method = fc.oneof(jsonString, fc.constantFrom('"tools/call"', '"t\\u006fols/call"'));
const member = fc.oneof(
  fc.tuple(envelopeKey('jsonrpc'), fc.constantFrom('"2.0"', '"2.0"', '"1.0"', '2.0')),
  fc.tuple(envelopeKey('id'), fc.oneof(jsonNumber, jsonString, jsonValue)),
  fc.tuple(envelopeKey('method'), fc.oneof({ weight: 5, arbitrary: method }, jsonValue)),
  fc.tuple(envelopeKey('params'), fc.oneof({ weight: 5, arbitrary: inner }, jsonValue)),
  fc.tuple(envelopeKey('result'), jsonValue),
  fc.tuple(envelopeKey('error'), jsonValue),
  fc.tuple(fc.oneof(jsonString, key), jsonValue),
);

/** Objects that are messages, or come near to being one. */
const nearlyMessage = fc
  .tuple(
    fc.uniqueArray(member, { selector: ([name]) => name, maxLength: 8 }),
    withSpaceAround(fc.constant(':')),
  )
  .map(([members, colon]) => `{${members.map((parts) => parts.join(colon)).join(',')}}`);

function escapeFirst(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`;
}

function envelopeKey(text: string): fc.Arbitrary<string> {
  return fc.constantFrom(`"${text}"`, `"${text}"`, `"${text}"`, `"${escapeFirst(text)}"`);
}

function parseAt(line: Buffer, span: Span): unknown {
  return JSON.parse(line.toString('utf8', span.start, span.end));
}

function isJson(line: Buffer): boolean {
  try {
    JSON.parse(line.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

function isSpan(part: unknown): part is Span {
  return isObject(part) && 'start' in part && 'end' in part;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a dotted path of own properties. */
function valueAt(value: unknown, path: string): unknown {
  let here = value;
  for (const name of path.split('.'))
    here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  return here;
}

/** The parts of a message by their path, as the reader found them. */
function partsFound(line: Buffer, message: Message): Record<string, unknown> {
  const params = 'params' in message ? [...message.params] : [];
  const fields = Object.entries(message).filter(([name]) => name !== 'params');
  const parts: (readonly [string, unknown])[] = [...fields, ...params];
  return Object.fromEntries(parts.map(([name, part]) => [name, isSpan(part) ? parseAt(line, part) : part]));
}

/** The same parts as JSON.parse finds them. */
function partsParsed(whole: unknown, message: Message): Record<string, unknown> {
  const { kind } = message;
  const paths = kind === 'response' ? ['id', 'method', 'result', 'error'] : ['id', 'method'];
  const params =
    kind === 'response' ? [] : PATHS.map((path) => [path, valueAt(whole, `params.${path}`)] as const);
  const versioned = valueAt(whole, 'jsonrpc') === '2.0';
  const given = valueAt(whole, 'params');
  const hasOddParams = kind !== 'response' && given !== undefined && !isObject(given);
  return {
    kind,
    versioned,
    ...(hasOddParams && { hasOddParams }),
    ...Object.fromEntries([...paths.map((path) => [path, valueAt(whole, path)] as const), ...params]),
  };
}

describe('readMessage', () => {
  it('agrees with JSON.parse about every message that it does not refuse', () => {
    let tried = 0;
    let read = 0;
    fc.assert(
      fc.property(withSpaceAround(nearlyMessage), (text) => {
        tried += 1;
        const line = Buffer.from(text);
        const message = readMessage(line, NODES);
        if (message.kind === 'malformed') return;
        read += 1;
        expect(partsFound(line, message)).toEqual(partsParsed(JSON.parse(text), message));
      }),
      propertyRuns(1250),
    );
    expect(read).toBeGreaterThan(tried / 10);
  });

  it('refuses an object only for what is wrong with its envelope or stands twice', () => {
    fc.assert(
      fc.property(nearlyMessage, (text) => {
        const message = readMessage(Buffer.from(text), NODES);
        const whole = JSON.parse(text) as Record<string, unknown>;
        const isMessage = typeof whole['method'] === 'string' || ('id' in whole && !('method' in whole));
        const others = Object.keys(whole).filter((name) => !ENVELOPE.has(name));
        const hasLookalike = others.some((name) => ENVELOPE.has(name.toLowerCase()));
        const problem = message.kind === 'malformed' ? message.problem : 'none';
        expect(problem).toMatch(isMessage && !hasLookalike ? /^none$|" appears twice$/ : /^(?!none$)/);
      }),
      propertyRuns(500),
    );
  });

  it('takes a line for malformed that JSON.parse refuses, and says whether it was JSON', () => {
    fc.assert(
      fc.property(mutatedBytes(withSpaceAround(nearlyMessage)), (line) => {
        fc.pre(isUtf8(line));
        const message = readMessage(line, NODES);
        expect(message.kind !== 'malformed' || message.isJson).toBe(isJson(line));
      }),
      propertyRuns(750),
    );
  });

  it('never throws, and gives spans inside of the line, whatever the bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 100 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.oneof(bytes, mutatedBytes(nearlyMessage), mutatedBytes(jsonValue)), (line) => {
        const message = readMessage(line, NODES);
        const params = 'params' in message ? Array.from(message.params, ([, span]) => span) : [];
        const spans = [...Object.values(message), ...params].filter((part) => isSpan(part));
        const outside = spans.filter(({ start, end }) => start < 1 || end <= start || end > line.length);
        expect(outside).toEqual([]);
      }),
      propertyRuns(750),
    );
  });
});
