import * as mini from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Messages are a matter of the process, as in zod itself: those that a host has chosen stay.
if (mini.config().localeError === undefined) mini.config(english());

/**
 * The part of zod that this package uses: its small variant, which reports only "Invalid input" until it has the
 * messages of a language. No other file imports zod.
 *
 * One object instead of `export from`: bundlers take a name that is passed on from where it comes from, and leave out
 * the statement above.
 */
export const z = {
  array: mini.array,
  boolean: mini.boolean,
  custom: mini.custom,
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
  record: mini.record,
  strictObject: mini.strictObject,
  string: mini.string,
  unknown: mini.unknown,
} as const;

/** A check of a value. */
export type { ZodMiniType as Schema, infer as Checked } from 'zod/mini';

/** The type of {@link z}, for code that is given it. */
export type Zod = typeof z;
