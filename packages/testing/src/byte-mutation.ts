import fc from 'fast-check';

/**
 * A change to a text. `at` is a fraction of the text's length, so that a mutation can be applied to a text of any
 * length.
 */
type Mutation =
  | { readonly kind: 'cut'; readonly at: number }
  | { readonly kind: 'delete'; readonly at: number }
  | { readonly kind: 'repeat'; readonly at: number }
  | { readonly kind: 'set' | 'insert'; readonly at: number; readonly byte: number };

const SIGNIFICANT_BYTES = Buffer.from('"\\{}[]:,-+.eE019tfnu \n\t\0\x1F\x7F\xC3\xFF', 'latin1');

const fraction = fc.double({ min: 0, max: 1, noNaN: true });
const byte = fc.oneof(fc.constantFrom(...SIGNIFICANT_BYTES), fc.integer({ min: 0, max: 255 }));
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('cut', 'delete', 'repeat'), at: fraction }),
  fc.record({ kind: fc.constantFrom('set', 'insert'), at: fraction, byte }),
);

/** Generates mutations of the bytes of `text`: some bytes are cut off, deleted, repeated, changed or inserted. */
export function mutatedBytes(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(text, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([original, mutations]) => mutations.reduce(applyMutation, Buffer.from(original)));
}

function applyMutation(bytes: Buffer, change: Mutation): Buffer {
  const at = Math.floor(change.at * bytes.length);
  const before = bytes.subarray(0, at);
  const here = bytes.subarray(at, at + 1);
  const after = bytes.subarray(at + 1);
  switch (change.kind) {
    case 'cut':
      return before;
    case 'delete':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, here, here, after]);
    case 'set':
      return Buffer.concat([before, Buffer.of(change.byte), after]);
    case 'insert':
      return Buffer.concat([before, Buffer.of(change.byte), here, after]);
  }
}
