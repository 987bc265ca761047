import { errorCodeOf, MuxError } from '../../base/errors.js';
import { RemoteChannel } from '../../remote/remote-channel.js';
import { remoteEndpoint } from '../../remote/remote-endpoint.js';
import type { LoadRemoteTransports, RemoteTransports } from '../../remote/remote-transport.js';
import type { LaunchingRun } from './launching-run.js';
import type { RunComponents } from './run-components.js';
import { UrlEndpoint } from './url-endpoint.js';
import type { RemoteConfig } from '../config/server-config.js';

/**
 * Makes the way to a server at a url; nothing is sent yet.
 *
 * @throws MuxError INVALID_CONFIG when the configuration is wrong, or the SDK is not installed
 */
export async function launchRemote(
  { url, headers, transport, clientCredentials, isPublic, login = false }: RemoteConfig,
  { clock, limits, logger, remoteTransports, logins, dialect }: RunComponents,
  { server, redact, undelivered }: LaunchingRun,
): Promise<UrlEndpoint> {
  const store = login ? logins : undefined;
  const endpoint = {
    ...remoteEndpoint(url, headers, transport),
    clientCredentials,
    isPublic,
    login: store && { store, advice: loginAdvice(server) },
  };
  const channel = new RemoteChannel({
    endpoint,
    opening: dialect.opening,
    transports: await loaded(remoteTransports),
    clock,
    maxMessageBytes: limits.maxLineBytes,
    highWatermarkBytes: limits.maxServerQueueBytes,
    undelivered: (id, { problem, advice }) => {
      const failure = { kind: 'undelivered', problem: redact(problem), advice } as const;
      logger.log('warn', 'a request was not answered', { server, problem: failure.problem });
      undelivered(id, failure);
    },
    trouble: (problem) => logger.log('debug', redact(problem), { server }),
  });
  return new UrlEndpoint(channel, redact);
}

function loginAdvice(server: string): string {
  return `Ask the user to run: mcpmux login ${/^[\w.-]+$/.test(server) ? server : JSON.stringify(server)} - then reload_server.`;
}

async function loaded(load: LoadRemoteTransports): Promise<RemoteTransports> {
  try {
    return await load();
  } catch (error) {
    if (errorCodeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new MuxError(
      'INVALID_CONFIG',
      'servers at urls need the package @modelcontextprotocol/client, which is not installed. Install it beside @mcpmux/core.',
      { cause: error },
    );
  }
}
