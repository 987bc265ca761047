import type { EnvelopeHints } from './envelope-hints.js';
import type { Span } from '../json/span.js';

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
      /** Set when `params` is there and is no object. */
      readonly hasOddParams?: true;
    }
  | {
      readonly kind: 'notification';
      readonly method: string;
      readonly params: ParamSpans;
      readonly versioned: boolean;
      /** Set when `params` is there and is no object. */
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
      /** True as well for a text beyond a limit (depth, number of values), of which nobody knows. */
      readonly isJson: boolean;
      readonly hints: EnvelopeHints;
    };

const QUOTE = 0x22;
const BACKSLASH = '\\';

/** The text of the JSON string at `span`, or `undefined` when the value is of another type. */
export function stringAt(line: Buffer, span: Span): string | undefined {
  if (line[span.start] !== QUOTE) return undefined;
  const text = line.toString('utf8', span.start + 1, span.end - 1);
  return text.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text;
}

/** The text at a path of the params of a message; `undefined` when there is none, or a value of another type. */
export function paramText(
  line: Buffer,
  { params }: { readonly params: ParamSpans },
  path: string,
): string | undefined {
  const span = params.get(path);
  return span && stringAt(line, span);
}

/** A map of the very few values that are wanted of one message: a list costs a fraction of what a table does. */
export class FoundSpans implements ParamSpans {
  constructor(
    private readonly path: string,
    private readonly span: Span,
    private readonly before: FoundSpans | undefined,
  ) {}

  get(path: string): Span | undefined {
    return this.path === path ? this.span : this.before?.get(path);
  }

  has(path: string): boolean {
    return this.get(path) !== undefined;
  }

  *[Symbol.iterator](): Generator<readonly [string, Span], void> {
    yield [this.path, this.span];
    if (this.before !== undefined) yield* this.before;
  }
}
