import type { Overview } from '../model.js';
import { size, span } from '../texts.js';

/** The mcpmux behind the page, its rates and its limits. */
export function Health(props: { readonly overview: Overview; readonly rate: number }) {
  const { mcpmux, servers, clients } = props.overview;
  const running = servers.filter(({ status }) => status === 'running').length;
  const facts: readonly (readonly [string, string | number])[] = [
    ['Version', mcpmux.version],
    ['Process', mcpmux.pid],
    ['Config', mcpmux.config ?? 'none'],
    ['Up', span(mcpmux.uptimeSeconds)],
    ['Memory', size(mcpmux.memoryBytes)],
    ['Servers running', `${running} of ${servers.length}`],
    ['Clients', clients.length],
    ['Calls per second', props.rate],
  ];
  return (
    <>
      <Facts facts={facts} />
      <h2>Limits</h2>
      <Facts facts={Object.entries(mcpmux.limits)} />
    </>
  );
}

function Facts({ facts }: { readonly facts: readonly (readonly [string, string | number])[] }) {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
