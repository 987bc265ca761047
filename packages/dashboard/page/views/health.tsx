import { labelsOf, serverAndLayer } from '../layers.js';
import type { State } from '../model.js';
import type { Overview, ServerView } from '../../src/data/overview-shown.js';
import { Facts } from '../parts.js';
import { Summary } from '../summary.js';
import { count, pingsOf, size, span } from '../texts.js';

/** Shows the mcpmux that serves the page, its rates and its limits. */
export function Health({ overview, state }: { readonly overview: Overview; readonly state: State }) {
  const { mcpmux } = overview;
  return (
    <>
      <Summary overview={overview} history={state.history} rate={state.rate} />
      <section class="panel" aria-labelledby="this">
        <h2 id="this">This mcpmux</h2>
        <Facts
          facts={[
            ['Version', mcpmux.version],
            ['Process', mcpmux.pid],
            ['Config', <code>{mcpmux.config ?? 'none'}</code>],
            ['Up', span(mcpmux.uptimeSeconds)],
            ['Memory of mcpmux itself', size(mcpmux.memoryBytes)],
            ['Processor time of mcpmux itself', percent(mcpmux.cpuPercent)],
            ['Delay of the event loop, p99 and most', delays(mcpmux.loopDelayMs)],
            ['Lines of servers dropped', count(dropped(overview, 'dropped_lines'))],
            ['Notifications dropped by the rate limit', count(dropped(overview, 'dropped_notifications'))],
            ['Instance', <code>{mcpmux.instance}</code>],
          ]}
        />
      </section>
      <HealthChecks servers={overview.servers} />
      <section class="panel" aria-labelledby="rules">
        <h2 id="rules">Rules</h2>
        <Facts facts={Object.entries(mcpmux.rules)} />
      </section>
      <section class="panel" aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        <Facts
          facts={Object.entries(mcpmux.limits).map(([name, value]) => [nameOf(name), valueOf(name, value)])}
        />
      </section>
    </>
  );
}

/** Shows the pings of running servers that have a health check. */
function HealthChecks({ servers }: Pick<Overview, 'servers'>) {
  const running = servers.filter(({ status }) => status === 'running');
  const checked = running.filter(({ health }) => health !== undefined);
  const label = labelsOf(servers);
  const fact = (server: ServerView) => [label(serverAndLayer(server)), pingsOf(server.health)] as const;
  return (
    <section class="panel" aria-labelledby="checks">
      <h2 id="checks">Pings of servers</h2>
      {checked.length > 0 && <Facts facts={checked.map(fact)} />}
      <p class="calm">
        {count(running.length - checked.length)} of {count(running.length)} running servers have no health
        check.
      </p>
    </section>
  );
}

function percent(value: number | undefined): string {
  return value === undefined ? '–' : `${value} %`;
}

function delays(delay: Overview['mcpmux']['loopDelayMs']): string {
  return delay === undefined ? '–' : `${delay.p99} ms, ${delay.max} ms`;
}

function dropped({ servers }: Overview, member: 'dropped_lines' | 'dropped_notifications'): number {
  return servers.reduce((sum, { [member]: one = 0 }) => sum + one, 0);
}

/** Returns a readable name for a limit, such as `Max line` for `maxLineBytes`. The unit is shown with the value. */
function nameOf(limit: string): string {
  const words = limit
    .replace(/(?:Bytes|Ms)$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns a limit with the unit in which its name ends. */
function valueOf(limit: string, value: number): string {
  if (limit.endsWith('Bytes')) return size(value);
  if (!limit.endsWith('Ms')) return count(value);
  return value < 1000 ? `${value} ms` : span(value / 1000);
}
