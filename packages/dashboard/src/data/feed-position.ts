/** The calls that one page has already received. */
export interface FeedPosition {
  readonly change: number;
  readonly unlisted: number;
  /** The number of the last lost change that was reported to the page. */
  readonly loss: number;
}

const PLACE = /^(\d+)\.(\d+)\.(\d+)$/;

/** Returns a position as text, which the page stores and sends back. */
export function placeOf({ change, unlisted, loss }: FeedPosition): string {
  return `${change}.${unlisted}.${loss}`;
}

/** Returns the position that {@link placeOf} wrote, or undefined for any other text. */
export function positionIn(place: string): FeedPosition | undefined {
  const [change, unlisted, loss] = (PLACE.exec(place) ?? []).slice(1).map(Number);
  const isWhole = change !== undefined && unlisted !== undefined && loss !== undefined;
  return isWhole ? { change, unlisted, loss } : undefined;
}
