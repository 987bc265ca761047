import * as mini from 'zod/mini';
import english from 'zod/v4/locales/en.js';

mini.config(english());

/**
 * The parts of zod mini that this package uses. All other files must import zod from here, because zod mini reports
 * only "Invalid input" until a locale is configured.
 */
export const z = {
  array: mini.array,
  boolean: mini.boolean,
  describe: mini.describe,
  enum: mini.enum,
  exactOptional: mini.exactOptional,
  int: mini.int,
  literal: mini.literal,
  looseObject: mini.looseObject,
  maximum: mini.maximum,
  meta: mini.meta,
  minimum: mini.minimum,
  minLength: mini.minLength,
  number: mini.number,
  optional: mini.optional,
  positive: mini.positive,
  record: mini.record,
  refine: mini.refine,
  regex: mini.regex,
  strictObject: mini.strictObject,
  string: mini.string,
  union: mini.union,
  unknown: mini.unknown,
} as const;

/** A schema, and the type of the values that it accepts. */
export type { infer as Checked, ZodMiniType as Schema } from 'zod/mini';
