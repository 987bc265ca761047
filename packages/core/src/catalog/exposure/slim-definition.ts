import { isRecord } from '@mcpmux/kit';

/** Schema keywords whose value is one schema. */
const SINGLE_SCHEMA_KEYS = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Schema keywords whose value is a list of schemas. */
const SCHEMA_LIST_KEYS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
/** Schema keywords whose value is a map from names to schemas. */
const SCHEMA_MAP_KEYS = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Schema keywords that are omitted, because only human readers use them. */
const DROPPED_KEYS = new Set(['title', 'examples', 'example', '$comment']);
/** Maximum length of a shortened description, in characters. A longer sentence is truncated at a space. */
const MAX_SENTENCE_LENGTH = 200;
/** Matches numbers that may lose digits when they are parsed and serialized again. */
const LONG_NUMBER = /\d{16}|\d[eE][+-]?\d{3}/;

/**
 * Returns a shorter definition of a tool, as JSON. Descriptions end after the first sentence. Titles and examples are
 * omitted; keywords that validators use remain. A definition with numbers that may lose digits stays unchanged.
 */
export function slimDefinition(json: string): string {
  if (LONG_NUMBER.test(json)) return json;
  const tool: unknown = JSON.parse(json);
  if (!isRecord(tool)) return json;
  const members = Object.entries(tool).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'title') return [];
    if (key === 'description') return [[key, firstSentence(value)]];
    if (key === 'annotations') return [[key, withoutTitle(value)]];
    return [[key, key === 'inputSchema' || key === 'outputSchema' ? slimSchema(value) : value]];
  });
  return JSON.stringify(Object.fromEntries(members));
}

function withoutTitle(annotations: unknown): unknown {
  if (!isRecord(annotations)) return annotations;
  const { title: _, ...rest } = annotations;
  return rest;
}

function slimSchema(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  const members = Object.entries(schema).flatMap(([key, value]): [string, unknown][] =>
    DROPPED_KEYS.has(key) ? [] : [[key, slimMember(key, value)]],
  );
  return Object.fromEntries(members);
}

function slimMember(key: string, value: unknown): unknown {
  if (key === 'description') return firstSentence(value);
  if (Array.isArray(value)) return SCHEMA_LIST_KEYS.has(key) ? value.map(slimSchema) : value;
  if (SCHEMA_MAP_KEYS.has(key) && isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, slimSchema(schema)]));
  return SINGLE_SCHEMA_KEYS.has(key) ? slimSchema(value) : value;
}

/** Returns a text's first sentence, truncated if it is too long. A value that is not a string stays unchanged. */
export function firstSentence(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  const trimmed = text.trim();
  const [paragraph = ''] = trimmed.split(/\n\s*\n/, 1);
  const flat = paragraph.replaceAll(/\s+/g, ' ');
  // The next word must begin with a capital, a quote or a parenthesis, so "e.g. x" and "1.5" do not end a sentence.
  const sentence = /^.+?[.!?](?=\s+[\p{Lu}\p{Lo}"'`(])/u.exec(flat)?.[0] ?? flat;
  if (sentence.length <= MAX_SENTENCE_LENGTH) return sentence;
  const cut = sentence.slice(0, MAX_SENTENCE_LENGTH - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > 0 ? cut.slice(0, end) : cut).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
