import { expect, it } from 'vitest';

import { pictureSize } from './picture-size.js';

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/[\da-f]{2}/gi) ?? [], (pair) => Number.parseInt(pair, 16));
}

const PNG = '89504e470d0a1a0a 0000000d 49484452 00000014 0000000a 0806000000';
const GIF = '474946383961 1400 0a00 f00000';
const JPEG = 'ffd8 ffe00004 0000 ffc40003 00 ffc2 0011 08 000a 0014 03 012200';
const WEBP = '52494646 00000000 57454250';

it.each([
  ['PNG', PNG],
  ['GIF', GIF],
  ['JPEG', JPEG],
  ['WebP', `${WEBP} 56503820 00000000 000000 9d012a 1400 0a00`],
  ['lossless WebP', `${WEBP} 5650384c 00000000 2f 13400200`],
  ['extended WebP', `${WEBP} 56503858 0a000000 00000000 130000 090000`],
])('the size of a %s picture is read', (_, hex) => {
  expect(pictureSize(bytes(hex.replaceAll(' ', '')))).toEqual({ width: 20, height: 10 });
});

it.each([
  ['nothing', ''],
  ['a cut PNG', PNG.slice(0, 30)],
  ['a JPEG without a frame', 'ffd8ffe00004 0000 00'],
  ['a JPEG with a segment that ends behind it', 'ffd8ffe0ffff'],
  ['another WebP', `${WEBP} 41414141 0000`],
  ['an SVG picture', '3c73766720786d6c6e733d'],
])('%s has no size', (_, hex) => {
  expect(pictureSize(bytes(hex.replaceAll(' ', '')))).toBeUndefined();
});

it('a file of random bytes is read to its end at most', () => {
  const long = new Uint8Array(1_000_000).fill(0xff);
  long.set([0xff, 0xd8, 0xff, 0xe0, 0, 2]);
  expect(pictureSize(long)).toBeUndefined();
});
