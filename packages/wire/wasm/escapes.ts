import { among, equal } from './block';

const ESCAPED: usize = memory.data(8, 8);
const HEX_DIGITS: usize = memory.data(8, 8);
/** Every second bit. */
const ODD: u64 = 0xaaaaaaaaaaaaaaaa;

/** Where the last block given to {@link escapedIn} breaks a rule of strings. Control characters are no errors outside. */
export let brokenEscapes: u64 = 0;
export let controls: u64 = 0;

export function forgetEscapes(): void {
  store<u64>(ESCAPED, 0);
  store<u64>(HEX_DIGITS, 0);
}

/** Whether an escape reaches into the next block. */
@inline
export function isEscapeOpen(): bool {
  return (load<u64>(ESCAPED) | load<u64>(HEX_DIGITS)) != 0;
}

/** Which bytes of the block at `at` stand behind a backslash that is not escaped itself. */
export function escapedIn(at: u32): u64 {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const d = v128.load(at, 48);
  const backslashes = equal(0x5c, a, b, c, d);
  // In a run of backslashes every second one is escaped: the subtraction carries on to the end of each run, and leaves
  // there whether the run began at an odd position.
  const before = load<u64>(ESCAPED);
  const escaping = backslashes & ~before;
  const codes = (((escaping << 1) | ODD) - escaping) ^ ODD;
  const escaped = codes ^ (backslashes | before);
  store<u64>(ESCAPED, (codes & backslashes) >> 63);
  const longOnes = escaped & equal(0x75, a, b, c, d);
  // `"\/bfnrt`
  const short = equal(0x22, a, b, c, d) | backslashes | equal(0x2f, a, b, c, d) | equal(0x62, a, b, c, d)
    | equal(0x66, a, b, c, d) | equal(0x6e, a, b, c, d) | equal(0x72, a, b, c, d) | equal(0x74, a, b, c, d);
  brokenEscapes = escaped & ~(longOnes | short);
  // Four hexadecimal digits have to come behind a `u`.
  const due = (longOnes << 1) | (longOnes << 2) | (longOnes << 3) | (longOnes << 4) | load<u64>(HEX_DIGITS);
  store<u64>(HEX_DIGITS, (longOnes >> 63) | (longOnes >> 62) | (longOnes >> 61) | (longOnes >> 60));
  const digits = among(0x30, 10, a, b, c, d) | among(0x61, 6, a, b, c, d) | among(0x41, 6, a, b, c, d);
  brokenEscapes |= due & ~digits;
  controls = among(0, 0x20, a, b, c, d);
  return escaped;
}
