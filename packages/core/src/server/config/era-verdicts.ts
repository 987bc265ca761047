import { BoundedMap } from '@mcpmux/kit';
import type { Era } from '../dialect/era.js';
import { isRemote, isStreams, type AnyServerConfig, type ProcessConfig } from './server-config.js';

/** The era in which a server is to be spoken to first, and since when that is known, in milliseconds since 1970. */
export interface EraVerdict {
  readonly era: Era;
  readonly at: number;
}

/** The time for which a verdict is valid: the next version of a server may have another era. */
const VALID_MS = 7 * 24 * 60 * 60 * 1000;
const MAX_VERDICTS = 10_000;

/**
 * Verdicts about servers that cost time: a server cannot be probed, or has the modern era alone. Servers are known by
 * their command, arguments and working folder.
 */
export class EraVerdicts {
  private readonly verdicts = new BoundedMap<string, EraVerdict>(MAX_VERDICTS);

  /** @param now the time of day, in milliseconds since 1970 */
  constructor(private readonly now: () => number = Date.now) {}

  of(config: AnyServerConfig): Era | undefined {
    return this.verdictOn(config)?.era;
  }

  verdictOn(config: AnyServerConfig): EraVerdict | undefined {
    const verdict = this.verdicts.get(keyOf(config));
    return verdict !== undefined && this.now() - verdict.at < VALID_MS ? verdict : undefined;
  }

  learn(config: AnyServerConfig, era: Era): void {
    this.recall(config, { era, at: this.now() });
  }

  /** Adds a verdict of an earlier mux. */
  recall(config: AnyServerConfig, verdict: EraVerdict): void {
    this.verdicts.set(keyOf(config), verdict);
  }
}

function keyOf(config: AnyServerConfig): string {
  if (isStreams(config)) return config.address;
  if (isRemote(config)) return config.url;
  const { command, args = [], cwd }: Partial<ProcessConfig> = config;
  return JSON.stringify([command, args, cwd]);
}
