/** One thing that `mcpmux doctor` has looked at. */
export interface Finding {
  /** What was looked at: `node`, `config`, a client, or the name of a server. */
  readonly subject: string;
  readonly level: 'ok' | 'warning' | 'problem';
  readonly message: string;
  /** What to do, as a sentence or a command. */
  readonly next?: string;
}

/** Something that is as it should be. */
export function ok(subject: string, message: string, next?: string): Finding {
  return { subject, level: 'ok', message, ...(next !== undefined && { next }) };
}

/** Something that works, and may trouble somebody. */
export function warning(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'warning' };
}

/** Something that keeps servers from working. */
export function problem(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'problem' };
}
