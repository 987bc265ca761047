import type { ServerExposureSettings } from './exposure-settings.js';
import type { RawServer } from './config-schema.js';

/** The settings that change how clients see a tool. */
export interface ToolSetting {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly loading?: 'always' | 'deferred' | undefined;
  /** Argument settings by name. Each sets exactly one of `value`, `default` and `hidden`. */
  readonly arguments?:
    | Readonly<
        Record<
          string,
          { readonly value?: unknown; readonly default?: unknown; readonly hidden?: boolean | undefined }
        >
      >
    | undefined;
  readonly result?: 'content' | 'structuredContent' | undefined;
}

/** The tool settings of one server in a config. */
export interface ToolSettings {
  /** The names or patterns of the tools that clients get. If absent, clients get all tools. */
  readonly include?: readonly string[];
  /** The names or patterns of the tools that clients do not get, even if they match `include`. */
  readonly exclude: readonly string[];
  /** Tool settings by name or pattern. */
  readonly overrides: Readonly<Record<string, ToolSetting>>;
  /** The settings that select the tools in `tools/list`. */
  readonly exposure?: ServerExposureSettings;
}

/** Collects a server's tool settings from the keys of all clients. Returns undefined if they change nothing. */
export function toolSettings(server: RawServer): ToolSettings | undefined {
  const includes = [server.includeTools, server.enabledTools, server.tools].flatMap(patternLists);
  const exclude = [server.excludeTools, server.disabledTools].flatMap(patternLists).flat();
  const { tools: overrides = {}, exposure } = server.mux ?? {};
  const isEverything = includes.length === 0 || includes.some((list) => list.includes('*'));
  const isFiltered = !isEverything || exclude.length > 0 || Object.keys(overrides).length > 0;
  if (!isFiltered && exposure === undefined) return undefined;
  return {
    ...(!isEverything && { include: includes.flat() }),
    exclude,
    overrides,
    ...(exposure !== undefined && { exposure }),
  };
}

/** Returns a value's pattern lists. Returns none for other values, such as Codex's tool settings under `tools`. */
function patternLists(value: unknown): readonly (readonly string[])[] {
  if (value === '*') return [['*']];
  return Array.isArray(value) ? [value.filter((item) => typeof item === 'string')] : [];
}
