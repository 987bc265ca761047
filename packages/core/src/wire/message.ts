import { JsonReader } from './json-reader.js';
import { JsonSyntaxError } from './json-syntax-error.js';
import { findKey, keyPaths, sameBytes, type KeyNode } from './key-paths.js';
import { KnownTexts } from './known-texts.js';
import { lookalikeKey } from './lookalike-key.js';
import { shallowId } from './shallow-id.js';
import type { Span } from './span.js';

/** Where the wanted values stand, by their path inside `params`. */
export interface ParamSpans extends Iterable<readonly [path: string, span: Span]> {
  get(path: string): Span | undefined;
  has(path: string): boolean;
}

/**
 * One JSON-RPC 2.0 message, as spans into the line it arrived on. Nothing of its body has been parsed.
 *
 * `versioned` is false when `"jsonrpc":"2.0"` is missing or different; responses of sloppy servers are still matched.
 */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: Span;
      readonly method: string;
      readonly params: ParamSpans;
      readonly versioned: boolean;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: ParamSpans;
      readonly versioned: boolean;
    }
  | {
      readonly kind: 'response';
      readonly id: Span;
      readonly result: Span | undefined;
      readonly error: Span | undefined;
    }
  | {
      readonly kind: 'malformed';
      readonly problem: string;
      /** True as well for a text beyond a limit (depth, number of values), of which nobody knows. */
      readonly isJson: boolean;
      readonly id: Span | undefined;
    };

/** The members of an envelope. */
const MEMBERS = keyPaths(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const NO_SPANS: ParamSpans = new Map();
const TEXTS = new KnownTexts();
const VERSION = Buffer.from('"2.0"');
const QUOTE = 0x22;
const OPEN_BRACE = 0x7b;

/**
 * Reads the envelope of one line, and the spans of `wanted` inside its `params`, in one pass that also validates the
 * whole line. Never throws: a line that is no message is returned as `malformed`, with its id when one was readable.
 *
 * A wanted key that stands twice makes the message malformed, on every level of its path: peers differ in which one
 * they take, and what is checked here must be what the other side executes. For the same reason a key of the envelope
 * must not look like another.
 */
export function readMessage(line: Buffer, wanted: readonly KeyNode[]): Message {
  const envelope = new Envelope(line, wanted);
  try {
    envelope.read();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return envelope.toUnreadable(error);
  }
  return envelope.toMessage();
}

/** The text of the JSON string at `span`, or `undefined` when the value is of another type. */
export function stringAt(line: Buffer, span: Span): string | undefined {
  return line[span.start] === QUOTE ? TEXTS.at(line, span.start + 1, span.end - 1) : undefined;
}

/** One wanted value, and those that were found before it. */
interface FoundSpan {
  readonly path: string;
  readonly span: Span;
  readonly before: FoundSpan | undefined;
}

/** A map of the very few values that are wanted of one message: a list costs a fraction of what a table does. */
class FoundSpans implements ParamSpans {
  private last: FoundSpan | undefined;

  get(path: string): Span | undefined {
    let found = this.last;
    while (found !== undefined && found.path !== path) found = found.before;
    return found?.span;
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  *[Symbol.iterator](): Generator<readonly [string, Span], void> {
    for (let found = this.last; found !== undefined; found = found.before) yield [found.path, found.span];
  }

  add(path: string, span: Span): void {
    this.last = { path, span, before: this.last };
  }
}

class Envelope {
  private isVersioned = false;
  private id: Span | undefined;
  private method: Span | undefined;
  private result: Span | undefined;
  private error: Span | undefined;
  private params: FoundSpans | undefined;
  /** The bits of the members that were seen. */
  private seen = 0;
  private problem: string | undefined;
  private readonly reader: JsonReader;

  constructor(
    private readonly line: Buffer,
    private readonly wanted: readonly KeyNode[],
  ) {
    this.reader = new JsonReader(line);
  }

  read(): void {
    const { reader } = this;
    const start = reader.afterSpace(0);
    if (this.line[start] !== OPEN_BRACE) {
      reader.expectEnd(reader.value(start));
      return;
    }
    const end = reader.object(start, 0, (keyStart, keyEnd, valueStart, depth) =>
      this.member(keyStart, keyEnd, valueStart, depth),
    );
    reader.expectEnd(end);
  }

  toMessage(): Message {
    const { line, id, method } = this;
    if (this.problem !== undefined) return this.malformed(this.problem);
    if (method === undefined) {
      if (id === undefined) return this.malformed('a message has a method or an id');
      return { kind: 'response', id, result: this.result, error: this.error };
    }
    const name = stringAt(line, method);
    if (name === undefined) return this.malformed('method is not a string');
    const params = this.params ?? NO_SPANS;
    const versioned = this.isVersioned;
    return id === undefined
      ? { kind: 'notification', method: name, params, versioned }
      : { kind: 'request', id, method: name, params, versioned };
  }

  /** The message when reading ended in `error`. */
  toUnreadable({ message, isBeyondLimit }: JsonSyntaxError): Message {
    const id = this.id ?? (isBeyondLimit ? shallowId(this.line) : undefined);
    return { kind: 'malformed', problem: message, isJson: isBeyondLimit, id };
  }

  private malformed(problem: string): Message {
    return { kind: 'malformed', problem, isJson: true, id: this.id };
  }

  private member(keyStart: number, keyEnd: number, valueStart: number, depth: number): number {
    const node = findKey(MEMBERS, this.line, keyStart, keyEnd);
    if (node === undefined) return this.unknownMember(keyStart, keyEnd, valueStart, depth);
    if ((this.seen & node.bit) !== 0) this.problem ??= `"${node.key}" stands twice`;
    this.seen |= node.bit;
    if (node.key === 'params') return this.inside(this.wanted, valueStart, depth);
    const end = this.reader.value(valueStart, depth);
    if (node.key === 'jsonrpc') this.isVersioned = sameBytes(VERSION, this.line, valueStart, end);
    else this.keep(node.key, { start: valueStart, end });
    return end;
  }

  /** One property for each member: a store under a computed key is several times slower. */
  private keep(key: string, span: Span): void {
    if (key === 'id') this.id = span;
    else if (key === 'method') this.method = span;
    else if (key === 'result') this.result = span;
    else this.error = span;
  }

  private unknownMember(keyStart: number, keyEnd: number, valueStart: number, depth: number): number {
    const known = lookalikeKey(MEMBERS, this.line, keyStart, keyEnd);
    if (known !== undefined) this.problem ??= `another key can be taken for "${known}"`;
    return this.reader.value(valueStart, depth);
  }

  /** Reads a value of which only `nodes` are wanted, should it be an object. */
  private inside(nodes: readonly KeyNode[], start: number, depth: number): number {
    if (this.line[start] !== OPEN_BRACE) return this.reader.value(start, depth);
    let seen = 0;
    return this.reader.object(start, depth, (keyStart, keyEnd, valueStart, below) => {
      const node = findKey(nodes, this.line, keyStart, keyEnd);
      if (node === undefined) return this.reader.value(valueStart, below);
      if ((seen & node.bit) !== 0) this.problem ??= `"params.${node.path}" stands twice`;
      seen |= node.bit;
      const end = this.inside(node.children, valueStart, below);
      if (node.isWanted) this.found(node.path, { start: valueStart, end });
      return end;
    });
  }

  private found(path: string, span: Span): void {
    this.params ??= new FoundSpans();
    this.params.add(path, span);
  }
}
