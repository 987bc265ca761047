import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import { Bars } from './graphics.js';
import { total, type History } from './history.js';
import type { Overview, Server } from './overview.js';
import { toneOf } from './parts.js';
import { count, size } from './texts.js';

interface SummaryProps {
  readonly overview: Overview;
  readonly history: History;
  readonly rate: number;
}

/** Shows the state of mcpmux and its servers in six tiles. */
export function Summary({ overview, history, rate }: SummaryProps) {
  // Call batches, which can arrive ten times a second, do not change the summary.
  return useMemo(() => <Tiles {...{ overview, history, rate }} />, [overview, history, rate]);
}

function Tiles({ overview, history, rate }: SummaryProps) {
  const { servers, clients, mcpmux } = overview;
  const failed = servers.filter(({ status }) => toneOf(status) === 'bad').length;
  const running = servers.filter(({ status }) => status === 'running').length;
  const calls = sum(servers, (server) => server.calls?.count);
  const failures = sum(servers, (server) => server.calls?.failed);
  const inFlight = sum(servers, (server) => server.calls?.running);
  const memory = sum(servers, ({ usage }) => usage?.memoryBytes);
  const processes = sum(servers, ({ usage }) => usage?.processes);
  const changed = sum(servers, ({ changed_tools: tools }) => tools?.length);
  return (
    <dl class="tiles">
      <Tile name="Servers" value={`${running} running`} tone={failed > 0 ? 'bad' : 'good'}>
        {failed > 0 && `✖ ${failed} failed`}
        {failed === 0 && (running === servers.length ? 'all of them' : `of ${servers.length}`)}
      </Tile>
      <Tile
        name="Tools"
        value={count(sum(servers, ({ tools }) => tools.length))}
        tone={changed > 0 ? 'busy' : ''}
      >
        {changed > 0 ? `${changed} changed` : 'of all servers'}
      </Tile>
      <Tile name="Clients" value={count(clients.length)}>
        {count(inFlight)} {inFlight === 1 ? 'call' : 'calls'} in flight
      </Tile>
      <Tile name="Calls per second" value={count(rate)}>
        <Bars values={total(history)} />
      </Tile>
      <Tile name="Failed calls" value={count(failures)} isBad={failures > 0}>
        of {count(calls)} in all
      </Tile>
      <Tile name="Memory" value={size(memory + mcpmux.memoryBytes)}>
        {size(memory)} in {count(processes)} server processes
      </Tile>
    </dl>
  );
}

function Tile(props: {
  readonly name: string;
  readonly value: string;
  readonly tone?: string;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <div>
      <dt>{props.name}</dt>
      <dd>
        <strong class={props.isBad === true ? 'bad' : ''}>{props.value}</strong>
        <span class={props.tone}>{props.children}</span>
      </dd>
    </div>
  );
}

function sum(servers: readonly Server[], of: (server: Server) => number | undefined): number {
  return servers.reduce((all, server) => all + (of(server) ?? 0), 0);
}
