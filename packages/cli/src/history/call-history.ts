import process from 'node:process';

import type { HistorySettings } from '@mcpmux/config';
import { maskArgs, messageOf, type Logger, type Mux, type MuxEventMap } from '@mcpmux/core';

import type { HistoryFile } from './history-file.js';
import type { StoredCall } from './stored-call.js';

const MEGABYTE = 1024 * 1024;
const DEFAULT_MAX_MEGABYTES = 20;
/** The time between writes. A crash loses the lines collected since the last write. */
const WRITE_INTERVAL_MS = 1000;
/** The maximum number of lines collected between two writes. Further calls are only counted. */
const MAX_LINES = 1000;

type CallDetails = Pick<StoredCall, 'client' | 'sent' | 'arguments'>;

/** Stores the calls of a mux in a file while the config enables the history. No call waits for a write. */
export class CallHistory {
  private unsubscribers: readonly (() => void)[] = [];
  /** The details of pending calls, keyed by call number. The mux provides them only for a limited number of calls. */
  private readonly pendingDetails = new Map<number, CallDetails>();
  private lines: string[] = [];
  private missedCount = 0;
  /** The stored part of each call: nothing (false), all but arguments and results (`sizes`), or everything (true). */
  private detailLevel: boolean | 'sizes' = false;
  private maxBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasLoggedFailure = false;

  constructor(
    private readonly parts: {
      readonly mux: Pick<Mux, 'on'>;
      readonly logger: Logger;
      readonly file: Pick<HistoryFile, 'path' | 'append' | 'appendNow'>;
      /** The path of the config that the mux serves. */
      readonly config: string;
    },
  ) {}

  /** Applies the history settings. Called each time the config is read. */
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

  /** Stores the collected lines synchronously, because the process is about to exit. */
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
      // The mux has masked the secrets of this server, but the text may also contain other secrets.
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

  /** Writes the collected lines. The next write is scheduled only afterwards, so that writes do not overlap. */
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
