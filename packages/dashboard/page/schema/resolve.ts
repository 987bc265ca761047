import type { Json } from '../connection.js';
import { isJson, objectsIn, textIn } from '../values.js';

/** One value that a field may have. */
export interface Option {
  readonly value: unknown;
  readonly title: string;
}

/** The maximum number of nested references and unions. It ends the resolution of a schema that refers to itself. */
const MAX_STEPS = 8;

/**
 * Returns a schema without references into its document, and without unions of one member and null. `nullable` is true
 * if null is a valid value.
 */
export function resolved(schema: Json, root: Json): Json {
  let found = withoutNull(schema);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const inner = referred(found, root) ?? onlyMember(found);
    if (inner === undefined) return found;
    found = withoutNull(inner);
  }
  return found;
}

/** Removes null from the types. `["string", "null"]` becomes `string`. */
function withoutNull(schema: Json): Json {
  const { type } = schema;
  if (!Array.isArray(type)) return schema;
  const types: readonly unknown[] = type.filter((one) => one !== 'null');
  const nullable = types.length < type.length || schema['nullable'] === true;
  return { ...schema, type: types.length === 1 ? types[0] : undefined, nullable };
}

function referred(schema: Json, root: Json): Json | undefined {
  const { $ref, ...own } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#')) return undefined;
  let at: unknown = root;
  for (const part of $ref.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJson(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }
  return isJson(at) ? { ...at, ...own } : undefined;
}

function onlyMember(schema: Json): Json | undefined {
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const all = objectsIn(schema[key]);
    const members = all.filter(({ type }) => type !== 'null');
    const [only] = members;
    if (members.length !== 1 || only === undefined) continue;
    // Both the schema and its member have fields. The form shows the fields of the schema, and JSON for the fields of
    // the member.
    if (isJson(only['properties']) && isJson(schema['properties'])) continue;
    const { [key]: _, ...own } = schema;
    return { ...only, ...own, nullable: members.length < all.length || schema['nullable'] === true };
  }
  return undefined;
}

/**
 * Returns the values that a schema lists, with their titles. Returns undefined for a schema that does not list values.
 */
export function optionsOf(schema: Json): readonly Option[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [optionOf(schema)];
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values) && values.length > 0) {
    const titles: readonly unknown[] = Array.isArray(names) ? names : [];
    return values.map((value: unknown, index) => ({ value, title: textIn(titles[index]) || shown(value) }));
  }
  const members = [schema['oneOf'], schema['anyOf']].find((list) => Array.isArray(list) && list.length > 0);
  const consts = objectsIn(members).filter((member) => Object.hasOwn(member, 'const'));
  return Array.isArray(members) && consts.length === members.length ? consts.map(optionOf) : undefined;
}

function optionOf(schema: Json): Option {
  return { value: schema['const'], title: textIn(schema['title']) || shown(schema['const']) };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
