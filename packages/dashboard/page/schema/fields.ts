import type { Json } from '../connection.js';
import { isJson, numberIn, textIn } from '../values.js';
import { optionsOf, resolved, type Option } from './resolve.js';

/** Text of one line or more, or of a format that browsers have an input for. */
export interface TextShape {
  readonly kind: 'text';
  readonly format: string;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/** A number with its bounds. */
export interface NumberShape {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  /** The value is more, or less, than this. */
  readonly above?: number | undefined;
  readonly below?: number | undefined;
  readonly step?: number | undefined;
}

interface Counted {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** The control of a field. */
export type Shape =
  | TextShape
  | NumberShape
  | { readonly kind: 'boolean' }
  | { readonly kind: 'choice'; readonly options: readonly Option[] }
  | ({ readonly kind: 'choices'; readonly options: readonly Option[] } & Counted)
  | ({ readonly kind: 'list'; readonly item: TextShape | NumberShape } & Counted)
  | { readonly kind: 'group'; readonly fields: readonly Field[] }
  | { readonly kind: 'json'; readonly type: string };

/** A field of a form. */
export type Field = Shape & {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** The value may be null: an empty required field sends null. */
  readonly isNullable: boolean;
  /** The default of the schema. */
  readonly preset?: unknown;
};

/** Objects in objects become groups to this depth; deeper ones are JSON. */
const MAX_DEPTH = 3;
const COMBINED = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'] as const;

/** The form for a schema of an object: a group, or JSON for a schema that names no properties. */
export function formOf(schema: Json): Field {
  const found = resolved(schema, schema);
  const shape = hasProperties(found) ? groupOf(found, schema, 0) : openShape(found);
  return { ...shape, ...about('', found, true), title: 'Arguments' };
}

function openShape(schema: Json): Shape {
  const isOpen = COMBINED.some((key) => schema[key] !== undefined) || isJson(schema['additionalProperties']);
  return isOpen ? { kind: 'json', type: 'object' } : { kind: 'group', fields: [] };
}

function groupOf(schema: Json, root: Json, depth: number): Extract<Shape, { kind: 'group' }> {
  const { required } = schema;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const fieldOf = (name: string, property: unknown): Field => {
    const found = resolved(isJson(property) ? property : {}, root);
    return { ...shapeOf(found, root, depth), ...about(name, found, needed.includes(name)) };
  };
  const properties = Object.entries(schema['properties'] as Json);
  return { kind: 'group', fields: properties.map(([name, property]) => fieldOf(name, property)) };
}

function about(name: string, schema: Json, isRequired: boolean) {
  return {
    name,
    title: textIn(schema['title']) || name,
    description: textIn(schema['description']),
    isRequired,
    isNullable: schema['nullable'] === true,
    ...(schema['default'] !== undefined && { preset: schema['default'] }),
  };
}

function shapeOf(schema: Json, root: Json, depth: number): Shape {
  const options = optionsOf(schema);
  if (options !== undefined) return { kind: 'choice', options };
  const type = textIn(schema['type']);
  if (type === 'boolean') return { kind: 'boolean' };
  if (type === 'array') return arrayOf(schema, root);
  if ((type === 'object' || type === '') && hasProperties(schema) && depth + 1 < MAX_DEPTH)
    return groupOf(schema, root, depth + 1);
  return scalarOf(schema, type) ?? { kind: 'json', type };
}

function scalarOf(schema: Json, type: string): TextShape | NumberShape | undefined {
  if (type === 'string') {
    return {
      kind: 'text',
      format: textIn(schema['format']),
      minLength: numberIn(schema['minLength']),
      maxLength: numberIn(schema['maxLength']),
      pattern: textIn(schema['pattern']) || undefined,
    };
  }
  if (type !== 'number' && type !== 'integer') return undefined;
  return {
    kind: 'number',
    isInteger: type === 'integer',
    minimum: numberIn(schema['minimum']),
    maximum: numberIn(schema['maximum']),
    above: numberIn(schema['exclusiveMinimum']),
    below: numberIn(schema['exclusiveMaximum']),
    step: numberIn(schema['multipleOf']),
  };
}

function arrayOf(schema: Json, root: Json): Shape {
  const { items } = schema;
  const found = isJson(items) ? resolved(items, root) : {};
  const counted = { minItems: numberIn(schema['minItems']), maxItems: numberIn(schema['maxItems']) };
  const options = optionsOf(found);
  if (options !== undefined) return { kind: 'choices', options, ...counted };
  const item = scalarOf(found, textIn(found['type']));
  return item === undefined ? { kind: 'json', type: 'array' } : { kind: 'list', item, ...counted };
}

function hasProperties({ properties }: Json): boolean {
  return isJson(properties) && Object.keys(properties).length > 0;
}
