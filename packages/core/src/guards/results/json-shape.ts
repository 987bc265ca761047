import { JsonReader } from '@mcpmux/wire';

const MAX_DEPTH = 4;
const MAX_KEYS = 30;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/**
 * Returns the keys, types and array lengths of a JSON text, such as `{items: [250 × {id: number}]}`. Returns undefined
 * unless the text is a valid JSON object or array.
 */
export function jsonShape(json: Buffer): string | undefined {
  const reader = new JsonReader(json);
  const start = reader.afterSpace(0);
  if (json[start] !== OPEN_BRACE && json[start] !== OPEN_BRACKET) return undefined;
  try {
    const shape = shapeOf(reader, json, start, 0);
    reader.expectEnd(shape.end);
    return shape.text;
  } catch {
    return undefined;
  }
}

interface Shape {
  readonly text: string;
  readonly end: number;
}

// oxlint-disable-next-line eslint/max-params -- the parameters are the state of the recursive walk
function shapeOf(reader: JsonReader, json: Buffer, at: number, depth: number): Shape {
  if (json[at] === OPEN_BRACE && depth < MAX_DEPTH) return objectShape(reader, json, at, depth);
  if (json[at] === OPEN_BRACKET && depth < MAX_DEPTH) return arrayShape(reader, json, at, depth);
  return { text: typeAt(json, at), end: reader.value(at, depth) };
}

// oxlint-disable-next-line eslint/max-params -- the parameters are the state of the recursive walk
function objectShape(reader: JsonReader, json: Buffer, at: number, depth: number): Shape {
  const members: string[] = [];
  let count = 0;
  const end = reader.object(at, depth, (keyStart, keyEnd, start, inner) => {
    count += 1;
    if (count > MAX_KEYS) return reader.value(start, inner);
    const { text, end: after } = shapeOf(reader, json, start, inner);
    members.push(`${json.toString('utf8', keyStart, keyEnd)}: ${text}`);
    return after;
  });
  const more = count > MAX_KEYS ? [`… ${count - MAX_KEYS} more`] : [];
  return { text: `{${[...members, ...more].join(', ')}}`, end };
}

// oxlint-disable-next-line eslint/max-params -- the parameters are the state of the recursive walk
function arrayShape(reader: JsonReader, json: Buffer, at: number, depth: number): Shape {
  let first = '';
  let count = 0;
  const end = reader.array(at, depth, (start, inner) => {
    count += 1;
    if (count > 1) return reader.value(start, inner);
    const shape = shapeOf(reader, json, start, inner);
    first = shape.text;
    return shape.end;
  });
  return { text: count === 0 ? '[]' : `[${count} × ${first}]`, end };
}

function typeAt(json: Buffer, at: number): string {
  const first = String.fromCharCode(json[at] ?? 0);
  if (first === '{') return 'object';
  if (first === '[') return 'array';
  if (first === '"') return 'string';
  if (first === 't' || first === 'f') return 'boolean';
  return first === 'n' ? 'null' : 'number';
}
