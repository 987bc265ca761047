import { ExitCode } from '../base/exit-code.js';
import { HistoryFile } from '../history/history-file.js';
import { isCall, type HistoryLine } from '../history/stored-call.js';
import { inColumns, printable } from '../terminal/columns.js';
import { printNote, type Action, type CommandContext } from '../terminal/command-context.js';

/** Flags of `mcpmux history`. */
export interface HistoryFlags {
  readonly server?: string;
  readonly tool?: string;
  readonly last?: number;
}

const DEFAULT_CALL_COUNT = 50;

/** Prints the stored calls, oldest first: the last 50 by default, or with `--json` all of them as NDJSON. */
export const history: Action<HistoryFlags> = async (context, _, flags) => {
  const { streams } = context;
  const isData = context.flags.json === true;
  const file = new HistoryFile(context);
  const stored = file.read();
  const last = flags.last ?? (isData ? Math.max(1, stored.length) : DEFAULT_CALL_COUNT);
  const calls = stored.filter((line) => matchesFlags(line, flags)).slice(-last);
  if (isData) {
    for (const line of calls) {
      streams.data(`${JSON.stringify(line)}\n`);
      await streams.whenStdoutReady();
    }
    return ExitCode.Ok;
  }
  if (calls.length > 0) streams.out(`${historyText(context, calls)}\n`);
  else if (stored.length > 0) printNote(context, 'No stored call matches.');
  else printNote(context, 'No call is stored. Next: mcpmux config set mux.history true');
  return ExitCode.Ok;
};

function matchesFlags(line: HistoryLine, { server, tool }: HistoryFlags): boolean {
  if (!isCall(line)) return server === undefined && tool === undefined;
  return (server ?? line.server) === line.server && (tool ?? line.tool) === line.tool;
}

function historyText({ streams }: CommandContext, lines: readonly HistoryLine[]): string {
  const { dim, bold, red, yellow } = streams.outColours;
  const rows = lines.map((line) => {
    if (!isCall(line)) return [dim(line.time), yellow(`${line.missed} further calls are not stored`)];
    const { time, server, tool, ms, ending, problem, client = '' } = line;
    const isFailed = ending === 'error' || ending === 'failed' || problem !== undefined;
    const outcome = ending === 'result' && problem !== undefined ? 'error' : ending;
    return [
      dim(time),
      bold(printable(`${server}.${tool}`)),
      isFailed ? red(outcome) : outcome,
      `${ms} ms`,
      printable(client),
      printable(problem ?? ''),
    ];
  });
  return inColumns(rows, streams.columns);
}
