/** The server of mcpmux's own tools, where one has to be named. */
export const OWN_SERVER = 'mcpmux';

/** A tool that mcpmux itself offers. */
export interface OwnTool {
  readonly name: string;
  /** Its definition as it stands in `tools/list`, JSON text. */
  readonly json: string;
}
