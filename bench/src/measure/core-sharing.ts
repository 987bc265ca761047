/** A core of its own takes 3 to 4 cycles for a turn of the broad work, a shared one 5 and more. */
const SHARED_FROM_CYCLES = 4.5;
const BROAD_TURNS = 8000;
const CHAIN_TURNS = 1000;
const CYCLES_PER_CHAIN_TURN = 24;
const TRIES = 4;
const WARM_UP_TRIES = 1000;

/**
 * Tells whether the core that this process runs on is shared: by SMT, with whatever runs on its other half. Inside of a virtual
 * machine nothing else tells of it, as no time is stolen. Code then takes up to twice as long, but what waits for memory or
 * for its own results does not: so work of both kinds is compared, which needs no clock rate, nor a moment of rest.
 */
export class CoreSharing {
  /** Kept, or the compiler might leave the work out. */
  private sum = 0;

  constructor(private readonly clock: () => number = () => performance.now()) {
    // Until both are compiled they are slow on any core.
    for (let turn = 0; turn < WARM_UP_TRIES; turn += 1) this.sum ^= broad() ^ chain(turn);
  }

  /** How many cycles a turn of the broad work takes now. */
  cyclesPerTurn(): number {
    let [broadTime, chainTime] = [Infinity, Infinity];
    // The least of some: one may have been interrupted.
    for (let turn = 0; turn < TRIES; turn += 1) {
      broadTime = Math.min(broadTime, this.timeOf(broad));
      chainTime = Math.min(chainTime, this.timeOf(chain));
    }
    const cycle = chainTime / (CHAIN_TURNS * CYCLES_PER_CHAIN_TURN);
    return broadTime / BROAD_TURNS / cycle;
  }

  private timeOf(work: (seed: number) => number): number {
    const before = this.clock();
    this.sum ^= work(this.sum);
    return this.clock() - before;
  }
}

/** The share of these that were read from a core that is shared. NaN for none. */
export function sharedShare(cyclesPerTurn: readonly number[]): number {
  return cyclesPerTurn.filter((cycles) => cycles > SHARED_FROM_CYCLES).length / cyclesPerTurn.length;
}

/** Six sums side by side: as many instructions in a cycle as a core can begin. */
function broad(): number {
  let one = 1;
  let two = 2;
  let three = 3;
  let four = 4;
  let five = 5;
  let six = 6;
  for (let turn = 0; turn < BROAD_TURNS; turn += 1) {
    one = (one * 3 + 1) | 0;
    two = ((two ^ (two << 1)) + turn) | 0;
    three = (three + 7) ^ turn;
    four = (four - 3) ^ turn;
    five = (five + turn) | 0;
    six = ((six ^ turn) + 5) | 0;
  }
  return one ^ two ^ three ^ four ^ five ^ six;
}

/** Products that wait for each other, for three cycles each: most of a core is idle. */
function chain(seed: number): number {
  let product = seed | 1;
  for (let turn = 0; turn < CHAIN_TURNS; turn += 1) {
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
    product = Math.imul(product, product);
  }
  return product;
}
