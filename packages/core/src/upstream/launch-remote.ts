import type { Clock } from '../clock.js';
import { errorCodeOf, MuxError } from '../errors.js';
import type { Limits } from '../limits.js';
import { RemoteChannel, type RemoteChannelInit } from '../remote/remote-channel.js';
import { remoteTarget } from '../remote/remote-target.js';
import type { LoadRemoteTransports, RemoteTransports } from '../remote/remote-transport.js';
import { RemotePeer } from './remote-peer.js';
import type { RemoteConfig } from './server-config.js';

/** What {@link launchRemote} works with. */
export interface LaunchRemoteComponents extends Pick<RemoteChannelInit, 'undelivered' | 'trouble'> {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly remoteTransports: LoadRemoteTransports;
  readonly redact: (text: string) => string;
}

/**
 * Makes the way to a server at a url; nothing is sent yet.
 *
 * @throws MuxError INVALID_CONFIG when the configuration is wrong, or the SDK is not installed
 */
export async function launchRemote(
  { url, headers, transport }: RemoteConfig,
  { limits, remoteTransports, redact, ...components }: LaunchRemoteComponents,
): Promise<RemotePeer> {
  const target = remoteTarget(url, headers, transport);
  const transports = await loaded(remoteTransports);
  const channel = new RemoteChannel({
    ...components,
    target,
    transports,
    maxMessageBytes: limits.maxLineBytes,
    highWatermarkBytes: limits.maxServerQueueBytes,
  });
  return new RemotePeer(channel, redact);
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
