import type { State, Overview } from '../model.js';
import { Facts } from '../parts.js';
import { Summary } from '../summary.js';
import { count, size, span } from '../texts.js';

/** The mcpmux behind the page, its rates and its limits. */
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
            ['Instance', <code>{mcpmux.instance}</code>],
          ]}
        />
      </section>
      <section class="panel" aria-labelledby="limits">
        <h2 id="limits">Limits</h2>
        <Facts
          facts={Object.entries(mcpmux.limits).map(([name, value]) => [
            name,
            <span title={unitOf(name, value)}>{count(value)}</span>,
          ])}
        />
      </section>
    </>
  );
}

/** The name of a limit ends in its unit. */
function unitOf(name: string, value: number): string {
  if (/bytes$/i.test(name)) return size(value);
  return /ms$/i.test(name) ? span(value / 1000) : '';
}
