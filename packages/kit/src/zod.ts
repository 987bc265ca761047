import * as mini from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Sets the messages for the whole process, as zod itself does. Messages that a host has already set are kept.
if (mini.config().localeError === undefined) mini.config(english());

/**
 * The part of zod that this package uses. `zod/mini` reports only "Invalid input" until a locale is configured. No
 * other file imports zod.
 *
 * This is one object and not an `export from`, because bundlers resolve a re-exported name at its origin and omit the
 * statement above.
 */
export const z = {
  array: mini.array,
  boolean: mini.boolean,
  custom: mini.custom,
  describe: mini.describe,
  enum: mini.enum,
  extend: mini.extend,
  int: mini.int,
  isoDatetime: mini.iso.datetime,
  literal: mini.literal,
  looseObject: mini.looseObject,
  maximum: mini.maximum,
  maxLength: mini.maxLength,
  minimum: mini.minimum,
  minLength: mini.minLength,
  number: mini.number,
  object: mini.object,
  optional: mini.optional,
  positive: mini.positive,
  record: mini.record,
  strictObject: mini.strictObject,
  string: mini.string,
  union: mini.union,
  unknown: mini.unknown,
} as const;

/** A schema, and the type of the values that it accepts. */
export type { ZodMiniType as Schema, infer as Checked } from 'zod/mini';

/** The type of {@link z}, for code that receives it as an argument. */
export type Zod = typeof z;
