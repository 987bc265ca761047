import { type Edit, JsonReader, type Span, splice, stringAt, valuePaths, valueSpans } from '@mcpmux/wire';

const SCHEMA = valuePaths([['outputSchema'], ['outputSchema', 'type'], ['outputSchema', '$schema']]);
const ID_PATHS = valuePaths([['$id']]);
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
/** Keywords whose values are maps from names to schemas. */
const SCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords whose values are data. A `$ref` inside the data is not a reference. */
const DATA_KEYWORDS: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Wraps a tool's `outputSchema` in an object schema, as its member `result`, because legacy clients accept only objects
 * as structured results.
 *
 * @param definition the tool's definition from its server
 * @returns undefined if the definition needs no wrapping
 */
export function withWrappedOutput(definition: Buffer): Buffer | undefined {
  const spans = new Map(
    valueSpans(definition, { start: 0, end: definition.length }, SCHEMA).map(({ path, span }) => [
      path,
      span,
    ]),
  );
  const schema = spans.get('outputSchema');
  const type = spans.get('outputSchema.type');
  if (schema === undefined || (type !== undefined && stringAt(definition, type) === 'object'))
    return undefined;
  const dialect = spans.get('outputSchema.$schema');
  const hoisted = dialect && `"$schema":${definition.toString('utf8', dialect.start, dialect.end)},`;
  const inner = definition[schema.start] === OPEN_BRACE ? movedSchema(definition, schema) : '{}';
  const bytes = `{${hoisted ?? ''}"type":"object","properties":{"result":${inner}},"required":["result"]}`;
  return splice(definition, [{ span: schema, bytes }]).subarray(0, -1);
}

/**
 * Returns the schema as JSON text. Adjusts references to its root, because wrapping moves the schema one level down.
 */
function movedSchema(definition: Buffer, { start, end }: Span): string {
  const schema = definition.subarray(start, end);
  return splice(schema, rootReferenceEdits(schema)).subarray(0, -1).toString('utf8');
}

/** Returns edits that adjust the schema's references to its own root. */
function rootReferenceEdits(schema: Buffer): readonly Edit[] {
  const reader = new JsonReader(schema);
  const edits: Edit[] = [];
  const visitSchema = (start: number): number => {
    if (schema[start] === OPEN_BRACKET) return reader.array(start, 0, visitSchema);
    if (schema[start] !== OPEN_BRACE) return reader.value(start);
    // References inside a schema with a `$id` are relative to that `$id`, so they stay correct.
    if (hasOwnId(schema, start)) return reader.value(start);
    return reader.object(start, 0, (keyStart, keyEnd, valueStart) => {
      const key = stringAt(schema, { start: keyStart - 1, end: keyEnd + 1 }) ?? '';
      if (DATA_KEYWORDS.has(key)) return reader.value(valueStart);
      if (SCHEMA_MAP_KEYWORDS.has(key)) return visitMap(valueStart);
      const valueEnd = visitSchema(valueStart);
      if (key === '$ref') edits.push(...referenceEdits(schema, { start: valueStart, end: valueEnd }));
      return valueEnd;
    });
  };
  const visitMap = (start: number): number =>
    schema[start] === OPEN_BRACE
      ? reader.object(start, 0, (_keyStart, _keyEnd, valueStart) => visitSchema(valueStart))
      : reader.value(start);
  visitSchema(0);
  return edits;
}

function referenceEdits(schema: Buffer, span: Span): readonly Edit[] {
  const target = stringAt(schema, span);
  const isPointer = target === '#' || target?.startsWith('#/') === true;
  return isPointer ? [{ span, bytes: JSON.stringify(`#/properties/result${target.slice(1)}`) }] : [];
}

function hasOwnId(schema: Buffer, start: number): boolean {
  return valueSpans(schema, { start, end: schema.length }, ID_PATHS).length > 0;
}
