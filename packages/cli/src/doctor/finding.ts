/** One result of `mcpmux doctor`. */
export interface Finding {
  /** The subject of the check: `node`, `config`, a client, or the name of a server. */
  readonly subject: string;
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  readonly message: string;
  /** The next step, as a sentence or a command. */
  readonly next?: string;
}

/** Returns the finding of a successful check. */
export function ok(subject: string, message: string, next?: string): Finding {
  return { subject, level: 'ok', message, ...(next !== undefined && { next }) };
}

/** Returns a finding that is neither good nor bad. */
export function note(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'note' };
}

/** Returns a fault that does not stop servers. */
export function warning(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'warning' };
}

/** Returns a fault that keeps servers from working. */
export function problem(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'problem' };
}
