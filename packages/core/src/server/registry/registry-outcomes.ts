import { MuxError, type MuxErrorData, quote } from '@mcpmux/kit';
import { isSessionTemplate } from '../config/isolation.js';
import { explain, failureReport, type RunFailure } from '../link/run-failure.js';
import type { Layer } from '../config/layer.js';
import type { Upstream } from '../upstream.js';
import { statusName } from '../upstream-state.js';

/** Resolves once `work` has resolved or rejected. */
export async function whenDone(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

/** Creates the error for a reload that failed, so that the previous run continues. */
export function swapFailedError(name: string, failure: RunFailure): MuxError {
  return new MuxError(
    'START_FAILED',
    `${failureReport(name, failure)}\nThe reload failed. The previous run of the server continues.`,
    { data: failureData(name, failure) },
  );
}

function failureData(server: string, failure: RunFailure): MuxErrorData {
  const { exitCode = null, signal = null } = 'exit' in failure ? failure.exit : {};
  return {
    server,
    failure: failure.kind,
    ...(exitCode !== null && { exitCode }),
    ...(signal !== null && { signal }),
    ...('stderrTail' in failure && { stderr: failure.stderrTail }),
  };
}

/** Creates the error for a name that no visible server has. */
export function serverNotFoundError(name: string, seen: readonly { readonly name: string }[]): MuxError {
  const names = seen.map((upstream) => upstream.name);
  const known = names.length === 0 ? 'No server is registered.' : `Registered servers: ${names.join(', ')}.`;
  const data = { server: name, servers: names };
  return new MuxError('SERVER_NOT_FOUND', `There is no server named ${quote(name)}. ${known}`, { data });
}

/** Creates the error for a name that a visible server already has. */
export function nameExistsError(name: string, existing: Upstream, from: Layer): MuxError {
  if (!from.isShared && isSessionTemplate(existing)) {
    return nameTaken(name, ': each session has its own session instance, and this session removed it');
  }
  const spelled = existing.name === name ? '' : ` (spelled ${quote(existing.name)})`;
  return new MuxError(
    'SERVER_EXISTS',
    `A server named ${quote(name)}${spelled} exists already and is ${statusName(existing.state)}. ` +
      'Use reload_server to start it again, or remove_server first to change its configuration.',
    { data: { server: existing.name } },
  );
}

/** Creates the error for a name that an invisible server already has. It reveals nothing else about that server. */
export function nameTaken(name: string, why = ''): MuxError {
  const message = `The name ${quote(name)} is taken${why}. Choose another name.`;
  return new MuxError('SERVER_EXISTS', message, { data: { server: name } });
}

/** Creates the error for a failed addition. */
export function additionFailedError(name: string, failure: RunFailure): MuxError {
  const advice = 'advice' in failure ? [failure.advice] : [];
  const lines = [failureReport(name, failure), ...advice, 'It was not added.'];
  const message = lines.filter((line) => line !== undefined).join('\n');
  return new MuxError('START_FAILED', message, { data: failureData(name, failure) });
}

/**
 * Returns the server if it is running or idle.
 *
 * @throws MuxError START_FAILED if the server has crashed, SERVER_REMOVED if it has been removed
 */
export function requireRunning(upstream: Upstream): Upstream {
  const { state, name } = upstream;
  if (state.kind === 'crashed')
    throw new MuxError('START_FAILED', explain(name, state.failure), {
      data: failureData(name, state.failure),
    });
  const data = { server: name };
  if (state.kind === 'removed')
    throw new MuxError('SERVER_REMOVED', `Server "${name}" was removed before it was running.`, { data });
  return upstream;
}
