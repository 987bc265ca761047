import { JsonReader, type MemberReader } from '../json/json-reader.js';
import { JsonSyntaxError } from '../json/json-syntax-error.js';
import { findKey, keyPaths, sameBytes, type KeyNode } from '../json/key-paths.js';
import { confusableKey } from '../json/confusable-key.js';
import { type EnvelopeHints, NO_HINTS, addTailHints } from './envelope-hints.js';
import { SpanList, stringAt, type Message, type ParamSpans } from './message.js';
import { readId, type RawId } from './request-id.js';
import type { Span } from '../json/span.js';

/** The members of a JSON-RPC message. */
const ENVELOPE_MEMBERS = keyPaths(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const VERSION_VALUE = Buffer.from('"2.0"');
const NO_SPANS: ParamSpans = new Map();
const EMPTY: Buffer = Buffer.alloc(0);
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const COMMA = 0x2c;
/** The maximum length, in characters, of a method name that is cached for the next line. */
const MAX_CACHED_METHOD_LENGTH = 64;
/** The first byte of `null`. */
const LOWER_N = 0x6e;
const ID_BIT = memberBits('id');
const CALL_BITS = memberBits('method', 'params');
const RESPONSE_BITS = memberBits('result', 'error');

/**
 * Reads the envelopes of successive lines. Its helpers are created once, because creating two objects and two functions
 * per line would cause a tenth of a call's allocations.
 */
export class MessageReader {
  private readonly jsonReader = new JsonReader(EMPTY);
  private line = EMPTY;
  private isVersioned = false;
  private id: Span | undefined;
  private method: Span | undefined;
  private result: Span | undefined;
  private error: Span | undefined;
  private params: SpanList | undefined;
  /** A bit for each member found so far. */
  private seenBits = 0;
  /** The wanted members of the current object inside `params`. */
  private currentNodes: readonly KeyNode[] = [];
  /** A bit for each wanted member of this object found so far. */
  private innerSeenBits = 0;
  /** A bit for each member whose value is not `null`. Some peers write every member into every message. */
  private nonNullBits = 0;
  private hasDuplicateId = false;
  private hasOddParams = false;
  private problem: string | undefined;
  private lastMethod = { name: '', bytes: EMPTY };

  /** @param wanted the wanted members of `params` */
  constructor(private readonly wanted: readonly KeyNode[]) {}

  /** Returns the hints from the first bytes of a line that was too long to read. */
  readHints(head: Buffer): EnvelopeHints {
    try {
      this.readEnvelope(head);
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    return this.createHints();
  }

  /**
   * Reads a line's envelope and the spans of the wanted values in its `params`, in one pass that also validates the
   * whole line. Never throws. A line that is not a message is returned as `malformed`, with hints.
   *
   * A duplicate key on the path to a wanted value makes the message malformed: peers differ in which duplicate they
   * use, and mcpmux must check the value that the other side will use. For the same reason, an envelope key that a
   * lenient peer may confuse with another key makes the message malformed.
   */
  read(line: Buffer): Message {
    try {
      this.readEnvelope(line);
      return this.toMessage();
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      return this.unreadableMessage(error);
    } finally {
      // The reader must not keep a long line in memory until the next line arrives.
      this.line = EMPTY;
      this.jsonReader.begin(EMPTY);
    }
  }

  private readEnvelope(line: Buffer): void {
    const { jsonReader } = this;
    jsonReader.begin(line);
    this.line = line;
    this.isVersioned = false;
    this.id = undefined;
    this.method = undefined;
    this.result = undefined;
    this.error = undefined;
    this.params = undefined;
    this.seenBits = 0;
    this.nonNullBits = 0;
    this.hasDuplicateId = false;
    this.hasOddParams = false;
    this.problem = undefined;
    const start = jsonReader.afterSpace(0);
    const isObject = line[start] === OPEN_BRACE;
    jsonReader.expectEnd(isObject ? jsonReader.object(start, 0, this.readMember) : jsonReader.value(start));
  }

  private toMessage(): Message {
    const { line, id, method } = this;
    if (this.problem !== undefined) return this.malformedMessage(this.problem);
    if (method === undefined) {
      if (id === undefined) return this.malformedMessage('the message has neither a method nor an id');
      return { kind: 'response', id, result: this.result, error: this.error, versioned: this.isVersioned };
    }
    // A peer usually repeats its last method. Comparing bytes costs a fraction of creating a string.
    const isRepeated = sameBytes(this.lastMethod.bytes, line, method.start, method.end);
    const name = isRepeated ? this.lastMethod.name : stringAt(line, method);
    if (name === undefined) return this.malformedMessage('method is not a string');
    if (!isRepeated && name.length <= MAX_CACHED_METHOD_LENGTH)
      this.lastMethod = { name, bytes: Buffer.from(line.subarray(method.start, method.end)) };
    const { params = NO_SPANS, isVersioned: versioned } = this;
    const message: Message =
      id === undefined
        ? { kind: 'notification', method: name, params, versioned }
        : { kind: 'request', id, method: name, params, versioned };
    return this.hasOddParams ? { ...message, hasOddParams: true } : message;
  }

  /** Returns the message for a line that could not be read to its end. */
  private unreadableMessage({ message, isBeyondLimit }: JsonSyntaxError): Message {
    const hints = this.createHints();
    // Many clients write the id last, after the point at which the limit was reached. The end of a line that is not
    // JSON is ignored, because it may belong to another message.
    const allHints = isBeyondLimit ? addTailHints(hints, this.line) : hints;
    return { kind: 'malformed', problem: message, isJson: isBeyondLimit, hints: allHints };
  }

  private malformedMessage(problem: string): Message {
    return { kind: 'malformed', problem, isJson: true, hints: this.createHints() };
  }

  /** Returns the evidence from the members that were read. The last member may be incomplete. */
  private createHints(): EnvelopeHints {
    if (this.line[this.jsonReader.afterSpace(0)] !== OPEN_BRACE) return NO_HINTS;
    const responseKind = (this.nonNullBits & RESPONSE_BITS) === 0 ? 'unknown' : 'response';
    const kind = (this.nonNullBits & CALL_BITS) === 0 ? responseKind : 'calling';
    return { id: this.completeId(), hasId: (this.seenBits & ID_BIT) !== 0, kind };
  }

  /** Returns the id if it is unique and complete. At the end of a truncated line, a number may be incomplete. */
  private completeId(): RawId | undefined {
    const { id, line } = this;
    if (id === undefined || this.hasDuplicateId) return undefined;
    const nextByte = line[this.jsonReader.afterSpace(id.end)];
    const idResult = nextByte === COMMA || nextByte === CLOSE_BRACE ? readId(line, id) : undefined;
    return idResult !== undefined && 'id' in idResult ? idResult.id : undefined;
  }

  private readonly readMember: MemberReader = (keyStart, keyEnd, valueStart, depth) => {
    const { line, jsonReader } = this;
    const node = findKey(ENVELOPE_MEMBERS, line, keyStart, keyEnd);
    if (node === undefined) {
      this.checkConfusableKey(keyStart, keyEnd);
      return jsonReader.value(valueStart, depth);
    }
    if ((this.seenBits & node.bit) !== 0) {
      this.problem ??= `"${node.key}" appears twice`;
      this.hasDuplicateId ||= node.bit === ID_BIT;
    }
    this.seenBits |= node.bit;
    if (line[valueStart] !== LOWER_N) this.nonNullBits |= node.bit;
    if (node.key === 'params') {
      this.hasOddParams = line[valueStart] !== OPEN_BRACE;
      return this.readInnerValue(this.wanted, valueStart, depth);
    }
    const end = jsonReader.value(valueStart, depth);
    if (node.key === 'jsonrpc') this.isVersioned = sameBytes(VERSION_VALUE, line, valueStart, end);
    // One assignment per member, because assigning to a computed key is several times slower.
    else if (node.key === 'id') this.id = { start: valueStart, end };
    else if (node.key === 'method') this.method = { start: valueStart, end };
    else if (node.key === 'result') this.result = { start: valueStart, end };
    else this.error = { start: valueStart, end };
    return end;
  };

  private checkConfusableKey(keyStart: number, keyEnd: number): void {
    const similarKey = confusableKey(ENVELOPE_MEMBERS, this.line, keyStart, keyEnd);
    if (similarKey !== undefined) this.problem ??= `another key can be taken for "${similarKey}"`;
  }

  /** Reads a value. If the value is an object, also reads its members that are in `nodes`. */
  private readInnerValue(nodes: readonly KeyNode[], start: number, depth: number): number {
    const { jsonReader } = this;
    if (nodes.length === 0 || this.line[start] !== OPEN_BRACE) return jsonReader.value(start, depth);
    const { currentNodes: nodesAround, innerSeenBits: seenAround } = this;
    this.currentNodes = nodes;
    this.innerSeenBits = 0;
    const end = jsonReader.object(start, depth, this.readInnerMember);
    this.currentNodes = nodesAround;
    this.innerSeenBits = seenAround;
    return end;
  }

  private readonly readInnerMember: MemberReader = (keyStart, keyEnd, valueStart, depth) => {
    const node = findKey(this.currentNodes, this.line, keyStart, keyEnd);
    if (node === undefined) return this.jsonReader.value(valueStart, depth);
    if ((this.innerSeenBits & node.bit) !== 0) this.problem ??= `"params.${node.path}" appears twice`;
    this.innerSeenBits |= node.bit;
    const end = this.readInnerValue(node.children, valueStart, depth);
    if (node.isWanted) this.params = new SpanList(node.path, { start: valueStart, end }, this.params);
    return end;
  };
}

/** Reads one line like a {@link MessageReader}, for callers that read few lines. */
export function readMessage(line: Buffer, wanted: readonly KeyNode[]): Message {
  return new MessageReader(wanted).read(line);
}

/** Returns the hints from the first and last bytes of a line that was too long to read. */
export function hintsOf(head: Buffer, tail: Buffer): EnvelopeHints {
  return addTailHints(new MessageReader([]).readHints(head), tail);
}

function memberBits(...keys: readonly string[]): number {
  return ENVELOPE_MEMBERS.reduce((bits, { key, bit }) => (keys.includes(key) ? bits | bit : bits), 0);
}
