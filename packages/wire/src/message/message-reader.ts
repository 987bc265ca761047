import { JsonReader, type MemberReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';
import { findKey, keyPaths, sameBytes, type KeyNode } from '../json/key-paths.js';
import { confusableKey } from '../json/confusable-key.js';
import { type EnvelopeHints, NO_HINTS, withTail } from './envelope-hints.js';
import { FoundSpans, stringAt, type Message, type ParamSpans } from './message.js';
import { readId, type RawId } from './request-id.js';
import type { Span } from '../json/span.js';

/** The members of an envelope. */
const MEMBERS = keyPaths(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const VERSION = Buffer.from('"2.0"');
const NO_SPANS: ParamSpans = new Map();
const NOTHING: Buffer = Buffer.alloc(0);
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
/** Maximum length of a method name that is kept for the next line, in characters. */
const LONGEST_KEPT = 64;
/** The first byte of `null`. */
const LOWER_N = 0x6e;
const ID = bitsOf('id');
const OF_CALLS = bitsOf('method', 'params');
const OF_RESPONSES = bitsOf('result', 'error');

/**
 * Reads the envelopes of lines one after the other. Its helpers are created once, because two objects and two functions
 * per line would be a tenth of the allocations of a call.
 */
export class MessageReader {
  private readonly json = new JsonReader(NOTHING);
  private line = NOTHING;
  private isVersioned = false;
  private id: Span | undefined;
  private method: Span | undefined;
  private result: Span | undefined;
  private error: Span | undefined;
  private params: FoundSpans | undefined;
  /** The bits of the members seen so far. */
  private seen = 0;
  /** The wanted members of the current object inside `params`. */
  private nodes: readonly KeyNode[] = [];
  /** The bits of the members of this object seen so far. */
  private seenInside = 0;
  /** The bits of the members whose values are not `null`, because some peers write every member into every message. */
  private reported = 0;
  private isIdTwice = false;
  private hasOddParams = false;
  private problem: string | undefined;
  private lastMethod = { name: '', bytes: NOTHING };

  /** @param wanted the wanted members of `params` */
  constructor(private readonly wanted: readonly KeyNode[]) {}

  /** Returns the hints at the beginning of a line that was too long to read. */
  readHints(head: Buffer): EnvelopeHints {
    try {
      this.readEnvelope(head);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    return this.hints();
  }

  /**
   * Reads the envelope of one line and the spans of the wanted values in its `params`, in one pass that also validates
   * the whole line. Never throws. A line that is not a message is returned as `malformed`, with hints.
   *
   * A duplicate wanted key on any level of its path makes the message malformed. Peers differ in which duplicate they
   * use, and mcpmux must check the same value that the other side executes. For the same reason, a key of the envelope
   * must not look like another key.
   */
  read(line: Buffer): Message {
    try {
      this.readEnvelope(line);
      return this.toMessage();
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return this.toUnreadable(error);
    } finally {
      // A long line must not be kept alive until the next line arrives.
      this.line = NOTHING;
      this.json.begin(NOTHING);
    }
  }

  private readEnvelope(line: Buffer): void {
    const { json } = this;
    json.begin(line);
    this.line = line;
    this.isVersioned = false;
    this.id = undefined;
    this.method = undefined;
    this.result = undefined;
    this.error = undefined;
    this.params = undefined;
    this.seen = 0;
    this.reported = 0;
    this.isIdTwice = false;
    this.hasOddParams = false;
    this.problem = undefined;
    const start = json.afterSpace(0);
    const isObject = line[start] === OPEN_BRACE;
    json.expectEnd(isObject ? json.object(start, 0, this.member) : json.value(start));
  }

  private toMessage(): Message {
    const { line, id, method } = this;
    if (this.problem !== undefined) return this.malformed(this.problem);
    if (method === undefined) {
      if (id === undefined) return this.malformed('the message has neither a method nor an id');
      return { kind: 'response', id, result: this.result, error: this.error, versioned: this.isVersioned };
    }
    // A peer usually repeats its last method. A comparison costs a fraction of creating a string.
    const isLast = sameBytes(this.lastMethod.bytes, line, method.start, method.end);
    const name = isLast ? this.lastMethod.name : stringAt(line, method);
    if (name === undefined) return this.malformed('method is not a string');
    if (!isLast && name.length <= LONGEST_KEPT)
      this.lastMethod = { name, bytes: Buffer.from(line.subarray(method.start, method.end)) };
    const { params = NO_SPANS, isVersioned: versioned } = this;
    const message: Message =
      id === undefined
        ? { kind: 'notification', method: name, params, versioned }
        : { kind: 'request', id, method: name, params, versioned };
    return this.hasOddParams ? { ...message, hasOddParams: true } : message;
  }

  /** Returns the malformed message if reading ended with `error`. */
  private toUnreadable({ message, isBeyondLimit }: JsonSyntaxError): Message {
    const hints = this.hints();
    // Clients often write the id after the point at which the limit was reached. In a text that is not JSON, the end
    // may belong to another message.
    const all = isBeyondLimit ? withTail(hints, this.line) : hints;
    return { kind: 'malformed', problem: message, isJson: isBeyondLimit, hints: all };
  }

  private malformed(problem: string): Message {
    return { kind: 'malformed', problem, isJson: true, hints: this.hints() };
  }

  /** Returns the evidence in the members that were read. The last member may be incomplete. */
  private hints(): EnvelopeHints {
    if (this.line[this.json.afterSpace(0)] !== OPEN_BRACE) return NO_HINTS;
    const answers = (this.reported & OF_RESPONSES) === 0 ? 'unknown' : 'response';
    const kind = (this.reported & OF_CALLS) === 0 ? answers : 'calling';
    return { id: this.wholeId(), hasId: (this.seen & ID) !== 0, kind };
  }

  /** Returns the id if it is unique and complete. A number at the end of a truncated line may be incomplete. */
  private wholeId(): RawId | undefined {
    const { id, line } = this;
    if (id === undefined || this.isIdTwice) return undefined;
    const next = line[this.json.afterSpace(id.end)];
    const read = next === COMMA || next === CLOSE_BRACE ? readId(line, id) : undefined;
    return read !== undefined && 'id' in read ? read.id : undefined;
  }

  private readonly member: MemberReader = (keyStart, keyEnd, valueStart, depth) => {
    const { line, json } = this;
    const node = findKey(MEMBERS, line, keyStart, keyEnd);
    if (node === undefined) {
      this.notAnotherKey(keyStart, keyEnd);
      return json.value(valueStart, depth);
    }
    if ((this.seen & node.bit) !== 0) {
      this.problem ??= `"${node.key}" appears twice`;
      this.isIdTwice ||= node.bit === ID;
    }
    this.seen |= node.bit;
    if (line[valueStart] !== LOWER_N) this.reported |= node.bit;
    if (node.key === 'params') {
      this.hasOddParams = line[valueStart] !== OPEN_BRACE;
      return this.readInside(this.wanted, valueStart, depth);
    }
    const end = json.value(valueStart, depth);
    if (node.key === 'jsonrpc') this.isVersioned = sameBytes(VERSION, line, valueStart, end);
    // Separate properties, because a store under a computed key is several times slower.
    else if (node.key === 'id') this.id = { start: valueStart, end };
    else if (node.key === 'method') this.method = { start: valueStart, end };
    else if (node.key === 'result') this.result = { start: valueStart, end };
    else this.error = { start: valueStart, end };
    return end;
  };

  private notAnotherKey(keyStart: number, keyEnd: number): void {
    const known = confusableKey(MEMBERS, this.line, keyStart, keyEnd);
    if (known !== undefined) this.problem ??= `another key can be taken for "${known}"`;
  }

  /** Reads a value. If it is an object, only `nodes` are wanted from it. */
  private readInside(nodes: readonly KeyNode[], start: number, depth: number): number {
    const { json } = this;
    if (nodes.length === 0 || this.line[start] !== OPEN_BRACE) return json.value(start, depth);
    const { nodes: nodesAround, seenInside: seenAround } = this;
    this.nodes = nodes;
    this.seenInside = 0;
    const end = json.object(start, depth, this.memberInside);
    this.nodes = nodesAround;
    this.seenInside = seenAround;
    return end;
  }

  private readonly memberInside: MemberReader = (keyStart, keyEnd, valueStart, depth) => {
    const node = findKey(this.nodes, this.line, keyStart, keyEnd);
    if (node === undefined) return this.json.value(valueStart, depth);
    if ((this.seenInside & node.bit) !== 0) this.problem ??= `"params.${node.path}" appears twice`;
    this.seenInside |= node.bit;
    const end = this.readInside(node.children, valueStart, depth);
    if (node.isWanted) this.params = new FoundSpans(node.path, { start: valueStart, end }, this.params);
    return end;
  };
}

/** Reads one line like a {@link MessageReader}, for callers that read few lines. */
export function readMessage(line: Buffer, wanted: readonly KeyNode[]): Message {
  return new MessageReader(wanted).read(line);
}

/** Returns the hints at the beginning and end of a line that was too long to read. */
export function hintsOf(head: Buffer, tail: Buffer): EnvelopeHints {
  return withTail(new MessageReader([]).readHints(head), tail);
}

function bitsOf(...keys: readonly string[]): number {
  return MEMBERS.reduce((bits, { key, bit }) => (keys.includes(key) ? bits | bit : bits), 0);
}
