import type { Logger } from '@mcpmux/kit';
import type { Schema, Zod } from '@mcpmux/kit/zod';

import type { ApprovalDesk } from './approval-desk.js';
import type { Guard } from './guard.js';
import type { ResultHost } from './results/shortened-result.js';
import type { CountKey, Target } from './targets.js';

/** One setting in a config's `guards` section. */
export interface GuardSetting<Settings = unknown> {
  /** Returns the value's schema. Editors display the schema's description. */
  schema(parts: SettingParts): Schema<Settings>;
  /** Returns the guards that a value configures. */
  guards(settings: Settings, logger: Logger, desk: ApprovalDesk, results: ResultHost): readonly Guard[];
}

/** The building blocks of guard schemas. They are passed as an argument, so that importing guards does not load zod. */
export interface SettingParts {
  readonly z: SettingZod;
  readonly flag: Schema<boolean>;
  /** A positive integer. */
  readonly count: Schema<number>;
  readonly countFrom0: Schema<number>;
  readonly milliseconds: Schema<number>;
  readonly countedBy: Schema<CountKey[]>;
  /** A list of names or patterns. */
  readonly patterns: Schema<string[]>;
  readonly optional: <Value>(schema: Schema<Value>, description: string) => Schema<Value | undefined>;
  /** Returns the schema for an object with these settings and those of {@link Target}, but no other keys. */
  readonly targeted: <Settings>(settings: Shape<Settings>) => Schema<Settings>;
}

/** The part of zod that the schemas use. */
export type SettingZod = Pick<
  Zod,
  | 'array'
  | 'boolean'
  | 'describe'
  | 'enum'
  | 'int'
  | 'maximum'
  | 'minimum'
  | 'minLength'
  | 'number'
  | 'optional'
  | 'positive'
  | 'record'
  | 'strictObject'
  | 'string'
  | 'union'
>;

/** A schema for each guard option that a config can set. */
export type Shape<Options> = {
  readonly [Name in keyof Omit<Options, keyof Target | HostOption>]-?: Schema<Options[Name]>;
};

/** Options that only the host's code can set. */
type HostOption = 'clock' | 'maxKeys' | 'sink';

/**
 * Returns a setting whose value is one object, or a list of objects for different targets. Each object adds a guard.
 */
export function perTargetSetting<Options extends Target>(
  description: string,
  shape: (parts: SettingParts) => Shape<Options>,
  createGuard: (options: Options, results: ResultHost) => Guard,
): GuardSetting<Options | Options[]> {
  return {
    schema: (parts) => {
      const { z, targeted } = parts;
      const optionsSchema = targeted(shape(parts));
      return z.union([optionsSchema, z.array(optionsSchema)]).check(z.describe(description));
    },
    guards: (settings, _logger, _desk, results) =>
      (Array.isArray(settings) ? settings : [settings]).map((each) => createGuard(each, results)),
  };
}

/** Creates the error function for an object that accepts only these keys. */
export type UnknownKeys = (what: string, known: readonly string[]) => (issue: object) => string;

/** Returns the building blocks of guard schemas. Objects reject unknown keys with the error from `unknownKeys`. */
export function settingParts(z: SettingZod, unknownKeys: UnknownKeys): SettingParts {
  const count = z
    .int({ error: 'expected a whole number' })
    .check(z.minimum(1, { error: 'expected a whole number above 0' }));
  const optional: SettingParts['optional'] = (schema, description) =>
    z.optional(schema).check(z.describe(description));
  const patterns = z.array(z.string({ error: 'expected a string in double quotes' }), {
    error: 'expected a list of names or patterns: ["github", "docs-*"]',
  });
  const target = {
    roles: optional(patterns, 'Callers that have one of these roles.'),
    principals: optional(patterns, 'These callers: "local" on stdio, "anybody" over HTTP without a token.'),
    servers: optional(patterns, 'These servers; "mcpmux" for its own tools.'),
    tools: optional(patterns, 'These tools, by their local names.'),
  };
  return {
    z,
    flag: z.boolean({ error: 'expected true or false' }),
    count,
    countFrom0: z.int({ error: 'expected a whole number' }).check(z.minimum(0)),
    milliseconds: count.check(z.maximum(2 ** 31 - 1, { error: 'expected at most 2147483647 milliseconds' })),
    countedBy: z
      .array(z.enum(['principal', 'server', 'tool'], { error: 'expected principal, server or tool' }), {
        error: 'expected a list: ["principal", "server"]',
      })
      .check(
        z.minLength(1, { error: 'expected a list that is not empty' }),
        z.describe('Each combination of these has a count of its own.'),
      ),
    patterns,
    optional,
    targeted: <Options>(shape: Shape<Options>) => {
      const allSchemas = { ...target, ...(shape as Readonly<Record<string, Schema>>) };
      const error = unknownKeys('a guard', Object.keys(allSchemas));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Shape has a schema for each option
      return z.strictObject(allSchemas, { error }) as unknown as Schema<Options>;
    },
  };
}
