/**
 * Keeps the answers of several requests in the order of the requests: an answer is dropped if a later request was
 * answered before.
 */
export class Newest {
  private asked = 0;
  private taken = 0;

  /** Begins a request. Returns a function that tells whether its answer is still wanted, to be called with the answer. */
  ask(): () => boolean {
    this.asked += 1;
    const own = this.asked;
    return () => {
      if (own < this.taken) return false;
      this.taken = own;
      return true;
    };
  }
}
