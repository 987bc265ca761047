/** A little less than the limit of a body, for what stands around the arguments. */
const BYTES = 4 * 1024 * 1024 - 1000;
/** Somewhat below the limit of values in a body, keys included. */
const VALUES = 49_000;

/** Parts, joined by commas, that fill a body with as many values as it may have. */
function filled(valuesEach: number, part: (text: string, index: number) => string): string {
  const count = Math.floor(VALUES / valuesEach);
  const overhead = part('', 10_000).length + 1;
  const text = 'x'.repeat(Math.floor(BYTES / count) - overhead);
  return Array.from({ length: count }, (_, index) => part(text, 10_000 + index)).join(',');
}

const call = (args: string, more = ''): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"e__echo","arguments":${args}${more}}}`;
const text = (unit: string, bytes = unit.length): string => unit.repeat(Math.floor(BYTES / bytes));

/** Bodies of 4 MiB that are accepted, each of another shape. */
export const LARGE_SHAPES: readonly (readonly [name: string, body: string])[] = [
  ['a text', call(`{"message":"${text('x')}"}`)],
  ['a text of two-byte characters', call(`{"message":"${text('é', 2)}"}`)],
  ['a text of four-byte characters', call(`{"message":"${text('😀', 4)}"}`)],
  ['a text of escaped quotes', call(`{"message":"${text(String.raw`\"`)}"}`)],
  ['a text of escaped code units', call(`{"message":"${text(String.raw`\u00e9`)}"}`)],
  ['space', call(`{"message":"x"}${text(' ')}`)],
  ['a key', call(`{"message":"x","${text('k')}":0}`)],
  ['a number', call(`{"message":"x","n":${text('1')}}`)],
  ['texts', call(`{"message":"x","a":[${filled(1, (fill) => `"${fill}"`)}]}`)],
  ['numbers', call(`{"message":"x","a":[${filled(1, (fill) => `1${fill.replaceAll('x', '0')}`)}]}`)],
  ['members', call(`{"message":"x",${filled(2, (fill, index) => `"${index}${fill}":0`)}}`)],
  ['members of params', call('{"message":"x"}', `,${filled(2, (fill, index) => `"${index}${fill}":0`)}`)],
  ['objects', call(`{"message":"x","a":[${filled(3, (fill) => `{"k":"${fill}"}`)}]}`)],
  ['arrays', call(`{"message":"x","a":[${filled(3, (fill) => `[["${fill}"]]`)}]}`)],
  [
    'levels',
    call(`{"message":"x","a":[${filled(201, (fill) => `${'['.repeat(200)}"${fill}"${']'.repeat(200)}`)}]}`),
  ],
  [
    'a batch',
    `[${Array.from({ length: 100 }, (_, id) => call(`{"message":"${'x'.repeat(41_000)}"}`).replace('"id":1', `"id":${id}`)).join(',')}]`,
  ],
];
