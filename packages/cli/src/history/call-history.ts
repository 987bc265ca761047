import process from 'node:process';

import type { HistorySettings } from '@mcpmux/config';
import { maskArgs, messageOf, type Logger, type Mux, type MuxEventMap } from '@mcpmux/core';

import type { HistoryFile } from './history-file.js';
import type { StoredCall } from './stored-call.js';

const MEGABYTE = 1024 * 1024;
const DEFAULT_MEGABYTES = 20;
/** The time for which lines are collected. A crash loses them. */
const COLLECTED_MS = 1000;
/** The largest number of lines that are collected. Further calls are only counted. */
const MAX_COLLECTED = 1000;

type Details = Pick<StoredCall, 'client' | 'sent' | 'arguments'>;

/** The parts of {@link CallHistory}. */
interface HistoryParts {
  readonly mux: Pick<Mux, 'on'>;
  readonly logger: Logger;
  readonly file: Pick<HistoryFile, 'path' | 'append' | 'appendNow'>;
  /** The config that is served. */
  readonly config: string;
}

/** Stores the calls of a mux in a file, as long as the config wants it. A call waits for no file. */
export class CallHistory {
  private stops: readonly (() => void)[] = [];
  /** The details of calls in flight. The mux reports them for a limited number of calls. */
  private readonly details = new Map<number, Details>();
  private lines: string[] = [];
  private missed = 0;
  /** The stored part: nothing, calls without arguments and results, or all. */
  private stored: boolean | 'sizes' = false;
  private maxBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private hasFailed = false;

  constructor(private readonly parts: HistoryParts) {}

  /** Receives the setting each time the config is read. */
  apply(settings: HistorySettings | undefined = false): void {
    const { content = false, maxMegabytes = DEFAULT_MEGABYTES } =
      typeof settings === 'boolean' ? {} : settings;
    this.maxBytes = maxMegabytes * MEGABYTE;
    const details = settings !== false && (content || 'sizes');
    if (details === this.stored) return;
    this.stored = details;
    for (const stop of this.stops) stop();
    const { mux } = this.parts;
    const listen = (): readonly (() => void)[] => [
      mux.on('call:start', (call) => this.began(call), { details }),
      mux.on('call:end', (call) => this.ended(call), { details }),
    ];
    this.stops = details === false ? [] : listen();
    this.details.clear();
  }

  /** Stores the calls that have ended. Called at the end of the process, which waits for nothing. */
  end(): void {
    const lines = this.takeLines();
    if (lines.length === 0) return;
    try {
      this.parts.file.appendNow(lines);
    } catch (error) {
      this.failed(error);
    }
  }

  private began({ call, session, client, bytes, arguments: text }: MuxEventMap['call:start']): void {
    if (session === undefined) return;
    this.details.set(call, {
      ...(client !== undefined && { client }),
      ...(bytes !== undefined && { sent: bytes }),
      ...(this.stored === true && text !== undefined && { arguments: text }),
    });
  }

  private ended({ call, server, tool, ms, ending, problem, bytes, result }: MuxEventMap['call:end']): void {
    const details = this.details.get(call);
    this.details.delete(call);
    this.schedule();
    if (this.lines.length >= MAX_COLLECTED) {
      this.missed += 1;
      return;
    }
    this.add(ms, {
      server,
      tool,
      ms,
      ending,
      // The mux has removed the secrets of the server. A server may also report secrets of others.
      ...(problem !== undefined && { problem: maskArgs([problem]).args.join('') }),
      ...details,
      ...(bytes !== undefined && { received: bytes }),
      ...(this.stored === true && result !== undefined && { result }),
    });
  }

  private add(ago: number, line: object): void {
    const time = new Date(Date.now() - ago).toISOString();
    const { config } = this.parts;
    this.lines.push(JSON.stringify({ time, ...line, pid: process.pid, config }));
  }

  /** Writes the lines. The next lines wait, so that a slow disk gets one write at a time. */
  private async write(): Promise<void> {
    try {
      await this.parts.file.append(this.takeLines(), this.maxBytes);
    } catch (error) {
      this.failed(error);
    }
    this.timer = undefined;
    if (this.lines.length > 0) this.schedule();
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.write(), COLLECTED_MS).unref();
  }

  private takeLines(): readonly string[] {
    if (this.missed > 0) this.add(0, { missed: this.missed });
    const { lines } = this;
    this.lines = [];
    this.missed = 0;
    return lines;
  }

  private failed(error: unknown): void {
    const { file, logger } = this.parts;
    const fields = { file: file.path, problem: messageOf(error) };
    if (!this.hasFailed) logger.log('warn', 'calls are not stored: the history cannot be written', fields);
    this.hasFailed = true;
  }
}
