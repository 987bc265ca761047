import { randomUUID } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/** A text of a result: of a block, or its structured content as JSON. */
export type StoredPart = Buffer;

/** A result that was too large for its client. */
export interface StoredResult {
  /** Only this principal can read it. */
  readonly principal: string;
  readonly parts: readonly StoredPart[];
}

/** Results that were too large for their clients, up to a number of bytes; the least recently read ones go first. */
export class ResultStore {
  private readonly results: LRUCache<string, StoredResult>;

  constructor(readonly maxBytes: number) {
    this.results = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (result) => Math.max(1, sizeOf(result)),
    });
  }

  /** Stores a result. Returns its handle; undefined for one above the limit of the whole store. */
  add(result: StoredResult): string | undefined {
    if (sizeOf(result) > this.maxBytes) return undefined;
    const handle = randomUUID();
    this.results.set(handle, result);
    return handle;
  }

  /** The result with this handle, if the principal may read it and it is still there. */
  get(handle: string, principal: string): StoredResult | undefined {
    const result = this.results.get(handle);
    return result?.principal === principal ? result : undefined;
  }

  get bytes(): number {
    return this.results.calculatedSize;
  }
}

function sizeOf({ parts }: StoredResult): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
