import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { jsonNumber, jsonString, jsonValue } from '@mcpmux/testing/arbitrary-json';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { idKey, MAX_ID_BYTES, type RawId, readId, readIssuedId, stringId } from './request-id.js';

/** What `read` makes of a JSON value that stands amid other digits. */
function amid<Result>(
  read: (line: Buffer, span: { start: number; end: number }) => Result,
  json: string,
): Result {
  const line = Buffer.from(`99${json}99`);
  return read(line, { start: 2, end: line.length - 2 });
}

/** A number that is an integer exactly when the JSON number is: the digits of the arbitrary ones are few. */
function exactly(json: string): number {
  const [mantissa = '', exponent = '0'] = json.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction);
  const places = BigInt(exponent.replace('+', '')) - BigInt(fraction.length);
  if (digits === 0n || places >= 0n) return 0;
  return places > -2000n && digits % 10n ** -places === 0n ? 0 : 0.5;
}

const idOf = (json: string) => amid(readId, json);
const issued = (json: string) => amid(readIssuedId, json);

describe('readId', () => {
  it.each(['7', '0', '-3', '-0', '9007199254740993', '123456789012345678901234567890'])(
    'B17: keeps the integer %s digit for digit',
    (json) => {
      expect(idOf(json)).toEqual({ id: json });
    },
  );

  it.each(['""', '"7"', '" 7 "', '"a\\u0062"', '"\\u0000"', '"日本"', '"\u2028"', '"null"', '"1.5"'])(
    'B17: keeps the string %s as it was written',
    (json) => {
      expect(idOf(json)).toEqual({ id: json });
    },
  );

  it('tells 7 from "7"', () => {
    expect(idOf('7')).not.toEqual(idOf('"7"'));
  });

  it.each(['1.0', '7.000', '1e0', '10E-1', '1e3', '-0.0', '0e-5', '1.50e1', '-20e-1', '1e400', '1E+2'])(
    'B17: keeps %s, which is an integer for JSON Schema, as it was written',
    (json) => {
      expect(idOf(json)).toEqual({ id: json });
    },
  );

  it.each(['null', 'true', 'false', '1.5', '1.50', '15e-1', '-1E-2', '1e-400', '{}', '{"a":1}', '[]', '[1]'])(
    'B17: refuses %s, and says so',
    (json) => {
      expect(idOf(json)).toEqual({ problem: `id must be a string or an integer, not ${json}` });
    },
  );

  it('B17: refuses an id of more than 1024 bytes', () => {
    const longest = `"${'é'.repeat((MAX_ID_BYTES - 2) / 2)}"`;
    expect(MAX_ID_BYTES).toBe(1024);
    expect(idOf(longest)).toEqual({ id: longest });
    expect(idOf(`"${longest}`)).toEqual({ problem: 'id is longer than 1024 bytes' });
    expect(idOf('1'.repeat(MAX_ID_BYTES))).toHaveProperty('id');
    expect(idOf('1'.repeat(MAX_ID_BYTES + 1))).toHaveProperty('problem');
  });

  it('quotes no more than the beginning of an id that it refuses', () => {
    expect(idOf(`[${'1,'.repeat(100)}1]`)).toEqual({
      problem: `id must be a string or an integer, not ${`[${'1,'.repeat(100)}`.slice(0, 40)}`,
    });
  });

  it('keeps every string and every integer, and refuses every other value', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, jsonNumber, jsonString), (json) => {
        fc.pre(Buffer.byteLength(json) <= MAX_ID_BYTES);
        const isId = json.startsWith('"') || (/^[-\d]/.test(json) && Number.isInteger(exactly(json)));
        const read = idOf(json);
        expect('id' in read ? read.id : undefined).toBe(isId ? json : undefined);
      }),
      propertyRuns(100),
    );
  });
});

describe('idKey', () => {
  const keyOf = (json: string): string => idKey(json as RawId);

  it.each([
    ['1.0', '1'],
    ['10E-1', '1'],
    ['-0', '0'],
    ['0e7', '0'],
    ['1e3', '1000'],
    ['-12.50e2', '-1250'],
    ['9007199254740993.0', '9007199254740993'],
    ['1e2000', '1e2000'],
    ['10e1999', '1e2000'],
    [String.raw`"\u0061"`, '"a"'],
    [String.raw`"\/"`, '"/"'],
  ])('B18: %s is the same id as %s', (json, other) => {
    expect(keyOf(json)).toBe(keyOf(other));
  });

  it.each([
    ['1', '"1"'],
    ['1', '-1'],
    ['1', '10'],
    ['9007199254740993', '9007199254740992'],
    ['"a"', '"A"'],
  ])('%s and %s are two ids', (json, other) => {
    expect(keyOf(json)).not.toBe(keyOf(other));
  });

  it('B18: every way to write an integer has one key, and every integer its own', () => {
    const ways = (value: bigint, zeros: number): readonly string[] => [
      `${value}`,
      `${value}.${'0'.repeat(zeros + 1)}`,
      `${value}${'0'.repeat(zeros)}e-${zeros}`,
      `${value}.${'0'.repeat(zeros + 1)}E+0`,
    ];
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(20), (value, zeros) => {
        expect(new Set(ways(value, zeros).map(keyOf))).toEqual(new Set([String(value)]));
      }),
    );
  });
});

describe('stringId', () => {
  it('S7: makes an id that is read back as it is, and as the text it was made of', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 100 }), (text) => {
        const id = stringId(text);
        expect(idOf(id)).toEqual({ id });
        expect(JSON.parse(id)).toBe(text);
      }),
    );
  });

  it('never makes the id of a number', () => {
    expect(stringId('7')).toBe('"7"');
    expect(stringId('"7"')).toBe(String.raw`"\"7\""`);
  });

  it('keeps half a character: what it stands for is not lost in an encoding', () => {
    expect(stringId('\ud800')).toBe(String.raw`"\ud800"`);
  });
});

describe('readIssuedInteger', () => {
  it.each([
    ['7', 7],
    ['0', 0],
    ['9007199254740991', 9007199254740991],
    ['7.0', 7],
    ['7.000', 7],
    ['70e-1', 7],
    ['0.7E1', 7],
    ['-7', -7],
  ])('B15: takes %s for the number that it is', (json, value) => {
    expect(issued(json)).toBe(value);
  });

  it.each(['" 7 "', '"07"', '""', '"7.0"', 'null', 'true', '[7]', '{"7":7}', '7.5', '7e-1'])(
    'B15: never makes a number of %s',
    (json) => {
      expect(issued(json)).toBeUndefined();
    },
  );

  it.each([
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
    '18446744073709551623',
    '9'.repeat(400),
  ])('refuses %s, of which a double does not know the last digit', (json) => {
    expect(issued(json)).toBeUndefined();
  });

  it('reads back every integer that can be issued', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (id) => {
        expect(issued(String(id))).toBe(id);
        expect(issued(`${id}.0`)).toBe(id);
        expect(issued(`"${id}"`)).toBe(id);
      }),
    );
  });

  it('agrees with JSON.parse about every value', () => {
    fc.assert(
      fc.property(fc.oneof(jsonValue, jsonNumber), (json) => {
        const value: unknown = JSON.parse(json);
        const isText = /^"(?:0|-?[1-9]\d{0,15})"$/.test(json);
        const number = isText ? Number(value) : value;
        expect(issued(json)).toBe(Number.isSafeInteger(number) ? number : undefined);
      }),
      propertyRuns(100),
    );
  });
});
