import type { ExposureMode } from '../../server/lists/exposure-mode.js';

/** Which tools a client has in its `tools/list`. */
export interface Exposure {
  /** Of the tools of servers that have no mode of their own; `all` when absent. */
  readonly mode?: ExposureMode | undefined;
  /** True for a tool that stands in the list in the modes `pinned` and `auto`. @param tool its qualified name */
  readonly isPinned?: (tool: string) => boolean;
  /** Most tokens of a list in the mode `auto`, own tools included; 20,000 when absent. Estimated: 4 bytes a token. */
  readonly budget?: number | undefined;
  /** True shortens definitions: descriptions to a sentence, without titles and examples. Schemas stay valid. */
  readonly slim?: boolean | undefined;
  /**
   * `minimal` lists of mcpmux's own tools only `search_tools` and `call_tool`. The others are found by search. When
   * absent: `minimal` in the mode `search`, else `all`. `none` lists no own tool but `read_result`, which results name.
   */
  readonly ownTools?: 'all' | 'minimal' | 'none';
  /** False: tools that a client has found by search are not added to its list. True when absent. */
  readonly addsFound?: boolean | undefined;
}

/** The exposure of all clients, and what differs for some of them. */
export interface ExposureOptions extends Exposure {
  /**
   * Clients by the beginning of the name that they give themselves; the first that fits counts. Applies to the legacy
   * era: a modern list is the same for all clients of a principal.
   */
  readonly clients?: readonly ClientExposure[];
}

/** The settings for clients of one name that differ from the others. */
export interface ClientExposure {
  readonly name: string;
  readonly exposure: Exposure;
}
