import fc from 'fast-check';

const LAST_BEFORE_SURROGATES = 0xd7_ff;
const SURROGATE_COUNT = 0x8_00;
const character = fc
  .integer({ min: 0, max: 0x10_ff_ff - SURROGATE_COUNT })
  .map((code) => String.fromCodePoint(code > LAST_BEFORE_SURROGATES ? code + SURROGATE_COUNT : code));

/**
 * Generates strings of any characters, often of common ASCII characters.
 *
 * Replaces `fc.string({ unit: 'binary' })`, which builds a table of all characters in every thread and thereby takes
 * two seconds of CPU time.
 */
export function anyText(length: { readonly minLength?: number; readonly maxLength?: number } = {}) {
  return fc.oneof({ weight: 3, arbitrary: fc.string({ unit: character, ...length }) }, fc.string(length));
}
