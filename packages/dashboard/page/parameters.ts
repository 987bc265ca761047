import type { Json } from './connection.js';
import { formOf, type Field, type Shape } from './schema/fields.js';
import { hintOf } from './schema/hints.js';

/** A tool parameter as readable text. */
export interface Parameter {
  /** The name of the parameter after the names of the objects that contain it. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The default as JSON. */
  readonly preset?: string;
}

/** Longer lists of values are truncated. */
const MAX_OPTIONS = 12;

/** Returns the parameters that a schema describes. The members of an inner object come after the object. */
export function parametersOf(schema: Json): readonly Parameter[] {
  const form = formOf(schema);
  return form.kind === 'group' ? form.fields.flatMap((field) => rowsOf(field, '')) : [];
}

function rowsOf(field: Field, outer: string): readonly Parameter[] {
  const path = `${outer}${field.name}`;
  const { isRequired, description, preset } = field;
  const row: Parameter = {
    path,
    type: `${typeOf(field)}${field.isNullable ? ' or null' : ''}`,
    isRequired,
    description,
    ...(preset !== undefined && { preset: JSON.stringify(preset) }),
  };
  const inner = field.kind === 'group' ? field.fields.flatMap((child) => rowsOf(child, `${path}.`)) : [];
  return [row, ...inner];
}

function typeOf(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return values(field);
    case 'choices':
      return `array of ${values(field)}`;
    case 'group':
      return 'object';
    case 'boolean':
      return 'boolean';
    case 'json':
      return field.type === '' ? 'any JSON' : field.type;
    case 'text':
    case 'number':
    case 'list':
      return hintOf(field);
  }
}

function values({ options }: Extract<Shape, { kind: 'choice' | 'choices' }>): string {
  const shown = options.slice(0, MAX_OPTIONS).map(({ value }) => JSON.stringify(value));
  return [...shown, ...(options.length > MAX_OPTIONS ? [`${options.length - MAX_OPTIONS} more`] : [])].join(
    ' | ',
  );
}
