/** The server of mcpmux's own tools, where one has to be named. */
export const OWN_SERVER = 'mcpmux';

/** The own tool that stands in lists only where results are stored. */
export const READ_RESULT = 'read_result';

/** A tool that mcpmux itself offers. */
export interface OwnTool {
  readonly name: string;
  /** Its definition as it stands in `tools/list`, JSON text. */
  readonly json: string;
}
