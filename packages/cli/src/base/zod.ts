import * as mini from 'zod/mini';
import { _default as withDefault } from 'zod/mini';
import english from 'zod/v4/locales/en.js';

mini.config(english());

/**
 * What this package uses of zod: its small variant, which says of everything no more than "Invalid input" until it is
 * given the messages of a language. So nothing else imports it.
 */
export const z = {
  array: mini.array,
  boolean: mini.boolean,
  default: withDefault,
  describe: mini.describe,
  enum: mini.enum,
  exactOptional: mini.exactOptional,
  int: mini.int,
  isoDatetime: mini.iso.datetime,
  literal: mini.literal,
  looseObject: mini.looseObject,
  maximum: mini.maximum,
  meta: mini.meta,
  minimum: mini.minimum,
  minLength: mini.minLength,
  nullish: mini.nullish,
  number: mini.number,
  object: mini.object,
  optional: mini.optional,
  pipe: mini.pipe,
  positive: mini.positive,
  record: mini.record,
  refine: mini.refine,
  regex: mini.regex,
  strictObject: mini.strictObject,
  string: mini.string,
  transform: mini.transform,
  union: mini.union,
  unknown: mini.unknown,
} as const;

/** What checks a value, and what it lets through. */
export type { infer as Checked, ZodMiniType as Schema } from 'zod/mini';
