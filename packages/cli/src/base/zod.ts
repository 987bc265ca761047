import * as mini from 'zod/mini';
import { _default as withDefault } from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// A command validates each value only once, so compiling the schema first would take longer than the validation.
mini.config({ ...english(), jitless: true });

/**
 * The parts of `zod/mini` that this package uses. Until a locale is configured, as above, every error message is
 * "Invalid input". All other files therefore import zod from here.
 */
export const z = {
  array: mini.array,
  boolean: mini.boolean,
  default: withDefault,
  enum: mini.enum,
  exactOptional: mini.exactOptional,
  int: mini.int,
  isoDatetime: mini.iso.datetime,
  literal: mini.literal,
  looseObject: mini.looseObject,
  minLength: mini.minLength,
  nullish: mini.nullish,
  number: mini.number,
  object: mini.object,
  optional: mini.optional,
  orElse: mini.catch,
  pipe: mini.pipe,
  positive: mini.positive,
  record: mini.record,
  strictObject: mini.strictObject,
  string: mini.string,
  transform: mini.transform,
  union: mini.union,
  unknown: mini.unknown,
} as const;

/** The type of a schema's parsed values. */
export type { infer as Checked } from 'zod/mini';
