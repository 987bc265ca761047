import { errorCodeOf, MuxError } from '@mcpmux/kit';
import {
  type CreateRemoteTokens,
  INSTANCE_HEADER,
  type LoadRemoteTokens,
  remoteEndpoint,
  RemoteError,
  SessionLostError,
} from '@mcpmux/remote';
import { RemoteChannel } from '@mcpmux/remote/channel';
import type { RemoteConfig } from '../config/server-config.js';
import { NO_PROCESS, type Endpoint, type LaunchingRun } from './endpoint.js';
import type { RunComponents } from './run-components.js';

/** The shortest and longest timeout, in milliseconds, for the request that ends the session on the server. */
const MIN_CLOSE_MS = 250;
const MAX_CLOSE_MS = 1000;

/**
 * Returns the endpoint for a remote server, without sending anything.
 *
 * @throws MuxError INVALID_CONFIG if the config is wrong, or the SDK is not installed
 */
export async function urlEndpoint(
  { url, headers, transport, clientCredentials, publicOnly, login = false }: RemoteConfig,
  { clock, limits, logger, remoteTokens, logins, dialect, instanceId }: RunComponents,
  { server, mask, isAwaited, onUndelivered, onSessionDoubted }: LaunchingRun,
): Promise<Endpoint> {
  const store = login ? logins : undefined;
  const endpoint = {
    ...remoteEndpoint(url, { ...headers, [INSTANCE_HEADER]: instanceId }, transport),
    clientCredentials,
    publicOnly,
    login: store && {
      store,
      advice: loginAdvice(server),
      needed: () => store.needed?.({ server, url, headers: headers ?? {} }),
      clock,
      warn: (problem: string) => logger.log('warn', mask.redact(problem), { server }),
    },
  };
  const hasTokens = clientCredentials !== undefined || store !== undefined;
  const channel = new RemoteChannel({
    endpoint,
    opening: dialect.opening,
    createTokens: hasTokens ? await loadTokenFactory(remoteTokens) : () => undefined,
    clock,
    mask,
    maxMessageBytes: limits.maxLineBytes,
    highWatermarkBytes: limits.maxServerQueueBytes,
    isAwaited,
    undelivered: (id, { problem, advice, status }) => {
      const failure = { kind: 'undelivered', problem: mask.redact(problem), advice, status } as const;
      logger.log('warn', 'a request was not answered', { server, problem: failure.problem });
      onUndelivered(id, failure);
    },
    doubted: onSessionDoubted,
    trouble: (problem) => logger.log('debug', mask.redact(problem), { server }),
  });
  return {
    ...NO_PROCESS,
    channel,
    http: channel,
    failureOf: ({ reason, error }) => {
      // mcpmux itself closed the channel, because it ended the run.
      if (reason === 'closed') return undefined;
      const problem = mask.redact(error instanceof Error ? error.message : 'its connection has ended');
      if (error instanceof SessionLostError) return { kind: 'session-lost', problem };
      const advice = error instanceof RemoteError ? error.advice : undefined;
      return { kind: 'unreachable', problem, advice };
    },
    // Ends the session on the server, as the specification requires.
    stop: ({ eofGraceMs }) => channel.close(Math.min(Math.max(eofGraceMs, MIN_CLOSE_MS), MAX_CLOSE_MS)),
  };
}

function loginAdvice(server: string): string {
  return `Ask the user to run: mcpmux login ${/^[\w.-]+$/.test(server) ? server : JSON.stringify(server)} - then reload_server.`;
}

async function loadTokenFactory(load: LoadRemoteTokens): Promise<CreateRemoteTokens> {
  try {
    return await load();
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MuxError(
      'INVALID_CONFIG',
      'credentials and logins of servers at urls need the package @modelcontextprotocol/client, which is not installed. ' +
        'Install it beside @mcpmux/core.',
      { cause: error },
    );
  }
}
