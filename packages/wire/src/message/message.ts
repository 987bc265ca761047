import type { EnvelopeHints } from './envelope-hints.js';
import type { Span } from '../json/span.js';

/** The spans of the wanted values, by their paths inside `params`. */
export interface ParamSpans extends Iterable<readonly [path: string, span: Span]> {
  get(path: string): Span | undefined;
  has(path: string): boolean;
}

/**
 * One JSON-RPC 2.0 message, as spans in its line. Values are not parsed.
 *
 * `versioned` is false if `"jsonrpc":"2.0"` is missing or different. Such responses are still matched to their
 * requests, because some servers omit the version.
 */
export type Message =
  | {
      readonly kind: 'request';
      readonly id: Span;
      readonly method: string;
      readonly params: ParamSpans;
      readonly versioned: boolean;
      /** Set if `params` is present but not an object. */
      readonly hasOddParams?: true;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: ParamSpans;
      readonly versioned: boolean;
      /** Set if `params` is present but not an object. */
      readonly hasOddParams?: true;
    }
  | {
      readonly kind: 'response';
      readonly id: Span;
      readonly result: Span | undefined;
      readonly error: Span | undefined;
      readonly versioned: boolean;
    }
  | {
      readonly kind: 'malformed';
      readonly problem: string;
      /** Also true for a text that exceeds a limit (depth, number of values), because it may be valid JSON. */
      readonly isJson: boolean;
      readonly hints: EnvelopeHints;
    };

const QUOTE = 0x22;
const BACKSLASH = '\\';

/** Returns the text of the JSON string at `span`, or `undefined` if the value has another type. */
export function stringAt(line: Buffer, span: Span): string | undefined {
  if (line[span.start] !== QUOTE) return undefined;
  const text = line.toString('utf8', span.start + 1, span.end - 1);
  return text.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text;
}

/** Returns the string at a path in a message's params. Returns `undefined` if the value is missing or not a string. */
export function paramText(
  line: Buffer,
  { params }: { readonly params: ParamSpans },
  path: string,
): string | undefined {
  const span = params.get(path);
  return span && stringAt(line, span);
}

/** A map for the few wanted values of one message. Its linked list is much cheaper than a hash table. */
export class SpanList implements ParamSpans {
  constructor(
    private readonly path: string,
    private readonly span: Span,
    private readonly previous: SpanList | undefined,
  ) {}

  get(path: string): Span | undefined {
    return this.path === path ? this.span : this.previous?.get(path);
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  *[Symbol.iterator](): Generator<readonly [string, Span], void> {
    yield [this.path, this.span];
    if (this.previous !== undefined) yield* this.previous;
  }
}
