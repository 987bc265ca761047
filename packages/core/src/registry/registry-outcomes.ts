import { MuxError } from '../errors.js';
import { report, type RunFailure } from '../upstream/run-failure.js';
import type { Upstream } from '../upstream/upstream.js';

/** Resolves when something has ended, however it has. */
export function settled(work: Promise<unknown>): Promise<void> {
  return work.then(
    () => undefined,
    () => undefined,
  );
}

/** A reload after which everything is as it was. */
export function notSwapped(name: string, failure: RunFailure): MuxError {
  return new MuxError(
    'START_FAILED',
    `${report(name, failure)}\nThe reload was given up: the server runs on as it was before.`,
  );
}

/** A name that is taken. */
export function exists(name: string, existing: Upstream): MuxError {
  const spelled = existing.name === name ? '' : ` (spelled ${JSON.stringify(existing.name)})`;
  return new MuxError(
    'SERVER_EXISTS',
    `A server named ${JSON.stringify(name)}${spelled} exists already and is ${existing.state.kind}. ` +
      'Use reload_server to start it again, or remove_server first to change its configuration.',
  );
}

/** An addition that came to nothing. */
export function notAdded(name: string, failure: RunFailure): MuxError {
  const advice = 'advice' in failure ? [failure.advice] : [];
  const lines = [report(name, failure), ...advice, 'It was not added.'];
  return new MuxError('START_FAILED', lines.filter((line) => line !== undefined).join('\n'));
}
