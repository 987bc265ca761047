/**
 * Which tools stand in `tools/list`. `all`: every tool. `search`: none; `search_tools` finds them. `pinned`: the pinned
 * ones. `auto`: the pinned ones, and of the others as many as the budget allows. Every tool can be called in every mode.
 */
export type ExposureMode = 'all' | 'search' | 'pinned' | 'auto';

/** Which tools of one server stand in `tools/list`. Absent members leave the decision to the settings of the client. */
export interface ServerExposure {
  readonly mode?: ExposureMode | undefined;
  /** True shortens the definitions in `tools/list`. */
  readonly slim?: boolean | undefined;
  /** @param tool name of the tool for clients, without the name of its server */
  readonly isPinned?: (tool: string) => boolean;
}
