import { isJson } from '../values.js';
import type { Field, NumberShape, TextShape } from './fields.js';
import type { Option } from './resolve.js';

/**
 * The content of a field's controls. It is a text, the indexes of the chosen options, the texts in a list, or the
 * content of a group's fields in order. A boolean is `true`, `false` or empty. An option is its index or empty.
 */
export type Typed = string | readonly Typed[];

/** Returns the content of a new form, which consists of the defaults in its schema. */
export function initialTyped(field: Field): Typed {
  if (field.preset !== undefined) return typedOf(field, field.preset);
  return field.kind === 'group' ? field.fields.map(initialTyped) : typedOf(field, undefined);
}

/** Returns the content of a field's controls for a value. It is empty for a value that is not valid in the field. */
export function typedOf(field: Field, value: unknown): Typed {
  const values: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case 'text':
    case 'number':
      return scalarTyped(field, value);
    case 'boolean':
      return booleanTyped(field, value);
    case 'choice':
      return value === undefined ? '' : numberOf(field.options, value);
    case 'choices':
      return values.map((one) => numberOf(field.options, one)).filter((number) => number !== '');
    case 'list':
      return values.map((one) => scalarTyped(field.item, one));
    case 'group':
      return field.fields.map((child) => typedOf(child, memberFor(child, field.fields, value)));
    case 'json':
      return value === undefined ? '' : JSON.stringify(value, undefined, 2);
  }
}

/** Returns the member of an object for one field of its group. */
function memberFor({ name, isRest }: Field, fields: readonly Field[], value: unknown): unknown {
  if (!isJson(value)) return undefined;
  if (isRest !== true) return Object.hasOwn(value, name) ? value[name] : undefined;
  const isNamed = new Set(fields.flatMap((field) => (field.isRest === true ? [] : [field.name])));
  const others = Object.entries(value).filter(([key]) => !isNamed.has(key));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function scalarTyped(shape: TextShape | NumberShape, value: unknown): string {
  if (shape.kind === 'number') return typeof value === 'number' ? String(value) : '';
  return typeof value === 'string' ? shownText(shape.format, value) : '';
}

/** Returns the content for a boolean. A required boolean is initially false, as its checkbox shows. */
function booleanTyped({ isRequired, isNullable }: Field, value: unknown): string {
  if (typeof value === 'boolean') return String(value);
  return isRequired && !isNullable ? 'false' : '';
}

/** Returns the text in a control. */
export function textTyped(typed: Typed | undefined): string {
  return typeof typed === 'string' ? typed : '';
}

/** Returns the parts of a list, of a group, or of several choices. */
export function partsTyped(typed: Typed | undefined): readonly Typed[] {
  return typeof typed === 'string' || typed === undefined ? [] : typed;
}

/**
 * Returns a text for a control. The browser input for a date and time has no zone and omits zero seconds, so the page
 * shows times in UTC.
 */
function shownText(format: string, value: string): string {
  if (format !== 'date-time') return value;
  const time = Date.parse(value);
  if (Number.isNaN(time)) return '';
  return new Date(time)
    .toISOString()
    .replace(/(?::00)?(?:\.000)?Z$/, '')
    .replace(/Z$/, '');
}

/** Returns the index of an option. JSON values are equal if their texts are equal. */
function numberOf(options: readonly Option[], value: unknown): string {
  const text = JSON.stringify(value);
  const number = options.findIndex((option) => JSON.stringify(option.value) === text);
  return number === -1 ? '' : String(number);
}
