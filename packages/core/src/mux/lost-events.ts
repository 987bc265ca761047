/** Maximum number of lost events of one name whose sequence numbers are remembered. */
export const MAX_REMEMBERED = 1000;

/** The events of one name that are not stored: the sequence numbers of the latest, and the total number. */
export class LostEvents {
  private readonly latest: number[] = [];
  private count = 0;

  add(sequence: number): void {
    this.latest[this.count % MAX_REMEMBERED] = sequence;
    this.count += 1;
  }

  /**
   * Returns the number of lost events after a sequence number. An event whose own number is not remembered counts if it
   * may be after it.
   */
  above(sequence: number): number {
    const { latest, count } = this;
    const forgotten = count - latest.length;
    const oldest = forgotten === 0 ? 0 : (latest[count % MAX_REMEMBERED] ?? 0);
    const remembered = latest.filter((lost) => lost > sequence).length;
    return remembered + Math.min(forgotten, Math.max(0, oldest - sequence - 1));
  }
}
