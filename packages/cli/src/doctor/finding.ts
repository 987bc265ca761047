/** One result of `mcpmux doctor`. */
export interface Finding {
  /** The subject of the check, such as `node`, `config`, a client or a server name. */
  readonly subject: string;
  readonly level: 'ok' | 'note' | 'warning' | 'problem';
  readonly message: string;
  /** The recommended next step, as a sentence or a command. */
  readonly next?: string;
}

/** Returns a finding for a successful check. */
export function ok(subject: string, message: string, next?: string): Finding {
  return { subject, level: 'ok', message, ...(next !== undefined && { next }) };
}

/** Returns a finding that is informational, not a fault. */
export function note(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'note' };
}

/** Returns a finding for a fault that does not prevent servers from working. */
export function warning(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'warning' };
}

/** Returns a finding for a fault that prevents servers from working. */
export function problem(subject: string, message: string, next?: string): Finding {
  return { ...ok(subject, message, next), level: 'problem' };
}
