import { z, type Checked } from './zod.js';
import { nonEmpty, flag, optional, unknownKeys } from './schema-parts.js';

const CLUSTER_KEYS = [
  'servers',
  'name',
  'node',
  'labels',
  'capacity',
  'credentialsFile',
  'nkeyFile',
  'tls',
  'replicas',
  'tokenKeyFile',
];
const PLACEMENT_KEYS = ['host', 'labels', 'failover', 'singleton'];

const labels = z.array(nonEmpty, { error: 'expected an array of strings: ["gpu"]' });
const positiveInteger = z
  .int({ error: 'expected a whole number' })
  .check(z.minimum(1, { error: 'expected a whole number above 0' }));

const tls = z.strictObject(
  {
    caFile: z.exactOptional(nonEmpty),
    certFile: z.exactOptional(nonEmpty),
    keyFile: z.exactOptional(nonEmpty),
  },
  { error: unknownKeys('tls', ['caFile', 'certFile', 'keyFile']) },
);

/** The schema of `cluster`, the settings for the cluster that this mcpmux joins. */
export const clusterSettings = z
  .strictObject(
    {
      servers: optional(
        z
          .array(nonEmpty, { error: 'expected a list of URLs: ["nats://10.0.0.1:4222"]' })
          .check(z.minLength(1)),
        'URLs of servers of NATS. The variable MCPMUX_CLUSTER and --cluster win over them.',
      ),
      name: optional(nonEmpty, 'The name of the cluster; "mcpmux" when absent.'),
      node: optional(nonEmpty, 'The name of this node; by default the host name.'),
      labels: optional(labels, 'What servers can ask of their node.'),
      capacity: optional(positiveInteger, 'The most servers that this node runs; 100 when absent.'),
      credentialsFile: optional(nonEmpty, 'A file of credentials for NATS, as nsc writes it.'),
      nkeyFile: optional(nonEmpty, 'A file with the seed of an nkey.'),
      tls: optional(tls, 'Files for TLS; also used when a URL begins with tls://.'),
      replicas: optional(positiveInteger, 'How many servers of NATS keep each bucket: 1, 3 or 5.'),
      tokenKeyFile: optional(
        nonEmpty,
        'A file with the key of the logins that the nodes share: 32 bytes in base64. MCPMUX_CLUSTER_KEY wins over it.',
      ),
    },
    { error: unknownKeys('cluster', CLUSTER_KEYS) },
  )
  .check(z.describe('The cluster that mcpmux serve --http joins (docs/cluster.md).'));

/** The `cluster` section of a config. */
export type ClusterSettings = Checked<typeof clusterSettings>;

/** The schema of a server's `mux.cluster`, which controls its placement on the nodes of a cluster. */
export const placementSettings = z.union(
  [
    z.literal(false),
    z.strictObject(
      {
        host: optional(nonEmpty, 'The name of the only node that may run the server.'),
        labels: optional(labels, 'Labels that its node must have.'),
        failover: optional(
          z.literal('never', { error: 'expected "never"' }),
          'never: the server waits for a node of the same name when its node is gone.',
        ),
        singleton: optional(
          flag,
          'true: the server stops when its node cannot prove that it owns the server.',
        ),
      },
      { error: unknownKeys('cluster', PLACEMENT_KEYS) },
    ),
  ],
  { error: 'expected false, or an object: { "host": "web-1" }' },
);
