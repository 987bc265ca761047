import { render } from 'preact';
import { useEffect, useReducer, useState } from 'preact/hooks';

import { Boundary } from './boundary.js';
import { hasToken, logOut } from './connection.js';
import { keepFocus } from './focus.js';
import { follow, refresh } from './follow.js';
import { Logo } from './graphics.js';
import { Interrupted } from './interrupted.js';
import { EMPTY, next, type State } from './model.js';
import type { Overview } from '../src/data/overview-shown.js';
import { routeOf, VIEWS, type Route, type View } from './route.js';
import { Add } from './views/add.js';
import { Approvals } from './views/approvals.js';
import { Calls } from './views/calls.js';
import { Clients } from './views/clients.js';
import { Cluster } from './views/cluster.js';
import { Health } from './views/health.js';
import { Logs } from './views/logs.js';
import { Servers } from './views/servers.js';
import { Tools } from './views/tools.js';

const TITLES: Readonly<Record<View, string>> = {
  servers: 'Servers',
  calls: 'Calls',
  tools: 'Tools',
  logs: 'Logs',
  clients: 'Clients',
  cluster: 'Cluster',
  add: 'Add a server',
  health: 'Health',
};

function App() {
  const [state, dispatch] = useReducer(next, EMPTY);
  const [hash, setHash] = useState(location.hash);
  const route = routeOf(hash);
  const { view } = route;
  useEffect(() => {
    void follow(dispatch);
    // A link that is pasted into an open page does not reload it, because only the part after # is new.
    const changed = (): void => (hasToken() ? location.reload() : setHash(location.hash));
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  const { overview } = state;
  useEffect(() => {
    const waiting = overview?.approvals.length ?? 0;
    const mark = waiting === 0 ? '' : `(${waiting}) `;
    document.title = `${mark}${TITLES[view]} – ${folderName(overview)}mcpmux`;
  }, [view, overview?.mcpmux.folder, overview?.approvals.length]);
  if (state.phase === 'refused') return <Refused problem={state.problem ?? ''} />;
  if (overview === undefined)
    return (
      <main aria-busy="true" class="closed">
        Opening the page …
      </main>
    );
  return (
    <>
      <a class="skip" href="#main" onClick={toMain}>
        Skip to the content
      </a>
      <Head view={view} overview={overview} phase={state.phase} />
      <main id="main" tabIndex={-1}>
        <h1>{TITLES[view]}</h1>
        <Identity overview={overview} />
        <Interrupted interruption={state.interruption} pid={overview.mcpmux.pid} />
        <Approvals
          approvals={overview.approvals}
          mayManage={overview.mayManage}
          refresh={() => void refresh(dispatch)}
        />
        {state.missed > 0 && (
          <p class="box note">{state.missed} events came faster than this page read them.</p>
        )}
        {/* A link to other entries of the same view draws the view again. */}
        <Boundary key={hash} title={TITLES[view]}>
          <Shown route={route} state={state} overview={overview} refresh={() => void refresh(dispatch)} />
        </Boundary>
      </main>
    </>
  );
}

function toMain(event: Event): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}

function Head(props: { readonly view: View; readonly overview: Overview; readonly phase: State['phase'] }) {
  const { view, overview, phase } = props;
  const isShown = (name: View): boolean => name !== 'cluster' || overview.cluster !== undefined;
  const views = VIEWS.filter(isShown);
  return (
    <header>
      <span class="brand">
        <Logo />
        mcpmux
      </span>
      <nav aria-label="Views">
        {views.map((name) => (
          <a key={name} href={`#/${name}`} aria-current={name === view ? 'page' : undefined}>
            {TITLES[name]}
          </a>
        ))}
      </nav>
      <span role="status" class={`chip live ${phase === 'interrupted' ? 'bad' : 'good'}`}>
        {phase === 'interrupted' ? 'interrupted' : 'live'}
        {overview.mayManage ? '' : ', reading only'}
      </span>
      <button type="button" onClick={() => void logOut().then(() => location.reload())}>
        Log out
      </button>
    </header>
  );
}

/** Shows which mcpmux this is, because several can run. */
function Identity({ overview: { mcpmux, clients } }: { readonly overview: Overview }) {
  const { folder = '', config = 'no config', pid } = mcpmux;
  const names = new Set(clients.flatMap(({ client }) => client ?? []));
  const of = names.size === 0 ? '' : `of ${[...names].slice(0, MAX_CLIENTS).join(', ')}`;
  return (
    <p class="identity calm">
      {[of, `in ${folder}`, config, `process ${pid}`].filter((text) => text !== '').join(' · ')}
    </p>
  );
}

const MAX_CLIENTS = 3;

function folderName(overview: Overview | undefined): string {
  const name = lastName(overview?.mcpmux.folder);
  return name === '' ? '' : `${name} – `;
}

/** Returns the last name in a path of any system. */
function lastName(path = ''): string {
  return path.split(/[/\\]/).findLast((name) => name !== '') ?? '';
}

function Shown(props: {
  readonly route: Route;
  readonly state: State;
  readonly overview: Overview;
  readonly refresh: () => void;
}) {
  const { route, state, overview, refresh: again } = props;
  const { mayManage } = overview;
  switch (route.view) {
    case 'servers':
      return <Servers overview={overview} state={state} opened={route.server} refresh={again} />;
    case 'calls':
      return <Calls state={state} overview={overview} route={route} />;
    case 'tools':
      return <Tools lists={state.lists} mayManage={mayManage} overview={overview} route={route} />;
    case 'logs':
      return <Logs log={state.log} servers={overview.servers} opened={route.server} />;
    case 'clients':
      return <Clients clients={overview.clients} />;
    case 'cluster':
      return overview.cluster === undefined ? (
        <p class="empty">This mcpmux is no node of a cluster.</p>
      ) : (
        <Cluster cluster={overview.cluster} mayManage={mayManage} refresh={again} />
      );
    case 'add':
      return <Add overview={overview} refresh={again} />;
    case 'health':
      return <Health overview={overview} state={state} />;
  }
}

function Refused({ problem }: { readonly problem: string }) {
  return (
    <main class="closed">
      <Logo />
      <h1>This page is closed</h1>
      <p role="alert" class="box bad">
        {problem}
      </p>
      <p>
        Run <code>mcpmux ui</code> in a terminal, and open the link that it prints.
      </p>
    </main>
  );
}

keepFocus();
render(<App />, document.body);
