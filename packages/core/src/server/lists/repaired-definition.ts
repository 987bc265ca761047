import { isRecord } from '@mcpmux/kit';
import {
  EACH,
  type Edit,
  JsonReader,
  type KeyNode,
  type Span,
  splice,
  valuePaths,
  valueSpans,
} from '@mcpmux/wire';
import { prependEdit, removalEdits } from '../link/members.js';

/** A definition that clients accept, and descriptions of its repairs as parts of a sentence. */
export interface RepairedDefinition {
  readonly bytes: Buffer;
  readonly repairs: readonly string[];
}

type Path = readonly string[];

const ANNOTATION_PATHS: readonly Path[] = [
  ['annotations'],
  ...['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map(annotationPath),
  ...['audience', 'priority', 'lastModified'].map(annotationPath),
];
const SCHEMA_MEMBERS = ['$schema', 'type', 'properties', 'required', 'title', 'description'];
const ENTRY_MEMBERS = ['title', 'description', 'mimeType', 'size', 'icons', 'execution', '_meta'];
/** The paths of optional members. */
const OPTIONAL_PATHS: readonly KeyNode[] = valuePaths([
  ...ENTRY_MEMBERS.map((member) => [member]),
  ...ANNOTATION_PATHS,
  ...SCHEMA_MEMBERS.map((member) => ['inputSchema', member]),
  ['outputSchema'],
  ...SCHEMA_MEMBERS.map((member) => ['outputSchema', member]),
  ['execution', 'taskSupport'],
  ...['mimeType', 'sizes', 'theme'].map((member) => ['icons', EACH, member]),
  ['arguments'],
  ...['title', 'description', 'required'].map((member) => ['arguments', EACH, member]),
]);
const SCHEMA_PATHS = valuePaths([['inputSchema'], ['outputSchema']]);
const PROPERTIES_PATHS = valuePaths([
  ['inputSchema', 'properties'],
  ['outputSchema', 'properties'],
]);
const TYPED_MEMBER_PATHS = valuePaths(
  ['inputSchema', 'outputSchema'].flatMap((schema) =>
    ['$schema', 'properties', 'required'].map((member) => [schema, member]),
  ),
);
const LAST_MODIFIED_PATHS = valuePaths([['annotations', 'lastModified']]);
const OUTPUT_SCHEMA_PATHS = valuePaths([['outputSchema']]);
/** The subschema `false` as an object. Other subschemas that are not objects become `{}`, which allows all values. */
const ALLOWS_NOTHING = '{"not":{}}';
const OPEN_BRACKET = 0x5b;
const OPEN_BRACE = 0x7b;

/**
 * Repairs the parts of a definition that clients reject but whose meaning is unambiguous. All other bytes stay as the
 * server wrote them. Returns undefined if nothing needs repair.
 */
export function repairedDefinition(bytes: Buffer): RepairedDefinition | undefined {
  const repairs: string[] = [];
  let repaired = bytes;
  for (const step of [withoutNulls, withProperties, withoutMistyped, withSchemaType, withModifiedTime]) {
    const { edits, repair } = step(repaired);
    if (edits.length === 0) continue;
    repaired = splice(repaired, edits).subarray(0, -1);
    repairs.push(repair);
  }
  return repairs.length === 0 ? undefined : { bytes: repaired, repairs };
}

/** Removes a tool's output schema, which is optional. Returns undefined if the tool has none. */
export function withoutOutputSchema(bytes: Buffer): Buffer | undefined {
  const [found] = valuesAt(bytes, OUTPUT_SCHEMA_PATHS);
  if (found === undefined) return undefined;
  return splice(bytes, removalEdits(bytes, [found.span])).subarray(0, -1);
}

interface RepairStep {
  readonly edits: readonly Edit[];
  readonly repair: string;
}

function withoutNulls(bytes: Buffer): RepairStep {
  const nulls = valuesAt(bytes, OPTIONAL_PATHS).filter(({ span }) => textAt(bytes, span) === 'null');
  return {
    edits: removalEdits(
      bytes,
      nulls.map(({ span }) => span),
    ),
    repair: `without ${nulls.map(({ path }) => path).join(', ')}, which is null`,
  };
}

/**
 * Replaces `properties` with an empty object if it is an empty array, because PHP and Lua programs write empty objects
 * as arrays. Also replaces subschemas that are not objects.
 */
function withProperties(bytes: Buffer): RepairStep {
  const edits = valuesAt(bytes, PROPERTIES_PATHS).flatMap(({ span }) =>
    bytes[span.start] === OPEN_BRACE ? subschemaEdits(bytes, span) : emptyObjectEdits(bytes, span),
  );
  return { edits, repair: 'with objects for properties that are none' };
}

function emptyObjectEdits(bytes: Buffer, span: Span): readonly Edit[] {
  return /^\[\s*\]$/.test(textAt(bytes, span)) ? [{ span, bytes: '{}' }] : [];
}

function subschemaEdits(bytes: Buffer, { start }: Span): readonly Edit[] {
  const reader = new JsonReader(bytes);
  const edits: Edit[] = [];
  reader.object(start, 0, (_keyStart, _keyEnd, valueStart, depth) => {
    const end = reader.value(valueStart, depth);
    const span = { start: valueStart, end };
    const isObjectOrArray = bytes[valueStart] === OPEN_BRACE || bytes[valueStart] === OPEN_BRACKET;
    if (!isObjectOrArray)
      edits.push({ span, bytes: textAt(bytes, span) === 'false' ? ALLOWS_NOTHING : '{}' });
    return end;
  });
  return edits;
}

/** Removes a schema's members of the wrong type. The server still validates its arguments itself. */
function withoutMistyped(bytes: Buffer): RepairStep {
  const mistyped = valuesAt(bytes, TYPED_MEMBER_PATHS).filter(({ path, span }) => {
    const value: unknown = JSON.parse(textAt(bytes, span));
    if (path.endsWith('.properties')) return !isRecord(value);
    if (path.endsWith('.required'))
      return !Array.isArray(value) || value.some((name) => typeof name !== 'string');
    return typeof value !== 'string';
  });
  const edits = removalEdits(
    bytes,
    mistyped.map(({ span }) => span),
  );
  return {
    edits,
    repair: `without ${mistyped.map(({ path }) => path).join(', ')}, which is of another type`,
  };
}

/** Adds the type "object" to schemas without a type. The schemas for arguments and structured content require it. */
function withSchemaType(bytes: Buffer): RepairStep {
  const edits = valuesAt(bytes, SCHEMA_PATHS).flatMap(({ span }) => {
    const schema: unknown = JSON.parse(textAt(bytes, span));
    return isRecord(schema) && !('type' in schema) ? [prependEdit(bytes, span, '"type":"object"')] : [];
  });
  return { edits, repair: 'with the type "object" of its schemas' };
}

/** Adds midnight UTC to a `lastModified` that is only a date. */
function withModifiedTime(bytes: Buffer): RepairStep {
  const edits = valuesAt(bytes, LAST_MODIFIED_PATHS).flatMap(({ span }) => {
    const day = /^"(\d{4}-\d\d-\d\d)"$/.exec(textAt(bytes, span))?.[1];
    return day === undefined ? [] : [{ span, bytes: `"${day}T00:00:00Z"` }];
  });
  return { edits, repair: 'with a time in annotations.lastModified' };
}

function valuesAt(bytes: Buffer, paths: readonly KeyNode[]) {
  return valueSpans(bytes, { start: 0, end: bytes.length }, paths);
}

function textAt(bytes: Buffer, { start, end }: Span): string {
  return bytes.toString('utf8', start, end);
}

function annotationPath(member: string): Path {
  return ['annotations', member];
}
