/**
 * Keeps the responses to several requests in request order. A response is dropped if a later request has already been
 * answered.
 */
export class Newest {
  private asked = 0;
  private taken = 0;

  /**
   * Begins a request. Returns a function that must be called with the response, and that returns true if the response
   * is still wanted.
   */
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
