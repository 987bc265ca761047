import type { Span } from '../json/span.js';

/** Where the wanted values stand, by their path inside `params`. */
export interface ParamSpans extends Iterable<readonly [path: string, span: Span]> {
  get(path: string): Span | undefined;
  has(path: string): boolean;
}

/** For messages without any. */
export const NO_SPANS: ParamSpans = new Map();

/** One wanted value, and those that were found before it. */
interface FoundSpan {
  readonly path: string;
  readonly span: Span;
  readonly before: FoundSpan | undefined;
}

/** A map of the very few values that are wanted of one message: a list costs a fraction of what a table does. */
export class FoundSpans implements ParamSpans {
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
