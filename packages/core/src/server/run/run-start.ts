import { escapeControls, messageOf, shownStart, type TextMask } from '@mcpmux/kit';
import { OwnRequestError } from '../link/own-request.js';
import type { RunFailure } from '../link/run-failure.js';
import { withoutDenied } from '../dialect/client-requests.js';
import type { OpeningInit } from '../dialect/server-dialect.js';
import type { Layer } from '../config/layer.js';
import { isRemote, type AnyServerConfig } from '../config/server-config.js';
import type { RunComponents } from './run-components.js';
import type { PreferredOpening, SecondEra } from './run-contract.js';

/** The server to open, and the layer in which it is registered. */
interface ServerToOpen {
  readonly config: AnyServerConfig;
  readonly layer: Layer;
  readonly preferred?: () => PreferredOpening | undefined;
}

/** Returns the parameters for opening a run that depend on the server's config and clients. */
export function openingInitOf(
  { config, layer, preferred }: ServerToOpen,
  second: SecondEra | undefined,
  components: Pick<RunComponents, 'clientProfile' | 'verdicts' | 'firstEra' | 'protocol'>,
): Pick<OpeningInit, 'profile' | 'requiredEra' | 'isSecond' | 'firstEra' | 'onVerdict'> {
  const { clientProfile, verdicts, firstEra, protocol } = components;
  // The deprecated transport does not support the modern era.
  const isSse = isRemote(config) && config.transport === 'sse';
  const only = second?.era ?? (isSse ? 'legacy' : (config.protocol ?? protocol));
  const wanted = preferred?.() ?? {};
  return {
    profile: withoutDenied(
      second?.profile ?? wanted.profile ?? clientProfile(layer),
      config.denyRequests ?? [],
    ),
    requiredEra: only === 'auto' ? undefined : only,
    isSecond: second !== undefined,
    firstEra: verdicts.eraOf(config) ?? wanted.era ?? firstEra(layer),
    onVerdict: (era) => verdicts.record(config, era),
  };
}

/** The maximum number of characters of a problem's text, which the server controls. */
const MAX_PROBLEM_LENGTH = 5000;

/** How far a start has progressed. */
export interface StartProgress {
  /** The request to which the server must respond next, or `launch`. */
  readonly phase: string;
  /** The time limit for the start, in milliseconds. */
  readonly afterMs: number;
  readonly stderrTail: readonly string[];
  readonly mask: TextMask;
}

/** Describes the failure of a run whose start has thrown an error. */
export function startFailure(
  error: unknown,
  { phase, afterMs, stderrTail, mask }: StartProgress,
): RunFailure {
  const reported = (text: string): string => escapeControls(shownStart(mask, text, MAX_PROBLEM_LENGTH));
  if (!(error instanceof OwnRequestError))
    return { kind: 'not-launched', problem: reported(messageOf(error)) };
  const { failure, timedOut, message } = error;
  if (failure?.kind === 'undelivered') return { ...failure, kind: 'unreachable' };
  if (timedOut) return { kind: 'start-timeout', phase, afterMs, stderrTail };
  return { kind: 'bad-answer', phase, problem: reported(message), stderrTail };
}
