import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { promptsNamed } from '../../testing/definitions.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { routeNamed } from './route-named.js';

function server(name: string, ...prompts: readonly string[]): StandInUpstream {
  return new StandInUpstream(name, { tools: ['only_tool'], connection: connected().connection }).offers({
    prompts: promptsNamed(...prompts),
  });
}

/** The route of a prompt in a few words. */
function routed(name: string, ...upstreams: readonly StandInUpstream[]): string {
  const directory = toolDirectory(upstreams, ['list_servers']);
  const route = routeNamed(name, 'prompt', directory.snapshot().prompts, directory);
  switch (route.kind) {
    case 'forward':
      return `${route.entry.upstream.name}: ${route.entry.definition.key}`;
    case 'unavailable':
      return `unavailable ${route.upstream.name}`;
    case 'unknown':
      return route.message;
  }
}

describe('the name of a prompt', () => {
  it('S2: leads to its server, qualified, and bare when one server alone has it', () => {
    const [a, b] = [server('a', 'ask', 'x'), server('b', 'ask')];
    expect(routed('a__ask', a, b)).toBe('a: ask');
    expect(routed('b__ask', a, b)).toBe('b: ask');
    expect(routed('x', a, b)).toBe('a: x');
  });

  it('S2: that is bare and of several servers is refused with the candidates', () => {
    expect(routed('ask', server('a', 'ask'), server('b', 'ask'))).toBe(
      'Unknown prompt "ask". Several servers have a prompt of that name; ask for one of: a__ask, b__ask.',
    );
  });

  it('S2: is not that of a tool, nor of a tool of mcpmux itself', () => {
    const a = server('a', 'ask');
    expect(routed('a__only_tool', a)).toContain('Unknown prompt "a__only_tool": server "a" runs and has no');
    expect(routed('only_tool', a)).toMatch(/^Unknown prompt "only_tool"\. /);
    expect(routed('list_servers', server('a', 'list_servers'))).toBe('a: list_servers');
  });

  it('S2: of a server that does not run says so, known or not', () => {
    expect(routed('a__ask', server('a', 'ask').nowCrashed())).toBe('unavailable a');
    expect(routed('a__other', server('a', 'ask').nowStarting())).toBe('unavailable a');
  });

  it('S2: that is nearly right is answered with the right one', () => {
    const a = server('a', 'summarize');
    expect(routed('a__Summarize', a)).toContain('Did you mean a__summarize?');
    expect(routed('b__summarize', a)).toContain('no server named "b" is registered. Registered servers: a.');
  });
});
