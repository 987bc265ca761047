import { createConsola, type ConsolaReporter } from 'consola/basic';
import { stderrStream, writeStderr } from '../base/terminal-output.js';
import { clockTime } from '../base/clock-time.js';
import { formatFields, formatJson, formatMessage, type LogFormat, type LogRecord } from './log-record.js';

/** Writes log records to stderr. */
export type LogSink = (record: LogRecord) => void;

const jsonReporter: ConsolaReporter = {
  log: ({ args }) => {
    const record: LogRecord = args[1];
    writeStderr(formatJson(record));
  },
};

const prettyReporter: ConsolaReporter = {
  log: ({ args }) => {
    const { time, level, message, fields }: LogRecord = args[1];
    const server = typeof fields['server'] === 'string' ? `[${formatMessage(fields['server'])}] ` : '';
    writeStderr(`${clockTime(time)} [${level}] ${server}${formatMessage(message)}${formatFields(fields)}\n`);
  },
};

/** Creates mcpmux's only consola instance. The default instance would write to stdout, which carries JSON-RPC. */
export function createConsolaSink(format: LogFormat): LogSink {
  const consola = createConsola({
    // StderrLogger has already filtered the records by level.
    level: Number.POSITIVE_INFINITY,
    throttle: 0,
    stdout: stderrStream,
    stderr: stderrStream,
    reporters: [format === 'json' ? jsonReporter : prettyReporter],
  });
  const detector = new RepeatDetector();
  return (record) => {
    if (format === 'pretty' && detector.detectRepeat(record)) return;
    // The message comes first, because consola would mistake a record as the only argument for its own log object.
    consola[record.level](record.message, record);
  };
}

/** How many error reports to remember. If more servers fail at once, some repeated records are logged. */
const MAX_RECENT_REPORTS = 64;
const ACTIONS_LOGGED_ELSEWHERE: ReadonlySet<unknown> = new Set(['add', 'spawn', 'remove']);
const OWN_AUDIT_RULES: ReadonlySet<unknown> = new Set(['host', 'registered', 'start failed']);

/** Detects records that repeat other records, so that the pretty format can omit them. */
class RepeatDetector {
  private readonly recentReports: string[] = [];

  detectRepeat(record: LogRecord): boolean {
    const { level, message, fields } = record;
    const { server, problem } = fields;
    if (level === 'error' && typeof server === 'string' && problem === undefined) {
      this.recentReports.push(message.split('\n', 1)[0] ?? '');
      if (this.recentReports.length > MAX_RECENT_REPORTS) this.recentReports.shift();
    }
    return isOwnAction(record) || (typeof problem === 'string' && this.recentReports.includes(problem));
  }
}

/** True for the audit record of an action that the config or the host caused, rather than an agent. */
function isOwnAction({ message, fields: { action, rule } }: LogRecord): boolean {
  return message === 'audit' && ACTIONS_LOGGED_ELSEWHERE.has(action) && OWN_AUDIT_RULES.has(rule);
}
