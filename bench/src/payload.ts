/** The answer of the echo server to a call. */
export type PayloadName = '100b' | '10k' | '1m' | 'structured';

/** One kind of answer. */
export interface Payload {
  readonly label: string;
  /** Size of the answer on the wire, about. */
  readonly bytes: number;
  /** The `result` of a `tools/call`. */
  result(): Record<string, unknown>;
}

const KILOBYTE = 1000;
const STRUCTURED_BYTES = 100 * KILOBYTE;
const FILLER = 'The quick brown fox jumps over the lazy dog. ';

/** Every kind of answer, by the name that the command line and the echo server know. */
export const PAYLOADS: Readonly<Record<PayloadName, Payload>> = {
  '100b': text('100 B', 100),
  '10k': text('10 KB', 10 * KILOBYTE),
  '1m': text('1 MB', 1000 * KILOBYTE),
  structured: { label: 'structured 100 KB', bytes: STRUCTURED_BYTES, result: structuredResult },
};

/** All names, smallest answer first. */
export const PAYLOAD_NAMES: readonly PayloadName[] = ['100b', '10k', '1m', 'structured'];

/** True if the text names a kind of answer. */
export function isPayloadName(name: string): name is PayloadName {
  return Object.hasOwn(PAYLOADS, name);
}

/** The kind of answer of this name, or a text of so many bytes. */
export function payloadOf(nameOrBytes: string): Payload {
  if (isPayloadName(nameOrBytes)) return PAYLOADS[nameOrBytes];
  const bytes = Number(nameOrBytes);
  if (Number.isInteger(bytes) && bytes > 0) return text(`${bytes} B`, bytes);
  throw new Error(`no such payload: ${nameOrBytes}`);
}

function text(label: string, bytes: number): Payload {
  const result = (): Record<string, unknown> => ({
    content: [{ type: 'text', text: FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes) }],
  });
  return { label, bytes, result };
}

/** Many small objects: what a parser likes least. No member is called `id`: the load generator looks for it. */
function structuredResult(): Record<string, unknown> {
  const rows: unknown[] = [];
  for (let size = 0; size < STRUCTURED_BYTES;) {
    const index = rows.length;
    const row = {
      number: index,
      name: `row ${index}`,
      done: index % 3 === 0,
      share: index / 7,
      tags: ['a', 'b'],
    };
    rows.push(row);
    size += JSON.stringify(row).length + 1;
  }
  return { content: [{ type: 'text', text: `${rows.length} rows` }], structuredContent: { rows } };
}
