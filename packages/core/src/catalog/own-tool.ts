/** A tool that mcpmux itself offers. */
export interface OwnTool {
  readonly name: string;
  /** Its definition as it stands in `tools/list`, JSON text. */
  readonly json: string;
}
