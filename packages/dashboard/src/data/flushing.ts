import type { ServerResponse } from 'node:http';

/** How often a page gets what has happened, in milliseconds. */
const FLUSH_MS = 250;
/** A line is sent after so many intervals in which nothing has happened: a proxy would close the stream. */
const SILENT_FLUSHES = 60;

/**
 * Sends what has come since, as a line of JSON four times a second, until the page is gone.
 *
 * @param take what has come since the last line, and whether that is nothing. A page that does not read is not asked for.
 * @returns ends it
 */
export function flushing(
  response: ServerResponse,
  take: () => { readonly isSilent: boolean; readonly value: object },
): () => void {
  let silent = SILENT_FLUSHES;
  const flush = (): void => {
    if (response.writableNeedDrain) return;
    const { isSilent, value } = take();
    silent += 1;
    if (isSilent && silent < SILENT_FLUSHES) return;
    silent = 0;
    response.write(`${JSON.stringify(value)}\n`);
  };
  const timer = setInterval(flush, FLUSH_MS);
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  flush();
  return () => clearInterval(timer);
}

/** What waits for one page: a bounded number, of which the oldest give way. */
export class Waiting<Item> {
  private items: Item[] = [];
  private missed = 0;

  constructor(private readonly most: number) {}

  add(item: Item): void {
    this.items.push(item);
    if (this.items.length <= this.most) return;
    this.items.shift();
    this.missed += 1;
  }

  skip(count: number): void {
    this.missed += count;
  }

  take(): { readonly items: readonly Item[]; readonly missed: number } {
    const { items, missed } = this;
    this.items = [];
    this.missed = 0;
    return { items, missed };
  }
}
