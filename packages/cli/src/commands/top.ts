import { ExitCode } from '../base/exit-code.js';
import { terminals } from '../base/terminal-output.js';
import type { Announcement } from '../live/announcement.js';
import { printResult, printNote, type CommandContext, type Action } from '../terminal/command-context.js';
import { TerminalScreen } from '../top/terminal-screen.js';
import { splitKeys, outcomeOfKey, type KeyOutcome } from '../top/top-keys.js';
import { screenLines, snapshotLines, type Frame } from '../top/top-screen.js';
import { TopSession } from '../top/top-session.js';
import { stateRow } from './server-row.js';
import { requireConnection, selectRunningInstance, type InstanceFlags } from './running-instance.js';

/** The pause between a response and the next request for the server states. */
const REFRESH_MS = 1000;

/** Shows a running mcpmux's servers, calls and logs live. With `--once` or without a terminal, prints them once. */
export const top: Action<InstanceFlags & { readonly once?: boolean }> = async (context, _, flags) => {
  const instance = selectRunningInstance(context, flags);
  const connection = await requireConnection(instance);
  let onChange = (): void => undefined;
  using session = await TopSession.open(instance, connection, () => onChange());
  const isLive = context.streams.isInteractive && terminals.isStdoutTerminal && flags.once !== true;
  if (!isLive) return printSnapshot(context, instance, session);
  return await new Promise<number>((resolve, reject) => {
    const view = new LiveView(context, instance, session, resolve);
    onChange = () => view.scheduleDraw();
    session.ended.then(() => view.end(`The mcpmux with pid ${instance.pid} has ended.`), reject);
  });
};

function printSnapshot(context: CommandContext, instance: Announcement, { state }: TopSession): number {
  const frame = frameOf(context, instance, { columns: context.streams.columns, rows: 0 });
  const servers = state.servers.map((server) => stateRow(server, state.summaries));
  printResult(context, { ...instance, servers }, snapshotLines(state, frame).join('\n'));
  return ExitCode.Ok;
}

/** The live screen. It ends when the user quits or the mcpmux ends. */
class LiveView {
  private readonly terminal: TerminalScreen;
  private timer: NodeJS.Timeout | undefined;
  private isEnded = false;
  private isDrawDue = false;

  constructor(
    private readonly context: CommandContext,
    private readonly instance: Announcement,
    private readonly session: TopSession,
    private readonly resolve: (exitCode: number) => void,
  ) {
    this.terminal = new TerminalScreen(
      (text) => this.handleKeys(text),
      () => this.draw(),
    );
    this.scheduleRefresh();
    this.draw();
  }

  /** Redraws the screen once for all events that arrive together. */
  scheduleDraw(): void {
    if (this.isDrawDue) return;
    this.isDrawDue = true;
    setImmediate(() => {
      this.isDrawDue = false;
      this.draw();
    });
  }

  draw(): void {
    if (this.isEnded) return;
    const frame = frameOf(this.context, this.instance, this.terminal);
    this.terminal.draw(screenLines(this.session.state, frame));
  }

  end(message = ''): void {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.timer);
    this.terminal[Symbol.dispose]();
    printNote(this.context, message);
    this.resolve(ExitCode.Ok);
  }

  /**
   * Schedules each refresh after the previous one has finished, so that requests do not pile up in a suspended mcpmux.
   */
  private scheduleRefresh(): void {
    this.timer = setTimeout(() => {
      // The refresh fails only if the mcpmux has ended, which `session.ended` reports.
      const refreshPromise = this.session.refresh().catch(() => undefined);
      void refreshPromise.then(() => this.isEnded || this.scheduleRefresh());
    }, REFRESH_MS);
  }

  private handleKeys(text: string): void {
    for (const key of splitKeys(text)) {
      const outcome = outcomeOfKey(key, this.session.state);
      if (outcome === undefined) continue;
      if (outcome.type === 'quit') return this.end();
      this.applyOutcome(outcome);
    }
  }

  private applyOutcome(outcome: Exclude<KeyOutcome, { readonly type: 'quit' }>): void {
    if (outcome.type !== 'restart' && outcome.type !== 'remove') return this.session.applyAction(outcome);
    // The call rejects only if the mcpmux has ended, which `session.ended` reports.
    this.session.manageSelected(outcome.type).catch(() => undefined);
  }
}

function frameOf(
  { streams }: CommandContext,
  instance: Announcement,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Frame {
  return { instance, columns, rows, colours: streams.outColours, now: Date.now() };
}
