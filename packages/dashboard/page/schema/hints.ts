import type { Field, NumberShape, TextShape } from './fields.js';

/** Returns the type and the bounds of a field as readable text. */
export function hintOf(field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'number':
      return scalarHint(field);
    case 'list':
      return [`array of ${scalarHint(field.item)}`, countHint(field)].filter(Boolean).join(', ');
    case 'choices':
      return countHint(field);
    case 'json':
      return field.type === '' ? 'JSON' : `${field.type}, as JSON`;
    case 'boolean':
    case 'choice':
    case 'group':
      return '';
  }
}

function scalarHint(shape: TextShape | NumberShape): string {
  if (shape.kind === 'number') {
    const { isInteger, minimum, maximum, above, below, step } = shape;
    const parts = [
      isInteger ? 'integer' : 'number',
      ...range(minimum, maximum),
      ...(above === undefined ? [] : [`more than ${above}`]),
      ...(below === undefined ? [] : [`less than ${below}`]),
      ...(step === undefined ? [] : [`a multiple of ${step}`]),
    ];
    return parts.join(', ');
  }
  const { format, minLength, maxLength, pattern } = shape;
  const lengths = range(minLength, maxLength).map((text) => `${text} characters`);
  const name = format === 'date-time' ? 'date and time in UTC' : format || 'string';
  return [name, ...lengths, ...(pattern === undefined ? [] : [`pattern ${pattern}`])].join(', ');
}

function countHint({
  minItems,
  maxItems,
}: {
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}): string {
  return range(minItems, maxItems).join(', ');
}

function range(least: number | undefined, most: number | undefined): readonly string[] {
  if (least !== undefined && most !== undefined) return [least === most ? `${least}` : `${least} to ${most}`];
  if (least !== undefined) return least === 0 ? [] : [`${least} or more`];
  return most === undefined ? [] : [`${most} or less`];
}
