import { isRecord, quote } from '@mcpmux/kit';
import { stringAt } from '@mcpmux/wire';
import type { ArgumentSpans } from './argument-spans.js';

/** The schema keyword that names a parameter's HTTP header. */
const ANNOTATION = 'x-mcp-header';
const HEADER_PREFIX = 'mcp-param-';
/** Matches a valid header name (RFC 9110, 5.1). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVE_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Schema keywords whose value is a schema or a list of schemas. */
const SCHEMA_KEYWORDS = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
];
/** Schema keywords whose value is a map from names to schemas. */
const SCHEMA_MAP_KEYWORDS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions'];

/** Maps HTTP header names to the paths of the arguments that mcpmux also sends as headers, for one tool. */
export type ParameterHeaders = ReadonlyMap<string, readonly string[]>;

/** The maximum number of parameter headers for one tool. HTTP servers refuse a request with too many headers. */
const MAX_HEADERS = 100;

const MISPLACED_PROBLEM = `its ${ANNOTATION} stands where no parameter of its own is`;
const NO_HEADERS: ParameterHeaders = new Map();

/** Returns the parameters that a tool requires as headers, or the reason why its definition is invalid. */
export function parameterHeaders(definition: Buffer): ParameterHeaders | { readonly problem: string } {
  // Most tools have no such headers, so this check usually saves parsing a long definition.
  if (!definition.includes(ANNOTATION)) return NO_HEADERS;
  const { inputSchema }: { inputSchema?: unknown } = JSON.parse(definition.toString('utf8'));
  const headers = new Map<string, readonly string[]>();
  const problem = collectHeaders(inputSchema, [], headers);
  if (problem !== undefined) return { problem };
  return headers.size > MAX_HEADERS ? { problem: `it has more than ${MAX_HEADERS} ${ANNOTATION}` } : headers;
}

/** Returns a call's parameter headers: one for each wanted argument that the call contains. */
export function headersOfCall(line: Buffer, wanted: ArgumentSpans): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, span] of wanted.findSpans(line)) {
    const text = stringAt(line, span) ?? primitiveText(line.toString('utf8', span.start, span.end));
    if (text !== undefined) headers[`${HEADER_PREFIX}${name}`] = headerValue(text);
  }
  return headers;
}

/** Returns a JSON number or boolean as header text, or undefined for any other value. */
function primitiveText(json: string): string | undefined {
  if (json === 'true' || json === 'false') return json;
  if (!/^-?\d/.test(json)) return undefined;
  const value = Number(json);
  return Number.isSafeInteger(value) ? String(value) : json;
}

/**
 * Collects the annotated parameters reachable through `properties` alone. If the schema is invalid, returns the reason.
 */
function collectHeaders(
  schema: unknown,
  path: readonly string[],
  headers: Map<string, readonly string[]>,
): string | undefined {
  if (!isRecord(schema)) return undefined;
  if (schema[ANNOTATION] !== undefined) {
    const nameOrProblem = headerName(schema, path);
    if ('problem' in nameOrProblem) return nameOrProblem.problem;
    if (headers.has(nameOrProblem.name))
      return `its ${ANNOTATION} ${quote(nameOrProblem.name)} stands there twice`;
    headers.set(nameOrProblem.name, path);
  }
  if (otherSubschemas(schema).some(isAnnotated)) return MISPLACED_PROBLEM;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  for (const [key, property] of Object.entries(properties)) {
    const problem = collectHeaders(property, [...path, key], headers);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Returns an annotated schema's header name in lower case, or the reason why the annotation is invalid. */
function headerName(
  { [ANNOTATION]: name, type }: Readonly<Record<string, unknown>>,
  path: readonly string[],
): { readonly name: string } | { readonly problem: string } {
  if (path.length === 0) return { problem: MISPLACED_PROBLEM };
  if (typeof name !== 'string' || !HEADER_NAME.test(name))
    return { problem: `its ${ANNOTATION} ${quote(JSON.stringify(name))} is no name of a header` };
  if (!PRIMITIVE_TYPES.has(type))
    return { problem: `its ${ANNOTATION} ${quote(name)} is on no string, integer or boolean` };
  return { name: name.toLowerCase() };
}

/** Returns the subschemas of a schema other than its properties. */
function otherSubschemas(schema: Readonly<Record<string, unknown>>): readonly unknown[] {
  const named = SCHEMA_MAP_KEYWORDS.flatMap((key) => {
    const schemas = schema[key];
    return isRecord(schemas) ? Object.values(schemas) : [];
  });
  return [...SCHEMA_KEYWORDS.flatMap((key) => schema[key]), ...named];
}

function isAnnotated(schema: unknown): boolean {
  if (!isRecord(schema)) return false;
  if (schema[ANNOTATION] !== undefined) return true;
  const properties = isRecord(schema['properties']) ? Object.values(schema['properties']) : [];
  return [...properties, ...otherSubschemas(schema)].some(isAnnotated);
}

const ENCODED_START = '=?base64?';
const ENCODED_END = '?=';
/** Matches visible ASCII characters, with spaces and tabs between them. */
const PLAIN_VALUE = /^[\u0021-\u007E](?:[\t\u0020-\u007E]*[\u0021-\u007E])?$/;

/** Returns the text as a header value, Base64-encoded if a header cannot contain the text or if it looks encoded. */
export function headerValue(text: string): string {
  const isMarked = text.startsWith(ENCODED_START) && text.endsWith(ENCODED_END);
  if (PLAIN_VALUE.test(text) && !isMarked) return text;
  return `${ENCODED_START}${Buffer.from(text).toString('base64')}${ENCODED_END}`;
}
