import * as mini from 'zod/mini';
import { _default as withDefault } from 'zod/mini';
import english from 'zod/v4/locales/en.js';

// Jitless, because a command validates each value only once: compiling a schema would take longer than the validation.
mini.config({ ...english(), jitless: true });

/**
 * The parts of `zod/mini` that this package uses. Import zod only from here: without the locale configured above, every
 * error message would be "Invalid input".
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
