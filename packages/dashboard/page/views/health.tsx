import type { Call, Overview } from '../model.js';
import { size, span } from '../texts.js';

/** The mcpmux behind the page, its rates and its limits. */
export function Health(props: { readonly overview: Overview; readonly calls: ReadonlyMap<number, Call> }) {
  const { mcpmux, servers, clients } = props.overview;
  const recent = [...props.calls.values()].filter(({ time }) => time > Date.now() - 10_000);
  const running = servers.filter(({ status }) => status === 'running').length;
  const facts: readonly (readonly [string, string | number])[] = [
    ['Version', mcpmux.version],
    ['Process', mcpmux.pid],
    ['Config', mcpmux.config ?? 'none'],
    ['Up', span(mcpmux.uptimeSeconds)],
    ['Memory', size(mcpmux.memoryBytes)],
    ['Servers running', `${running} of ${servers.length}`],
    ['Clients', clients.length],
    ['Calls in the last 10 s', recent.length === 500 ? '500 or more' : recent.length],
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
