import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { useAction } from '../action.js';
import type { Json } from '../connection.js';
import { keepFocus } from '../focus.js';
import { keyOf } from '../layers.js';
import type { ServerView } from '../../src/data/overview-shown.js';
import { Message } from '../parts.js';
import { serverColumns, ServerDetails } from '../server-table.js';
import { Table } from '../table.js';
import { AppHost } from './host.js';

/** Columns whose values `list_servers` does not contain. */
const UNKNOWN: ReadonlySet<string> = new Set(['CPU', 'Memory', 'Calls', 'Failed', 'p95', 'Last minutes']);

function serversIn({ structuredContent }: Json): readonly ServerView[] | undefined {
  const { servers } = (structuredContent ?? {}) as { readonly servers?: readonly ServerView[] };
  return Array.isArray(servers) ? servers : undefined;
}

/** Shows the servers of the mux from the result of `list_servers`. */
function Overview() {
  const [servers, setServers] = useState<readonly ServerView[]>();
  const [canRefresh, setRefreshable] = useState(false);
  const [chosen, setChosen] = useState<string>();
  const { outcome, run } = useAction();
  const host = useMemo(
    () => new AppHost(parent, (result) => setServers((before) => serversIn(result) ?? before)),
    [],
  );
  useEffect(() => {
    run(async () => setRefreshable(await host.open()));
    const { body } = document;
    const sized = new ResizeObserver(() =>
      host.notify('ui/notifications/size-changed', { width: body.scrollWidth, height: body.scrollHeight }),
    );
    sized.observe(body);
    return () => sized.disconnect();
  }, [host]);
  const server = servers?.find((one) => keyOf(one) === chosen);
  return (
    <main tabIndex={-1}>
      <h1>Servers</h1>
      {servers === undefined ? (
        <p class="empty">Waiting for the list of servers …</p>
      ) : (
        <Table
          caption="Servers"
          columns={serverColumns({ chosen, choose: setChosen }).filter(({ head }) => !UNKNOWN.has(head))}
          rows={servers}
          keyOf={keyOf}
          empty="No server is registered."
        />
      )}
      {canRefresh && (
        <p>
          <button type="button" onClick={() => run(() => host.refresh())}>
            Refresh
          </button>
        </p>
      )}
      <Message {...outcome} />
      {server !== undefined && (
        <ServerDetails key={keyOf(server)} server={server} close={() => setChosen(undefined)} />
      )}
    </main>
  );
}

keepFocus();
render(<Overview />, document.body);
