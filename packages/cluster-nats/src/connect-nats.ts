import { Kvm } from '@nats-io/kv';
import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ClusterError, type Cluster } from '@mcpmux/cluster';

import { patiently } from './patiently.js';
import { NatsCluster } from './nats-cluster.js';
import { isForbidden, natsFailure, textOf } from './nats-failure.js';
import { isRefusal } from './refusal.js';
import { clientOptions, visibleServers, type NatsOptions } from './nats-options.js';

/** Timeout for one change in JetStream. It leaves time to replace a lost leader. */
const CHANGE_MS = 2000;

const CREDENTIALS = 'Check the user and the password in the URL, or the file of credentials.';
const REACH = 'Check that nats-server runs and listens at this address.';

/**
 * Connects this node to its cluster over NATS. Reconnects indefinitely if the connection is lost.
 *
 * @throws ClusterError UNAVAILABLE with the cause and the next step when no server can be reached, or JetStream does
 *   not serve this account; REFUSED without valid credentials
 */
export async function connectNats(options: NatsOptions): Promise<Cluster> {
  const connection = await connectOrExplain(options);
  const where = visibleServers(options);
  try {
    const client = jetstream(connection, { timeout: CHANGE_MS });
    // The account is checked at once, because an account without JetStream is a fault of the configuration.
    const ask = async (): Promise<JetStreamManager> => {
      const manager = await client.jetstreamManager();
      await manager.getAccountInfo();
      return manager;
    };
    const isHopeless = (error: unknown): boolean => connection.isClosed() || isForbidden(error);
    const parts = { buckets: new Kvm(client), manager: await patiently(ask, { isHopeless }) };
    return new NatsCluster(connection, parts, { ...options, where, name: options.name ?? 'mcpmux' });
  } catch (error) {
    await connection.close();
    throw natsFailure(error, where);
  }
}

async function connectOrExplain(options: NatsOptions): Promise<NatsConnection> {
  try {
    return await connect(clientOptions(options));
  } catch (error) {
    const problem = textOf(error);
    const where = visibleServers(options);
    throw isRefusal(error)
      ? new ClusterError(
          'REFUSED',
          `NATS at ${where} refuses the credentials of this node: ${problem}. ${CREDENTIALS}`,
        )
      : new ClusterError('UNAVAILABLE', `NATS at ${where} cannot be reached: ${problem}. ${REACH}`);
  }
}
