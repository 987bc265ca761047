import type { ExposureMode } from '../../server/lists/tool-filter.js';

/** Decides which tools a client has in its `tools/list`. */
export interface Exposure {
  /** The mode for tools whose server does not set one. `all` when absent. */
  readonly mode?: ExposureMode | undefined;
  /** True for a tool that is in the list in every mode. @param tool its qualified name */
  readonly isPinned?: (tool: string) => boolean;
  /** Token limit of a list in mode `auto`, including own tools; 20,000 when absent. Estimated at 4 bytes per token. */
  readonly budget?: number | undefined;
  /** If true, shortens descriptions to one sentence, and omits titles and examples. Schemas stay valid. */
  readonly slim?: boolean | undefined;
  /**
   * `minimal` lists `search_tools`, `call_tool` and the tools that guards answer; clients find the others by search.
   * `none` lists only `read_result`, to which shortened results refer. Default: `minimal` in mode `search`, else `all`.
   */
  readonly ownTools?: 'all' | 'minimal' | 'none';
  /** If false, tools that a client has found by search are not added to its list. True when absent. */
  readonly addsFound?: boolean | undefined;
}

/** The exposure for all clients, and exceptions for some clients. */
export interface ExposureOptions extends Exposure {
  /**
   * Exceptions for clients, by the prefix of their names. The first match applies. In the modern era, they apply to the
   * requests that state the client's name.
   */
  readonly clients?: readonly ClientExposure[];
}

/** The settings for the clients whose names start with `name`. */
export interface ClientExposure {
  readonly name: string;
  readonly exposure: Exposure;
}
