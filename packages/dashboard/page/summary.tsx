import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

import { Bars } from './graphics.js';
import { total, type History } from './history.js';
import { keyOf } from './layers.js';
import type { Overview, ServerView } from '../src/data/overview-shown.js';
import { toneOf } from './parts.js';
import { linkTo, type Route } from './route.js';
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
  const memory = sum(servers, ({ usage }) => usage?.memoryBytes);
  const processes = sum(servers, ({ usage }) => usage?.processes);
  const inFlight = sum(servers, (server) => server.calls?.running);
  return (
    <dl class="tiles">
      <ServerTiles servers={servers} />
      <Tile name="Clients" value={count(clients.length)} to={{ view: 'clients' }}>
        <a href={linkTo({ view: 'calls', only: 'in flight' })}>
          {count(inFlight)} {inFlight === 1 ? 'call' : 'calls'} in flight
        </a>
      </Tile>
      <Tile name="Calls per second" value={count(rate)} to={{ view: 'calls' }}>
        <Bars values={total(history)} />
      </Tile>
      <FailedTile servers={servers} />
      <Tile name="Memory" value={size(memory + mcpmux.memoryBytes)} to={{ view: 'health' }}>
        {size(memory)} in {count(processes)} server processes
      </Tile>
    </dl>
  );
}

function ServerTiles({ servers }: Pick<Overview, 'servers'>) {
  const running = servers.filter(({ status }) => status === 'running').length;
  const broken = servers.filter(({ status }) => toneOf(status) === 'bad');
  const [first] = broken;
  const changed = sum(servers, ({ changed_tools: tools }) => tools?.length);
  return (
    <>
      <Tile name="Servers" value={`${running} running`} tone={first === undefined ? 'good' : 'bad'}>
        {first === undefined && (running === servers.length ? 'all of them' : `of ${servers.length}`)}
        {first !== undefined && (
          <a class="bad" href={linkTo({ view: 'servers', server: keyOf(first) })}>
            ✖ {broken.length} failed
          </a>
        )}
      </Tile>
      <Tile
        name="Tools"
        value={count(sum(servers, ({ tools }) => tools.length))}
        to={{ view: 'tools' }}
        tone={changed > 0 ? 'busy' : ''}
      >
        {changed > 0 ? `${changed} changed` : 'of all servers'}
      </Tile>
    </>
  );
}

function FailedTile({ servers }: Pick<Overview, 'servers'>) {
  const calls = sum(servers, (server) => server.calls?.count);
  const failures = sum(servers, (server) => server.calls?.failed);
  const to = { view: 'calls', only: 'failed' } as const;
  return (
    <Tile name="Failed calls" value={count(failures)} isBad={failures > 0} to={to}>
      of <a href={linkTo({ view: 'calls' })}>{count(calls)}</a> in all
    </Tile>
  );
}

function Tile(props: {
  readonly name: string;
  readonly value: string;
  /** The list behind the value. */
  readonly to?: Route;
  readonly tone?: string;
  readonly isBad?: boolean;
  readonly children: ComponentChildren;
}) {
  const { name, value, to, tone, isBad = false, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong class={isBad ? 'bad' : ''}>
          {to === undefined ? value : <a href={linkTo(to)}>{value}</a>}
        </strong>
        <span class={tone}>{children}</span>
      </dd>
    </div>
  );
}

function sum(servers: readonly ServerView[], of: (server: ServerView) => number | undefined): number {
  return servers.reduce((all, server) => all + (of(server) ?? 0), 0);
}
