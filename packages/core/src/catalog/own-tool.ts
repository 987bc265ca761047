/** The server name of mcpmux's own tools. */
export const OWN_SERVER = 'mcpmux';

/** mcpmux's own tool that reads stored results. */
export const READ_RESULT = 'read_result';
/** mcpmux's own tool that runs a model's code, which can call tools. */
export const RUN_CODE = 'run_code';

/** The name of an own tool that is listed only if a guard is present to answer its calls. */
export type GuardedTool = typeof READ_RESULT | typeof RUN_CODE;

const GUARDED_TOOLS: ReadonlySet<string> = new Set<GuardedTool>([READ_RESULT, RUN_CODE]);

/** True if the name is a {@link GuardedTool}. */
export function needsGuard(name: string): boolean {
  return GUARDED_TOOLS.has(name);
}

/** The URI of the page (MCP App) that shows the result of `list_servers`. */
export const OVERVIEW_URI = 'ui://mcpmux/overview';

/** A tool that mcpmux itself offers. */
export interface OwnTool {
  readonly name: string;
  /** The tool's definition as it appears in `tools/list`, as JSON text. */
  readonly json: string;
  /** Replaces `json` for clients that support MCP Apps, if the tool has a page that shows its result. */
  readonly appJson?: string;
}
