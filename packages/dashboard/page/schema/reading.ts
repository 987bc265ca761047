import type { Json } from '../connection.js';
import { isJson } from '../values.js';
import { faultOfJson, faultOfNumber, faultOfText } from './faults.js';
import type { Field } from './fields.js';
import { initialTyped, partsTyped, textTyped, type Typed } from './typed.js';

/** The arguments in a form, or their faults by the place of each field. */
export interface Reading {
  readonly value: unknown;
  readonly faults: ReadonlyMap<string, string>;
}

type Faults = Map<string, string>;
type Scalar = Extract<Field, { kind: 'text' | 'number' | 'boolean' | 'choice' | 'json' }>;

/** Reads the content of a form. Empty fields are omitted. */
export function readForm(form: Field, typed: Typed): Reading {
  const faults: Faults = new Map();
  const value =
    form.kind === 'group' ? groupIn(form.fields, typed, '', faults) : valueIn(form, typed, '', faults);
  return { value: value ?? {}, faults };
}

/** Returns the place of a field, which consists of the indexes of its groups and its own index. */
export function placeIn(group: string, number: number): string {
  return `${group}-${number}`;
}

function groupIn(fields: readonly Field[], typed: Typed, place: string, faults: Faults): Json {
  const parts = partsTyped(typed);
  const values = fields.map((field, number) => ({
    field,
    value: valueIn(field, parts[number] ?? '', placeIn(place, number), faults),
  }));
  const named = values.flatMap(({ field: { name, isRest }, value }): readonly [string, unknown][] =>
    isRest === true || value === undefined ? [] : [[name, value]],
  );
  const rest = values.flatMap(({ field: { isRest }, value }) =>
    isRest === true && isJson(value) ? Object.entries(value) : [],
  );
  return Object.fromEntries([...rest, ...named]);
}

/** Returns the value of a field, or undefined if the field is omitted. */
function valueIn(field: Field, typed: Typed, place: string, faults: Faults): unknown {
  if (field.kind === 'group') {
    // An object that the user has not changed is not sent. Its required fields count only if it is sent.
    const isTouched = JSON.stringify(typed) !== JSON.stringify(initialTyped(field));
    if (!field.isRequired && field.preset === undefined && !isTouched) return undefined;
    return groupIn(field.fields, typed, place, faults);
  }
  if (field.kind === 'list') return listIn(field, typed, place, faults);
  if (field.kind === 'choices') {
    const numbers = new Set(partsTyped(typed));
    const chosen = field.options.filter((_, number) => numbers.has(String(number)));
    return counted(
      field,
      chosen.map(({ value }) => value),
      place,
      faults,
    );
  }
  const text = textTyped(typed);
  if (text === '') return empty(field, place, faults);
  const [value, fault] = scalarIn(field, text);
  if (fault !== undefined) faults.set(place, fault);
  return value;
}

function empty(field: Field, place: string, faults: Faults): unknown {
  if (!field.isRequired) return undefined;
  if (field.isNullable) return null;
  faults.set(place, 'Fill in this field: the server needs it.');
  return undefined;
}

function scalarIn(field: Scalar, text: string): readonly [value: unknown, fault: string | undefined] {
  switch (field.kind) {
    case 'text':
      return [sentText(field.format, text), faultOfText(field, text)];
    case 'number':
      return [Number(text), faultOfNumber(field, text)];
    case 'boolean':
      return [text === 'true', undefined];
    case 'choice':
      return [field.options[Number(text)]?.value, undefined];
    case 'json': {
      const fault = faultOfJson(field.type, text);
      return [fault === undefined ? JSON.parse(text) : undefined, fault];
    }
  }
}

function listIn(
  field: Extract<Field, { kind: 'list' }>,
  typed: Typed,
  place: string,
  faults: Faults,
): unknown {
  const { item } = field;
  const values = partsTyped(typed).map((part, number): unknown => {
    const text = textTyped(part);
    const fault = item.kind === 'text' ? faultOfText(item, text) : faultOfNumber(item, text);
    const isMissing = text === '' && item.kind === 'number';
    if (fault !== undefined || isMissing)
      faults.set(placeIn(place, number), isMissing ? 'Fill in this entry, or remove it.' : String(fault));
    return item.kind === 'text' ? sentText(item.format, text) : Number(text);
  });
  return counted(field, values, place, faults);
}

/** Returns the values, or undefined for an empty list unless the server requires the list or has a default for it. */
function counted(
  field: Extract<Field, { kind: 'list' | 'choices' }>,
  values: readonly unknown[],
  place: string,
  faults: Faults,
): unknown {
  const { minItems = 0, maxItems = Infinity, isRequired, isNullable, preset } = field;
  if (values.length === 0 && isNullable) return isRequired ? null : undefined;
  if (values.length === 0 && !isRequired && preset === undefined) return undefined;
  if (values.length < minItems)
    faults.set(place, `At least ${minItems} are needed, and ${values.length} are here.`);
  if (values.length > maxItems)
    faults.set(place, `At most ${maxItems} are allowed, and ${values.length} are here.`);
  return values;
}

/** Returns the text that the server gets. A date and time gets a zone. */
function sentText(format: string, text: string): string {
  if (format !== 'date-time') return text;
  return text.length === 'yyyy-mm-ddThh:mm'.length ? `${text}:00Z` : `${text}Z`;
}
