import type { Exposure, ExposureMode, ExposureOptions, ServerExposure } from '@mcpmux/core';

import { z, type Checked } from './zod.js';
import { flag, optional, text, unknownKeys } from './schema-parts.js';
import { matching } from './name-patterns.js';

const MODES = ['all', 'search', 'auto'] as const satisfies readonly ExposureMode[];
const mode = z.enum(MODES, { error: `expected one of ${MODES.join(', ')}` });

const MODE_SETTING = optional(
  mode,
  'Which tools are in tools/list: all; search: the pinned ones; auto: those, and others by the budget.',
);
const SLIM_SETTING = optional(flag, 'true: definitions in tools/list are shortened.');

function pinned(description: string) {
  const patterns = z.array(text, { error: 'expected a list of names or patterns: ["create_*"]' });
  return optional(patterns, description);
}

const CLIENT_SETTINGS = {
  mode: MODE_SETTING,
  pinned: pinned('Tools that every mode lists, as SERVER__TOOL; "*" stands for any text.'),
  budget: optional(
    z
      .int({ error: 'expected a whole number of tokens' })
      .check(z.minimum(1, { error: 'expected a whole number above 0' })),
    'Most tokens of tools/list in the mode auto; 20000 when absent.',
  ),
  slim: SLIM_SETTING,
  tools: optional(
    z.enum(['all', 'minimal', 'none'], { error: 'expected all, minimal or none' }),
    "minimal: of mcpmux's own tools only search_tools and call_tool are listed; none: none of them.",
  ),
  addsFound: optional(flag, 'false: tools that a search finds are not added to tools/list.'),
};

const exposureSchema = z.strictObject(CLIENT_SETTINGS, {
  error: unknownKeys('an exposure', Object.keys(CLIENT_SETTINGS)),
});
const SERVER_SHAPE = {
  mode: MODE_SETTING,
  slim: SLIM_SETTING,
  pinned: pinned('Tools that every mode lists, by local name.'),
};

/** The schema of a server's `mux.exposure`: a mode or an object. */
export const serverExposureSchema = z.union(
  [mode, z.strictObject(SERVER_SHAPE, { error: unknownKeys('an exposure', Object.keys(SERVER_SHAPE)) })],
  { error: `expected ${MODES.join(', ')}, or an object: { "mode": "search", "pinned": ["find"] }` },
);

const TOP_SETTINGS = {
  ...CLIENT_SETTINGS,
  clients: optional(
    z.record(z.string(), exposureSchema),
    'What differs for clients, by the beginning of the name that they give themselves.',
  ),
  profiles: optional(z.record(z.string(), exposureSchema), 'What differs with serve --profile.'),
};

/** The schema of the top-level `mux.exposure`: a mode or an object. */
export const exposureSettings = z.union(
  [mode, z.strictObject(TOP_SETTINGS, { error: unknownKeys('an exposure', Object.keys(TOP_SETTINGS)) })],
  { error: `expected ${MODES.join(', ')}, or an object: { "mode": "auto", "budget": 10000 }` },
);

/** The config settings that select the tools in `tools/list`. */
export type ExposureSettings = Checked<typeof exposureSettings>;
/** The exposure settings for the tools of one server. */
export type ServerExposureSettings = Checked<typeof serverExposureSchema>;
type ClientExposureSettings = Checked<typeof exposureSchema>;

/** The command-line options that affect `tools/list`. They override the config. */
export interface ExposureFlags {
  readonly exposure?: ExposureMode | undefined;
  readonly tools?: 'all' | 'minimal' | 'none' | undefined;
  readonly profile?: string | undefined;
}

/** Combines a config's exposure settings with the command-line options. */
export function exposureOf(settings: ExposureSettings | undefined, flags: ExposureFlags): ExposureOptions {
  const {
    clients = {},
    profiles = {},
    ...all
  } = typeof settings === 'string' ? { mode: settings } : (settings ?? {});
  const { profile, exposure, tools } = flags;
  const ofProfile = profile !== undefined && Object.hasOwn(profiles, profile) ? profiles[profile] : undefined;
  const base = {
    ...all,
    ...ofProfile,
    ...(exposure !== undefined && { mode: exposure }),
    ...(tools !== undefined && { tools }),
  };
  return {
    ...clientExposure(base),
    ...(Object.keys(clients).length > 0 && {
      clients: Object.entries(clients).map(([name, own]) => ({ name, exposure: clientExposure(own) })),
    }),
  };
}

function clientExposure({ pinned: patterns, tools, ...rest }: ClientExposureSettings): Exposure {
  return {
    ...rest,
    ...(tools !== undefined && { ownTools: tools }),
    ...(patterns !== undefined && { isPinned: matching(patterns) }),
  };
}

/** Converts a server's exposure settings to the options that the mux accepts. */
export function serverExposureOf(settings: ServerExposureSettings): ServerExposure {
  if (typeof settings === 'string') return { mode: settings };
  const { pinned: patterns, ...rest } = settings;
  return { ...rest, ...(patterns !== undefined && { isPinned: matching(patterns) }) };
}
