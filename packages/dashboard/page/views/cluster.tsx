import { useAction } from '../action.js';
import type { ClusterShown, NodeShown, PlacedServer } from '../../src/data/cluster-view.js';
import { post } from '../connection.js';
import { Ago, Message, Status } from '../parts.js';
import { SureButton } from '../sure-button.js';
import { Table, type Column } from '../table.js';

/** Shows the nodes in the cluster, and which node runs each server. */
export function Cluster(props: {
  readonly cluster: ClusterShown;
  readonly mayManage: boolean;
  readonly refresh: () => void;
}) {
  const { cluster, mayManage, refresh } = props;
  const act = useAction();
  const drain = ({ id, name }: NodeShown): void =>
    act.run(() => post('drain', { node: id }).finally(refresh), `Drained ${name}.`);
  return (
    <>
      {!cluster.isConnected && (
        <p role="alert" class="box bad">
          This node has no connection to the cluster. It goes on with its own servers, and knows the others as
          they were.
        </p>
      )}
      <h2>Nodes</h2>
      <Table
        caption="Nodes"
        columns={nodeColumns(cluster, mayManage ? drain : undefined)}
        rows={cluster.nodes}
        keyOf={({ id }) => id}
        empty="No node is known."
      />
      <Message {...act.outcome} />
      <h2>Servers</h2>
      <Table
        caption="Servers of the cluster"
        columns={SERVER_COLUMNS}
        rows={cluster.servers}
        keyOf={({ name }) => name}
        empty="The cluster has no servers. A node gives it those of its config."
      />
    </>
  );
}

function nodeColumns(
  { self }: ClusterShown,
  drain: ((node: NodeShown) => void) | undefined,
): readonly Column<NodeShown>[] {
  return [
    {
      head: 'Node',
      cell: ({ id, name }) => (
        <>
          <strong>{name}</strong>
          {id === self && ' (this one)'}
        </>
      ),
    },
    { head: 'State', cell: ({ status }) => <Status value={status} /> },
    { head: 'Servers', isNumber: true, cell: ({ servers, capacity }) => `${servers} of ${capacity}` },
    { head: 'Labels', cell: ({ labels }) => labels.join(', '), room: 'main' },
    { head: 'Version', cell: ({ version }) => version },
    { head: 'Started', cell: ({ started }) => <Ago time={Date.parse(started)} now={Date.now()} /> },
    ...(drain === undefined
      ? []
      : [{ head: 'Change', cell: (node: NodeShown) => <Drain node={node} drain={drain} /> }]),
  ];
}

function Drain({ node, drain }: { readonly node: NodeShown; readonly drain: (node: NodeShown) => void }) {
  const { name, status } = node;
  if (status !== 'running') return null;
  return <SureButton label={`Drain ${name}`} question={`Drain ${name}: sure?`} act={() => drain(node)} />;
}

const SERVER_COLUMNS: readonly Column<PlacedServer>[] = [
  { head: 'Server', cell: ({ name }) => <strong>{name}</strong> },
  {
    head: 'Runs on',
    room: 'main',
    cell: ({ node, reason }) => node ?? <span class="bad">nowhere: {reason}</span>,
  },
  { head: 'Epoch', isNumber: true, cell: ({ epoch }) => epoch ?? '' },
  { head: 'Placement', cell: ({ placement }) => placement ?? 'any node' },
];
