/**
 * The tools in `tools/list`. `all`: every tool. `search`: the pinned tools; `search_tools` finds the others. `auto`: the
 * pinned tools, and as many others as the budget allows. Every tool can be called in every mode.
 */
export type ExposureMode = 'all' | 'search' | 'auto';

/** The tools of one server in `tools/list`. For absent members, the settings of the client decide. */
export interface ServerExposure {
  readonly mode?: ExposureMode | undefined;
  /** True shortens the definitions in `tools/list`. */
  readonly slim?: boolean | undefined;
  /** @param tool the name of the tool for clients, without the name of its server */
  readonly isPinned?: (tool: string) => boolean;
}
