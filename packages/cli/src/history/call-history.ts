import process from 'node:process';

import type { HistorySettings } from '@mcpmux/config';
import { maskArgs, messageOf, type Logger, type Mux, type MuxEventMap } from '@mcpmux/core';

import type { HistoryFile } from './history-file.js';
import type { StoredCall } from './stored-call.js';

const MEGABYTE = 1024 * 1024;
const DEFAULT_MAX_MEGABYTES = 20;
/** The delay before collected lines are written to the file. A crash loses the lines that are not written yet. */
const WRITE_INTERVAL_MS = 1000;
/** The maximum number of lines collected between two writes. Further calls are only counted. */
const MAX_LINES = 1000;

type CallDetails = Pick<StoredCall, 'client' | 'sent' | 'arguments'>;

/** Records a mux's calls in a file while the config enables the history. No call waits for a write. */
export class CallHistory {
  private unsubscribers: readonly (() => void)[] = [];
  /** The details of pending calls, by call number. Above a certain call rate, the mux leaves the details out. */
  private readonly pendingDetails = new Map<number, CallDetails>();
  private lines: string[] = [];
  private missedCount = 0;
  /** `false`: stores no calls. `sizes`: stores calls without arguments and results. `true`: stores calls completely. */
  private detailLevel: boolean | 'sizes' = false;
  private maxBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasLoggedFailure = false;

  constructor(
    private readonly parts: {
      readonly mux: Pick<Mux, 'on'>;
      readonly logger: Logger;
      readonly file: Pick<HistoryFile, 'path' | 'append' | 'appendNow'>;
      /** The path of the mux's config file. */
      readonly config: string;
    },
  ) {}

  /** Applies the history settings. Called again each time the config is reloaded. */
  apply(settings: HistorySettings | undefined = false): void {
    const { content = false, maxMegabytes = DEFAULT_MAX_MEGABYTES } =
      typeof settings === 'boolean' ? {} : settings;
    this.maxBytes = maxMegabytes * MEGABYTE;
    const details = settings !== false && (content || 'sizes');
    if (details === this.detailLevel) return;
    this.detailLevel = details;
    for (const unsubscribe of this.unsubscribers) unsubscribe();
    const { mux } = this.parts;
    const subscribe = (): readonly (() => void)[] => [
      mux.on('call:start', (call) => this.onCallStart(call), { details }),
      mux.on('call:end', (call) => this.onEnd(call), { details }),
    ];
    this.unsubscribers = details === false ? [] : subscribe();
    this.pendingDetails.clear();
  }

  /** Writes the collected lines synchronously, because an exiting process cannot wait for an asynchronous write. */
  flushOnExit(): void {
    const lines = this.takeLines();
    if (lines.length === 0) return;
    try {
      this.parts.file.appendNow(lines);
    } catch (error) {
      this.logFailure(error);
    }
  }

  private onCallStart({ call, session, client, bytes, arguments: text }: MuxEventMap['call:start']): void {
    if (session === undefined) return;
    this.pendingDetails.set(call, {
      ...(client !== undefined && { client }),
      ...(bytes !== undefined && { sent: bytes }),
      ...(this.detailLevel === true && text !== undefined && { arguments: text }),
    });
  }

  private onEnd({ call, server, tool, ms, ending, problem, bytes, result }: MuxEventMap['call:end']): void {
    const details = this.pendingDetails.get(call);
    this.pendingDetails.delete(call);
    this.scheduleWrite();
    if (this.lines.length >= MAX_LINES) {
      this.missedCount += 1;
      return;
    }
    this.addLine(ms, {
      server,
      tool,
      ms,
      ending,
      // The mux has masked the secrets in this server's config, but the error text may contain others.
      ...(problem !== undefined && { problem: maskArgs([problem]).args.join('') }),
      ...details,
      ...(bytes !== undefined && { received: bytes }),
      ...(this.detailLevel === true && result !== undefined && { result }),
    });
  }

  private addLine(ageMs: number, line: object): void {
    const time = new Date(Date.now() - ageMs).toISOString();
    const { config } = this.parts;
    this.lines.push(JSON.stringify({ time, ...line, pid: process.pid, config }));
  }

  /** Clears `timer` only after the write, so that writes do not overlap. */
  private async writeLines(): Promise<void> {
    try {
      await this.parts.file.append(this.takeLines(), this.maxBytes);
    } catch (error) {
      this.logFailure(error);
    }
    this.timer = undefined;
    if (this.lines.length > 0) this.scheduleWrite();
  }

  private scheduleWrite(): void {
    this.timer ??= setTimeout(() => void this.writeLines(), WRITE_INTERVAL_MS).unref();
  }

  private takeLines(): readonly string[] {
    if (this.missedCount > 0) this.addLine(0, { missed: this.missedCount });
    const { lines } = this;
    this.lines = [];
    this.missedCount = 0;
    return lines;
  }

  private logFailure(error: unknown): void {
    const { file, logger } = this.parts;
    const fields = { file: file.path, problem: messageOf(error) };
    if (!this.hasLoggedFailure)
      logger.log('warn', 'calls are not stored: the history cannot be written', fields);
    this.hasLoggedFailure = true;
  }
}
