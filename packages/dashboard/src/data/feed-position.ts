/** Which calls one page has already received. */
export interface FeedPosition {
  readonly change: number;
  readonly unlisted: number;
  /** The number of the last lost change that has been reported to the page. */
  readonly loss: number;
}

const POSITION_PATTERN = /^(\d+)\.(\d+)\.(\d+)$/;

/** Converts a position to text, which the page stores and sends back. */
export function formatPosition({ change, unlisted, loss }: FeedPosition): string {
  return `${change}.${unlisted}.${loss}`;
}

/** Parses a position from {@link formatPosition}. Returns undefined for any other text. */
export function parsePosition(text: string): FeedPosition | undefined {
  const [change, unlisted, loss] = (POSITION_PATTERN.exec(text) ?? []).slice(1).map(Number);
  const isWhole = change !== undefined && unlisted !== undefined && loss !== undefined;
  return isWhole ? { change, unlisted, loss } : undefined;
}
