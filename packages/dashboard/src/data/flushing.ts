import type { ServerResponse } from 'node:http';

/** The interval between lines sent to a page, in milliseconds. */
const FLUSH_MS = 250;
/** The longest interval between lines to a page that is reading, in milliseconds. */
export const HEARTBEAT_MS = 2000;

/**
 * Sends new data as a JSON line four times a second until the page disconnects, and sends a line without data at each
 * heartbeat. A page that gets no line can conclude that its mcpmux has stopped.
 *
 * @param takeData returns the data since the last line and whether it is empty; not called while the page reads nothing
 * @returns a function that stops sending
 */
export function startFlushing(
  response: ServerResponse,
  takeData: () => { readonly isSilent: boolean; readonly value: object },
): () => void {
  let quietMs = HEARTBEAT_MS;
  const flush = (): void => {
    if (response.writableNeedDrain) return;
    const { isSilent, value } = takeData();
    quietMs += FLUSH_MS;
    if (isSilent && quietMs < HEARTBEAT_MS) return;
    quietMs = 0;
    response.write(`${JSON.stringify(value)}\n`);
  };
  const timer = setInterval(flush, FLUSH_MS);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  flush();
  return () => clearInterval(timer);
}

/** A bounded queue of items for one page. The oldest items are dropped first. */
export class BoundedQueue<Item> {
  private items: Item[] = [];
  private missed = 0;

  constructor(private readonly maxItems: number) {}

  add(item: Item): void {
    this.items.push(item);
    if (this.items.length <= this.maxItems) return;
    this.items.shift();
    this.missed += 1;
  }

  noteMissed(count: number): void {
    this.missed += count;
  }

  takeAll(): { readonly items: readonly Item[]; readonly missed: number } {
    const { items, missed } = this;
    this.items = [];
    this.missed = 0;
    return { items, missed };
  }
}
