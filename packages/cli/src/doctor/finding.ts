/** One thing that `mcpmux doctor` has looked at. */
export interface Finding {
  /** What was looked at: `node`, `config`, a client, or the name of a server. */
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do, as a sentence or a command. */
  readonly next?: string;
}
