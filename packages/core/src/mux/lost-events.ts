/** Lost events of one name whose numbers are remembered. */
export const MAX_REMEMBERED = 1000;

/** The events of one name that are not stored: the numbers of the latest, and how many there were before them. */
export class LostEvents {
  private readonly latest: number[] = [];
  private count = 0;

  add(sequence: number): void {
    this.latest[this.count % MAX_REMEMBERED] = sequence;
    this.count += 1;
  }

  /** The number of lost events above an event. Of those that are not remembered, all count that may be above. */
  above(sequence: number): number {
    const { latest, count } = this;
    const forgotten = count - latest.length;
    const oldest = forgotten === 0 ? 0 : (latest[count % MAX_REMEMBERED] ?? 0);
    const remembered = latest.filter((lost) => lost > sequence).length;
    return remembered + Math.min(forgotten, Math.max(0, oldest - sequence - 1));
  }
}
