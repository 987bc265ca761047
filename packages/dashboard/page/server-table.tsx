import type { ComponentChildren } from 'preact';

import { Bars } from './graphics.js';
import { keyOf, serverAndLayer, windowOf, type LabelOf } from './layers.js';
import type { ServerView } from '../src/data/overview-shown.js';
import { Code, Facts, Status, toneOf } from './parts.js';
import { Panel } from './panel.js';
import { linkTo, type CallChoice, type View } from './route.js';
import type { Column } from './table.js';
import { count, duration, firstLine, moment, pingsOf, size, span } from './texts.js';

/** The content of the server table in addition to the servers. */
export interface ServerTableParts {
  readonly chosen: string | undefined;
  readonly choose: (key: string | undefined) => void;
  /** True if more than one window or folder has servers. */
  readonly hasLayers?: boolean;
  /** True if the servers have several eras, or another era than a client. */
  readonly hasEras?: boolean;
  /** Returns the label of a server in the other views. Without it, numbers do not lead to the other views. */
  readonly label?: LabelOf;
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
  hasEras = true,
  label,
  calling,
  history,
}: ServerTableParts): readonly Column<ServerView>[] {
  const name = (server: ServerView) => (
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
  const tools = (server: ServerView) => (
    <Leading text={count(server.tools.length)} to={label && toolsOf(server)} />
  );
  const restarts = (server: ServerView) => (
    <Leading text={count(server.restarts)} to={label && linkOf('logs', label, server)} />
  );
  return [
    { head: 'Server', cell: name, room: 'main' },
    ...(hasLayers ? [{ head: 'Window', cell: windowOf }] : []),
    { head: 'State', cell: ({ status }) => <Status value={status} /> },
    ...(hasEras ? [PROTOCOL] : []),
    { head: 'Tools', cell: tools, isNumber: true },
    { head: 'Process', cell: ({ pid }) => pid ?? '', isNumber: true, room: 'widest' },
    { head: 'Up', cell: upOf, isNumber: true, room: 'tablet' },
    { head: 'Restarts', cell: restarts, isNumber: true, room: 'widest' },
    { head: 'CPU', cell: cpuOf, isNumber: true, room: 'wide' },
    { head: 'Memory', cell: ({ usage }) => size(usage?.memoryBytes), isNumber: true, room: 'tablet' },
    ...callColumns(label),
    { head: 'Last minutes', cell: (server) => barsOf(history?.get(keyOf(server))), room: 'wider' },
  ];
}

function callColumns(label: LabelOf | undefined): readonly Column<ServerView>[] {
  const link = (server: ServerView, only?: CallChoice) => label && linkOf('calls', label, server, only);
  const all = (server: ServerView) => <Leading text={count(server.calls?.count ?? 0)} to={link(server)} />;
  const failed = (server: ServerView) => (
    <Leading text={count(server.calls?.failed ?? 0)} to={link(server, 'failed')} isBad />
  );
  const p95 = (server: ServerView) => (
    <Leading text={duration(server.calls?.p95)} to={link(server, 'slowest')} />
  );
  return [
    { head: 'Calls', cell: all, isNumber: true, room: 'tablet' },
    { head: 'Failed', cell: failed, isNumber: true, room: 'wide' },
    { head: 'p95', cell: p95, isNumber: true, room: 'wide' },
  ];
}

/** Shows a number as a link to its list. A list that is empty, or that the page does not have, gets no link. */
function Leading(props: {
  readonly text: string;
  readonly to: string | undefined;
  readonly isBad?: boolean;
}) {
  const { text, to, isBad = false } = props;
  if (to === undefined || text === '' || text === '0') return <>{text}</>;
  return (
    <a class={isBad ? 'bad' : ''} href={to}>
      {text}
    </a>
  );
}

/** Returns the address of the entries of a server in a view. */
function linkOf(view: View, label: LabelOf, server: ServerView, only?: CallChoice): string {
  return linkTo({ view, server: label(serverAndLayer(server)), only });
}

/** Returns the address of a server's tools, or of one of them. */
function toolsOf({ name: server, layer }: ServerView, name?: string): string {
  return linkTo({ view: 'tools', server, layer, name });
}

const PROTOCOL: Column<ServerView> = {
  head: 'Protocol',
  cell: ({ era = '', protocol_version: revision = '' }) => `${era} ${revision}`.trim(),
  room: 'wide',
};

/** Shows the reason why a server does not run, or its current activity. */
function Note({
  server,
  calling = [],
}: {
  readonly server: ServerView;
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
    return <small class="bad reason">{firstLine(reasonOf(server))}</small>;
  const blockedTools = Object.keys(blocked).length;
  if (blockedTools > 0) return <small class="bad reason">{blockedTools} tools blocked until approved</small>;
  if (calling.length > 0) return <small class="busy reason">calling {calling.join(', ')}</small>;
  if (changed.length > 0) return <small class="note reason">{changed.length} definitions changed</small>;
  const [warning] = warnings;
  return warning === undefined ? null : <small class="note reason">{firstLine(warning)}</small>;
}

/** Returns the failure of a server, and the line of its stderr that explains it. */
function reasonOf({ name, last_error: error, reason }: ServerView): string {
  const [first = ''] = error?.message.split('\n', 1) ?? [];
  const what = first.replace(`Server "${name}" `, '');
  return reason === undefined || what.includes(reason) ? what : `${what.replace(/\.$/, '')}: ${reason}`;
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

function upOf({ uptime_seconds: seconds }: ServerView): ComponentChildren {
  if (seconds === undefined) return '';
  const since = moment(Date.now() - seconds * 1000);
  return <span title={`since ${since}`}>{span(seconds)}</span>;
}

function cpuOf({ usage }: ServerView): string {
  return usage?.cpuPercent === undefined ? '' : `${usage.cpuPercent} %`;
}

/** Shows the details of one server. */
export function ServerDetails(props: {
  readonly server: ServerView;
  readonly close?: () => void;
  readonly history?: readonly number[] | undefined;
  /** The last lines of the server's log, and a link to all of them. */
  readonly log?: ComponentChildren;
  /** True if the names of tools lead to the view of tools. */
  readonly hasLinks?: boolean;
  readonly children?: ComponentChildren;
}) {
  const { server, close, history, hasLinks = false } = props;
  const { name, status, command = '', args = [], url, warnings = [], restart } = server;
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
      {props.log}
      <ToolNames server={server} hasLinks={hasLinks} />
    </Panel>
  );
}

const MAX_NAMES = 40;

function ToolNames({ server, hasLinks }: { readonly server: ServerView; readonly hasLinks: boolean }) {
  const { tools } = server;
  if (tools.length === 0) return null;
  const more = tools.length - MAX_NAMES;
  return (
    <>
      <h3>Tools</h3>
      <p class="codes">
        {tools.slice(0, MAX_NAMES).map((tool) => (
          <code key={tool}>{hasLinks ? <a href={toolsOf(server, tool)}>{tool}</a> : tool}</code>
        ))}
        {more > 0 && !hasLinks && <span class="calm">and {more} more</span>}
        {more > 0 && hasLinks && <a href={toolsOf(server)}>and {more} more</a>}
      </p>
    </>
  );
}

function LastError({ server: { name, status, last_error: error } }: { readonly server: ServerView }) {
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

function factsOf(server: ServerView): readonly (readonly [string, ComponentChildren])[] {
  const { era = '', protocol_version: revision = '', pid, status, health, restarts, usage, calls } = server;
  const facts: readonly (readonly [string, ComponentChildren])[] = [
    ['Protocol', `${era} ${revision}`.trim()],
    ['Process', pid ?? ''],
    ['Processes', usage?.processes ?? ''],
    ['Up', upOf(server)],
    ['Sandbox', server.sandbox ?? ''],
    ['Pings', status === 'running' ? pingsOf(health) : ''],
    ['Restarts', restarts],
    ['CPU', cpuOf(server)],
    ['Memory', size(usage?.memoryBytes)],
    ['Calls', calls === undefined ? '' : count(calls.count)],
    ['In flight', calls?.running ?? ''],
    ['Failed', calls === undefined ? '' : count(calls.failed)],
    ['p50', duration(calls?.p50)],
    ['p95', duration(calls?.p95)],
  ];
  return facts.filter(([, value]) => value !== '');
}
