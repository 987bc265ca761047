// Time and chance of the simulation.

/** Time that passes only when nothing is left to do at its moment. */
export class VirtualClock {
  time = 0;
  heap = [];
  now = () => this.time;
  schedule = (callback, delayMs) => {
    const entry = { due: this.time + delayMs, callback, isOver: false };
    this.push(entry);
    return { cancel: () => (entry.isOver = true) };
  };

  pause = (ms) =>
    new Promise((resolve) => {
      this.schedule(resolve, ms);
    });

  /** Lets time pass. Resolves with whether the condition holds, at the latest after the limit. */
  async until(holds, limitMs) {
    const last = this.time + limitMs;
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      if (holds()) return true;
      const next = this.heap[0];
      if (next === undefined || next.due > last) {
        this.time = last;
        return holds();
      }
      // What is due within one millisecond happens before its consequences, in its order.
      const batchEnd = next.due + 1;
      while (this.heap.length > 0 && this.heap[0].due <= batchEnd) {
        const { callback, isOver, due } = this.pop();
        this.time = due;
        if (!isOver) callback();
      }
    }
  }

  pass(ms) {
    return this.until(() => false, ms);
  }

  push(entry) {
    const { heap } = this;
    let at = heap.push(entry) - 1;
    while (at > 0 && heap[(at - 1) >> 1].due > entry.due) {
      heap[at] = heap[(at - 1) >> 1];
      at = (at - 1) >> 1;
    }
    heap[at] = entry;
  }

  pop() {
    const { heap } = this;
    const top = heap[0];
    const last = heap.pop();
    if (heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1].due < heap[child].due) child += 1;
      if (heap[child].due >= last.due) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return top;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed >>> 0) / 2 ** 32;
  };
}
