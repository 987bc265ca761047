import type { Json } from '../connection.js';
import { isJson, numberIn, textIn } from '../values.js';
import { optionsOf, resolved, type Option } from './resolve.js';

/** Text of one or more lines, or of a format that browsers have an input for. */
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
  /** The value must be greater than `above` and less than `below`. */
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
  /** True if the value may be null. An empty required field then sends null. */
  readonly isNullable: boolean;
  /** The default of the schema. */
  readonly preset?: unknown;
  /** True if the field holds the members of its group that have no field. */
  readonly isRest?: true;
};

/** The maximum depth at which nested objects become groups. Deeper objects are JSON. */
const MAX_DEPTH = 3;
const COMBINED = ['anyOf', 'oneOf', 'allOf', 'patternProperties', '$ref'] as const;

/**
 * Returns the form for the schema of an object. It is a group, or JSON for a schema that names no properties but allows
 * some.
 */
export function formOf(schema: Json): Field {
  const found = resolved(schema, schema);
  if (hasProperties(found))
    return { ...groupOf(found, schema, 0), ...about('', found, true), title: 'Arguments' };
  if (!isOpen(found)) return { kind: 'group', fields: [], ...about('', found, true), title: 'Arguments' };
  const isRequired = namesIn(found['required']).length > 0;
  const described = about('', { description: ANY, ...found }, isRequired);
  return { kind: 'json', type: 'object', ...described, title: 'Arguments' };
}

const ANY = 'The schema names no arguments, and allows some. An empty field is none.';

/**
 * True if any object is valid, as in a schema that contains only a type. Generators write `properties: {}` for no
 * arguments.
 */
function isOpen(schema: Json): boolean {
  const { additionalProperties, properties } = schema;
  if (additionalProperties === false) return false;
  return hasFurtherRules(schema) || properties === undefined;
}

/** True if the schema has rules for members that it does not name among its properties. */
function hasFurtherRules(schema: Json): boolean {
  const { additionalProperties: further } = schema;
  return further === true || isJson(further) || COMBINED.some((key) => schema[key] !== undefined);
}

function groupOf(schema: Json, root: Json, depth: number): Extract<Shape, { kind: 'group' }> {
  const needed = namesIn(schema['required']);
  const fieldOf = (name: string, property: unknown): Field => {
    const found = resolved(isJson(property) ? property : {}, root);
    return { ...shapeOf(found, root, depth), ...about(name, found, needed.includes(name)) };
  };
  const fields = Object.entries(schema['properties'] as Json).map(([name, one]) => fieldOf(name, one));
  return { kind: 'group', fields: hasFurtherRules(schema) ? [...fields, REST] : fields };
}

/** The field for everything that the fields of a group cannot express. */
const REST: Field = {
  kind: 'json',
  type: 'object',
  name: '',
  title: 'Everything else',
  description: 'The schema has rules beside its properties, which the server checks.',
  isRequired: false,
  isNullable: false,
  isRest: true,
};

function namesIn(required: unknown): readonly unknown[] {
  return Array.isArray(required) ? required : [];
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
