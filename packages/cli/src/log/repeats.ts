import type { LogRecord } from './log-record.js';

/**
 * The number of remembered reports of failed servers. If more servers fail at the same time, repeated records are
 * logged.
 */
const MAX_REPORTS = 64;
const RECORDED_ELSEWHERE: ReadonlySet<unknown> = new Set(['add', 'spawn', 'remove']);
const OWN_RULES: ReadonlySet<unknown> = new Set(['host', 'registered', 'start failed']);

/** Finds records that repeat another record. People read each event once. Programs get all records. */
export class Repeats {
  private readonly reports: string[] = [];

  isRepeated(record: LogRecord): boolean {
    const { level, message, fields } = record;
    const { server, problem } = fields;
    if (level === 'error' && typeof server === 'string' && problem === undefined) {
      this.reports.push(message.split('\n', 1)[0] ?? '');
      if (this.reports.length > MAX_REPORTS) this.reports.shift();
    }
    return isOfMcpmux(record) || (typeof problem === 'string' && this.reports.includes(problem));
  }
}

/** True for an audit record of an action that mcpmux took for its config or its host, not for an agent. */
function isOfMcpmux({ message, fields: { action, rule } }: LogRecord): boolean {
  return message === 'audit' && RECORDED_ELSEWHERE.has(action) && OWN_RULES.has(rule);
}
