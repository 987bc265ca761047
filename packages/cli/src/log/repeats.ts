import type { LogRecord } from './log-record.js';

/** The reports of failed servers that are remembered: as many servers as fail at the same time. */
const MAX_REPORTS = 64;
const RECORDED_ELSEWHERE: ReadonlySet<unknown> = new Set(['add', 'spawn', 'remove']);
const OWN_RULES: ReadonlySet<unknown> = new Set(['host', 'registered', 'start failed']);

/** Finds records that say again what another record has said. People read each event once; programs get all records. */
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

/** An audit record of an action that mcpmux has done for its config or its host, not for an agent. */
function isOfMcpmux({ message, fields: { action, rule } }: LogRecord): boolean {
  return message === 'audit' && RECORDED_ELSEWHERE.has(action) && OWN_RULES.has(rule);
}
