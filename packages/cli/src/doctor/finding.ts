/** One result of `mcpmux doctor`. */
export interface Finding {
  /** The subject of the check, such as `node`, `config`, a client or a server name. */
  readonly subject: string;
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  readonly message: string;
  /** The next step, as a sentence or a command. */
  readonly next?: string;
}

/** Returns the finding for a successful check. */
export function ok(subject: string, message: string, next?: string): Finding {
  return { subject, level: 'ok', message, ...(next !== undefined && { next }) };
}

/** Returns an informational finding, which is not a fault. */
export function note(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'note' };
}

/** Returns the finding for a fault that does not stop servers. */
export function warning(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'warning' };
}

/** Returns the finding for a fault that stops servers from working. */
export function problem(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'problem' };
}
