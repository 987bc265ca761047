import type { ServerExposureSettings } from './exposure-settings.js';
import type { RawServer } from './config-schema.js';

/** How clients see a tool. */
export interface ToolSetting {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly loading?: 'always' | 'deferred' | undefined;
}

/** The tool settings of one server of a config. */
export interface ToolSettings {
  /** Names and patterns; every tool when absent. */
  readonly include?: readonly string[];
  /** Wins over `include`. */
  readonly exclude: readonly string[];
  /** By name or pattern. */
  readonly overrides: Readonly<Record<string, ToolSetting>>;
  /** Which of them stand in tools/list. */
  readonly exposure?: ServerExposureSettings;
}

/** The tool settings of a server, under the keys of any client; undefined when it has none. */
export function toolSettings(server: RawServer): ToolSettings | undefined {
  const includes = [server.includeTools, server.enabledTools, server.tools].flatMap(listOf);
  const exclude = [server.excludeTools, server.disabledTools].flatMap(listOf).flat();
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

/** A list of patterns; none for anything else, such as the settings of tools that Codex has under `tools`. */
function listOf(value: unknown): readonly (readonly string[])[] {
  if (value === '*') return [['*']];
  return Array.isArray(value) ? [value.filter((item) => typeof item === 'string')] : [];
}
