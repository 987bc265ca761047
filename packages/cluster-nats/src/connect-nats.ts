import { Kvm } from '@nats-io/kv';
import { jetstream, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ClusterError, type Cluster } from '@mcpmux/cluster';

import { retryUntilReady } from './retry-until-ready.js';
import { NatsCluster } from './nats-cluster.js';
import { isForbidden, natsFailure, clientMessage } from './nats-failure.js';
import { isRefusal } from './refusal.js';
import { clientOptions, redactedServers, type NatsOptions } from './nats-options.js';

/** The timeout for one JetStream request. Long enough for NATS to elect a new leader after a failure. */
const CHANGE_TIMEOUT_MS = 2000;

const CREDENTIALS_ADVICE = 'Check the user and the password in the URL, or the file of credentials.';
const ADDRESS_ADVICE = 'Check that nats-server runs and listens at this address.';

/**
 * Connects this node to its cluster over NATS. Reconnects indefinitely if the connection is lost.
 *
 * @throws ClusterError UNAVAILABLE with the cause and the next step if no server is reachable or JetStream is not
 * available to this account; REFUSED if the credentials are missing or invalid
 */
export async function connectNats(options: NatsOptions): Promise<Cluster> {
  const connection = await connectOrExplain(options);
  const serverList = redactedServers(options);
  const { name = 'mcpmux', replicas, isReader, onRefused } = options;
  try {
    const client = jetstream(connection, { timeout: CHANGE_TIMEOUT_MS });
    // Request the account info at once, so that an account without JetStream is reported at startup.
    const getManager = async (): Promise<JetStreamManager> => {
      const manager = await client.jetstreamManager();
      await manager.getAccountInfo();
      return manager;
    };
    const isPermanentError = (error: unknown): boolean => connection.isClosed() || isForbidden(error);
    const parts = {
      buckets: new Kvm(client),
      manager: await retryUntilReady(getManager, { isPermanentError }),
    };
    return new NatsCluster(connection, parts, { name, serverList, replicas, isReader, onRefused });
  } catch (error) {
    await connection.close();
    throw natsFailure(error, serverList);
  }
}

async function connectOrExplain(options: NatsOptions): Promise<NatsConnection> {
  try {
    return await connect(clientOptions(options));
  } catch (error) {
    const problem = clientMessage(error);
    const serverList = redactedServers(options);
    throw isRefusal(error)
      ? new ClusterError(
          'REFUSED',
          `NATS at ${serverList} refuses the credentials of this node: ${problem}. ${CREDENTIALS_ADVICE}`,
        )
      : new ClusterError(
          'UNAVAILABLE',
          `NATS at ${serverList} cannot be reached: ${problem}. ${ADDRESS_ADVICE}`,
        );
  }
}
