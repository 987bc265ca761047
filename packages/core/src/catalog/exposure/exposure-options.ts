import type { ExposureMode } from '../../server/lists/tool-filter.js';

/** Settings for the tools in a client's `tools/list`. */
export interface Exposure {
  /** The mode for tools whose server does not set one. `all` when absent. */
  readonly mode?: ExposureMode | undefined;
  /** True for a tool that is in the list in every mode. @param tool its qualified name */
  readonly isPinned?: (tool: string) => boolean;
  /** Maximum size of a list in mode `auto`, including own tools, in tokens of about 4 bytes. Default: 20,000. */
  readonly budget?: number | undefined;
  /** If true, shortens descriptions to one sentence, and omits titles and examples. Schemas stay valid. */
  readonly slim?: boolean | undefined;
  /**
   * `minimal` lists `search_tools`, `call_tool` and the own tools that guards answer; clients find the others by
   * search. `none` lists only `read_result`, which clients need for shortened results. Default: `minimal` in mode
   * `search`, else `all`.
   */
  readonly ownTools?: 'all' | 'minimal' | 'none';
  /** If true, tools that a client finds by search are added to its list. Default: true. */
  readonly addsFound?: boolean | undefined;
}

/** The exposure for all clients, and exceptions for some clients. */
export interface ExposureOptions extends Exposure {
  /**
   * Exceptions for clients whose names start with a prefix. The first match applies. In the modern era, they apply only
   * to requests that state the client's name.
   */
  readonly clients?: readonly ClientExposure[];
}

/** The settings for the clients whose names start with `name`, ignoring case. */
export interface ClientExposure {
  readonly name: string;
  readonly exposure: Exposure;
}
