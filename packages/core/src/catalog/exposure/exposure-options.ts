import type { ExposureMode } from '../../server/lists/tool-filter.js';

/** Decides which tools a client has in its `tools/list`. */
export interface Exposure {
  /** The mode for tools whose server has no mode. `all` when absent. */
  readonly mode?: ExposureMode | undefined;
  /** True for a tool that is in the list in every mode. @param tool its qualified name */
  readonly isPinned?: (tool: string) => boolean;
  /** Token limit of a list in mode `auto`, own tools included; 20,000 when absent. Estimated at 4 bytes a token. */
  readonly budget?: number | undefined;
  /**
   * If true, shortens definitions: descriptions have one sentence, titles and examples are left out. Schemas stay valid.
   */
  readonly slim?: boolean | undefined;
  /**
   * `minimal` lists only `search_tools` and `call_tool`, and clients find the other own tools by search. `none` lists
   * only `read_result`, because results name it. When absent: `minimal` in the mode `search`, else `all`.
   */
  readonly ownTools?: 'all' | 'minimal' | 'none';
  /** If false, tools that a client has found by search are not added to its list. True when absent. */
  readonly addsFound?: boolean | undefined;
}

/** The exposure for all clients, and exceptions for some clients. */
export interface ExposureOptions extends Exposure {
  /**
   * Exceptions for clients, by the prefix of their names. The first match applies. Only for the legacy era, because a
   * modern list is the same for all clients of a principal.
   */
  readonly clients?: readonly ClientExposure[];
}

/** The settings for the clients whose names start with `name`. */
export interface ClientExposure {
  readonly name: string;
  readonly exposure: Exposure;
}
