/** The server of mcpmux's own tools, where one has to be named. */
export const OWN_SERVER = 'mcpmux';

/** The own tool that stands in lists only where results are stored. */
export const READ_RESULT = 'read_result';

/** The page (MCP App) that shows the answer of `list_servers`. */
export const OVERVIEW_URI = 'ui://mcpmux/overview';

/** A tool that mcpmux itself offers. */
export interface OwnTool {
  readonly name: string;
  /** Its definition as it stands in `tools/list`, JSON text. */
  readonly json: string;
  /** The same for clients that show its answer in a page (MCP Apps), where it has one. */
  readonly appJson?: string;
}
