import type { ComponentChildren } from 'preact';

import { Bars } from './graphics.js';
import { keyOf, windowOf } from './layers.js';
import type { Server } from './overview.js';
import { Code, Facts, Status, toneOf } from './parts.js';
import { Panel } from './panel.js';
import type { Column } from './table.js';
import { count, duration, firstLine, moment, pingsOf, size, span } from './texts.js';

/** The content of the server table in addition to the servers. */
export interface ServerTableParts {
  readonly chosen: string | undefined;
  readonly choose: (key: string | undefined) => void;
  /** True if more than one window or folder has servers. */
  readonly hasLayers?: boolean;
  /** The tools with calls in flight, by server key. */
  readonly calling?: ReadonlyMap<string, readonly string[]>;
  /** The calls in the last minutes, by server key. */
  readonly history?: ReadonlyMap<string, readonly number[]>;
}

/** Returns the columns of the server table. */
export function serverColumns({
  chosen,
  choose,
  hasLayers = false,
  calling,
  history,
}: ServerTableParts): readonly Column<Server>[] {
  const name = (server: Server) => (
    <>
      <button
        type="button"
        class="link"
        aria-expanded={keyOf(server) === chosen}
        onClick={() => choose(keyOf(server) === chosen ? undefined : keyOf(server))}
      >
        {server.name}
      </button>
      <Note server={server} calling={calling?.get(keyOf(server))} />
    </>
  );
  return [
    { head: 'Server', cell: name, room: 'main' },
    ...(hasLayers ? [{ head: 'Window', cell: windowOf }] : []),
    { head: 'State', cell: ({ status }) => <Status value={status} /> },
    {
      head: 'Protocol',
      cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}`.trim(),
      room: 'wide',
    },
    { head: 'Tools', cell: ({ tools }) => tools.length, isNumber: true },
    { head: 'Process', cell: ({ pid }) => pid ?? '', isNumber: true, room: 'widest' },
    { head: 'Up', cell: upOf, isNumber: true },
    { head: 'Restarts', cell: ({ restarts }) => restarts, isNumber: true, room: 'widest' },
    { head: 'CPU', cell: cpuOf, isNumber: true, room: 'wide' },
    { head: 'Memory', cell: ({ usage }) => size(usage?.memoryBytes), isNumber: true },
    { head: 'Calls', cell: ({ calls }) => count(calls?.count ?? 0), isNumber: true },
    { head: 'Failed', cell: failedOf, isNumber: true, room: 'wide' },
    { head: 'p95', cell: ({ calls }) => duration(calls?.p95), isNumber: true, room: 'wide' },
    { head: 'Last minutes', cell: (server) => barsOf(history?.get(keyOf(server))), room: 'wider' },
  ];
}

/** Shows the reason why a server does not run, or its current activity. */
function Note({
  server,
  calling = [],
}: {
  readonly server: Server;
  readonly calling?: readonly string[] | undefined;
}) {
  const {
    status,
    last_error: error,
    warnings = [],
    changed_tools: changed = [],
    blocked_tools: blocked = {},
  } = server;
  if (toneOf(status) === 'bad' && error !== undefined)
    return <small class="bad reason">{firstLine(error.message)}</small>;
  const blockedTools = Object.keys(blocked).length;
  if (blockedTools > 0) return <small class="bad reason">{blockedTools} tools blocked until approved</small>;
  if (calling.length > 0) return <small class="busy reason">calling {calling.join(', ')}</small>;
  if (changed.length > 0) return <small class="note reason">{changed.length} definitions changed</small>;
  const [warning] = warnings;
  return warning === undefined ? null : <small class="note reason">{firstLine(warning)}</small>;
}

/** Returns nothing for a server that was not called, because an empty place is clearer than a line without bars. */
function barsOf(history: readonly number[] | undefined): ComponentChildren {
  return history?.some((value) => value > 0) === true ? <Bars values={history} /> : null;
}

function LastMinutes({ history }: { readonly history: readonly number[] | undefined }) {
  const bars = barsOf(history);
  if (bars === null) return null;
  return (
    <>
      <h3>Calls in the last minutes</h3>
      {bars}
    </>
  );
}

function upOf({ uptime_seconds: seconds }: Server): ComponentChildren {
  if (seconds === undefined) return '';
  const since = moment(Date.now() - seconds * 1000);
  return <span title={`since ${since}`}>{span(seconds)}</span>;
}

function cpuOf({ usage }: Server): string {
  return usage?.cpuPercent === undefined ? '' : `${usage.cpuPercent} %`;
}

function failedOf({ calls }: Server): ComponentChildren {
  const failed = calls?.failed ?? 0;
  return failed > 0 ? <span class="bad">{count(failed)}</span> : 0;
}

/** Shows the details of one server. */
export function ServerDetails(props: {
  readonly server: Server;
  readonly close?: () => void;
  readonly history?: readonly number[] | undefined;
  readonly children?: ComponentChildren;
}) {
  const { server, close, history } = props;
  const { name, status, command = '', args = [], url, warnings = [], restart, tools } = server;
  const changed = server.changed_tools ?? [];
  const blocked = Object.entries(server.blocked_tools ?? {});
  return (
    <Panel id="details" title={name} close={close}>
      <p>
        <Status value={status} /> {restart}
      </p>
      <LastError server={server} />
      {blocked.length > 0 && (
        <p class="box bad">
          Blocked until approved: {blocked.map(([tool, why]) => `${tool} (${why})`).join(', ')}
        </p>
      )}
      {changed.length > 0 && <p class="box note">Changed definitions: {changed.join(', ')}</p>}
      {warnings.map((warning) => (
        <p key={warning} class="box note">
          {warning}
        </p>
      ))}
      {props.children}
      <h3>{url === undefined ? 'Command' : 'Address'}</h3>
      <p>
        <code>{url ?? [command, ...args].join(' ')}</code>
      </p>
      <LastMinutes history={history} />
      <h3>Facts</h3>
      <Facts facts={factsOf(server)} />
      <ToolNames tools={tools} />
    </Panel>
  );
}

const MAX_NAMES = 40;

function ToolNames({ tools }: Pick<Server, 'tools'>) {
  if (tools.length === 0) return null;
  const more = tools.length - MAX_NAMES;
  return (
    <>
      <h3>Tools</h3>
      <p class="codes">
        {tools.slice(0, MAX_NAMES).map((tool) => (
          <code key={tool}>{tool}</code>
        ))}
        {more > 0 && <span class="calm">and {more} more</span>}
      </p>
    </>
  );
}

function LastError({ server: { name, status, last_error: error } }: { readonly server: Server }) {
  if (error === undefined) return null;
  const lines = [...(error.stderr_tail ?? []), ...(error.stdout_lines ?? [])];
  return (
    <>
      <div class={`box ${toneOf(status) === 'bad' ? 'bad' : 'note'}`}>
        <p>{error.message}</p>
        {error.advice !== undefined && <p class="advice">{error.advice}</p>}
      </div>
      <Code label={`Last lines of ${name}`}>
        {lines.length > 0 ? lines.join('\n') : 'It has written nothing.'}
      </Code>
    </>
  );
}

function factsOf(server: Server): readonly (readonly [string, ComponentChildren])[] {
  const { era = '', protocol_version: revision = '', pid, status, health, restarts, usage, calls } = server;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Protocol', `${era} ${revision}`.trim()],
    ['Process', pid ?? ''],
    ['Processes', usage?.processes ?? ''],
    ['Up', upOf(server)],
    ['Pings', status === 'running' ? pingsOf(health) : ''],
    ['Restarts', restarts],
    ['CPU', cpuOf(server)],
    ['Memory', size(usage?.memoryBytes)],
    ['Calls', calls === undefined ? '' : count(calls.count)],
    ['In flight', calls?.running ?? ''],
    ['Failed', calls === undefined ? '' : failedOf(server)],
    ['p50', duration(calls?.p50)],
    ['p95', duration(calls?.p95)],
  ];
  return facts.filter(([, value]) => value !== '');
}
