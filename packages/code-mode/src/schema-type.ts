import { isRecord } from '@mcpmux/kit';
import { commentLines, propertyName } from './type-text.js';

/** Limits on schemas, because servers are not trusted. Subschemas beyond the limits get the type `unknown`. */
const MAX_DEPTH = 8;
const MAX_PARTS = 1000;

type Schema = Readonly<Record<string, unknown>>;

const PRIMITIVE_TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the TypeScript type for a JSON Schema. Constraints that a type cannot express are dropped. */
export function typeOf(schema: unknown): string {
  return new SchemaReader(schema).type(schema, 0);
}

class SchemaReader {
  private partCount = 0;

  constructor(private readonly root: unknown) {}

  type(schema: unknown, depth: number): string {
    this.partCount += 1;
    if (!isRecord(schema) || depth > MAX_DEPTH || this.partCount > MAX_PARTS) return 'unknown';
    const { $ref: reference, const: only, enum: values, anyOf, oneOf, allOf } = schema;
    if (typeof reference === 'string') return this.type(this.resolveReference(reference), depth + 1);
    if (only !== undefined) return literalType(only);
    if (Array.isArray(values)) return unionType(values.map(literalType));
    const choices = [anyOf, oneOf].find(Array.isArray);
    if (choices !== undefined) return unionType(choices.map((choice) => this.type(choice, depth + 1)));
    if (Array.isArray(allOf))
      return [...new Set(allOf.map((part) => this.type(part, depth + 1)))].map(parenthesize).join(' & ');
    return this.typeByKeyword(schema, depth);
  }

  private typeByKeyword(schema: Schema, depth: number): string {
    const { type = schema['properties'] === undefined ? undefined : 'object' } = schema;
    if (Array.isArray(type))
      return unionType(type.map((one: unknown) => this.typeByKeyword({ ...schema, type: one }, depth)));
    if (type === 'object') return this.objectType(schema, depth);
    if (type === 'array') return `${parenthesize(this.type(schema['items'], depth + 1))}[]`;
    return typeof type === 'string' && Object.hasOwn(PRIMITIVE_TYPES, type)
      ? (PRIMITIVE_TYPES[type] ?? 'unknown')
      : 'unknown';
  }

  private objectType(schema: Schema, depth: number): string {
    const { properties, required, additionalProperties: further } = schema;
    const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
    const members = Object.entries(isRecord(properties) ? properties : {}).map(([name, property]) => {
      const [text = ''] = commentLines(isRecord(property) ? property['description'] : undefined);
      const optionalMark = isRequired(name) ? '' : '?';
      return `${text}${text && ' '}${propertyName(name)}${optionalMark}: ${this.type(property, depth + 1)}`;
    });
    if (isRecord(further)) return recordType(members, this.type(further, depth + 1));
    return members.length === 0 && further !== false
      ? 'Record<string, unknown>'
      : `{ ${members.join('; ')} }`;
  }

  /** Resolves a reference within the schema. Returns undefined for an external or dangling reference. */
  private resolveReference(reference: string): unknown {
    if (!reference.startsWith('#')) return undefined;
    const keys = reference.split('/').slice(1);
    return keys.reduce<unknown>((part, step) => {
      const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
      return isRecord(part) && Object.hasOwn(part, key) ? part[key] : undefined;
    }, this.root);
  }
}

function recordType(members: readonly string[], further: string): string {
  const record = `Record<string, ${further}>`;
  return members.length === 0 ? record : `{ ${members.join('; ')} } & ${record}`;
}

function literalType(value: unknown): string {
  const isPlain = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isPlain ? JSON.stringify(value) : 'unknown';
}

function unionType(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0 || distinct.includes('unknown') ? 'unknown' : distinct.join(' | ');
}

function parenthesize(type: string): string {
  return type.includes(' ') ? `(${type})` : type;
}
