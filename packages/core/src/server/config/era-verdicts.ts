import { BoundedMap } from '@mcpmux/kit';
import type { Era } from '../dialect/era.js';
import { isRemote, isStreams, type AnyServerConfig, type ProcessConfig } from './server-config.js';

/** The era to try first with a server, and the time at which mcpmux learned it, in milliseconds since 1970. */
export interface EraVerdict {
  readonly era: Era;
  readonly at: number;
}

/** How long a verdict is valid, in milliseconds. The next version of a server may support another era. */
const VERDICT_VALIDITY_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_VERDICTS = 10_000;

/**
 * Remembers which servers have proved to support only one era, so that mcpmux tries that era first. A server is
 * identified by its command, arguments and working directory, or by its URL or address.
 */
export class EraVerdicts {
  private readonly verdicts = new BoundedMap<string, EraVerdict>(MAX_VERDICTS);

  /** @param now returns the current time, in milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {}

  eraOf(config: AnyServerConfig): Era | undefined {
    return this.getVerdict(config)?.era;
  }

  getVerdict(config: AnyServerConfig): EraVerdict | undefined {
    const verdict = this.verdicts.get(keyOf(config));
    return verdict !== undefined && this.now() - verdict.at < VERDICT_VALIDITY_MS ? verdict : undefined;
  }

  record(config: AnyServerConfig, era: Era): void {
    this.restore(config, { era, at: this.now() });
  }

  /** Adds a verdict that an earlier mcpmux process saved. */
  restore(config: AnyServerConfig, verdict: EraVerdict): void {
    this.verdicts.set(keyOf(config), verdict);
  }
}

function keyOf(config: AnyServerConfig): string {
  if (isStreams(config)) return config.address;
  if (isRemote(config)) return config.url;
  const { command, args = [], cwd }: Partial<ProcessConfig> = config;
  return JSON.stringify([command, args, cwd]);
}
