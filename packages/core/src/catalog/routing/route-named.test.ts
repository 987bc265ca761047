import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { connected } from '../../testing/connected.js';
import { promptsNamed } from '../../testing/definitions.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { routeNamed, similarNames, routeToolCall, type ToolRoute } from './route-named.js';
import type { Upstream } from '../../server/upstream.js';

function promptServer(name: string, ...prompts: readonly string[]): StandInUpstream {
  return new StandInUpstream(name, { tools: ['only_tool'], connection: connected().connection }).offers({
    prompts: promptsNamed(...prompts),
  });
}

/** A route in a few words: where it leads, or what is said instead. */
function inWords(route: ToolRoute): string {
  switch (route.kind) {
    case 'own':
      return `own ${route.name}`;
    case 'forward':
      return `${route.entry.upstream.name}: ${route.entry.definition.key}`;
    case 'blocked':
      return `blocked ${route.entry.definition.key}: ${route.reason}`;
    case 'unavailable':
      return `unavailable ${route.upstream.name}`;
    case 'unknown':
      return route.message;
  }
}

function routedPrompt(name: string, ...upstreams: readonly StandInUpstream[]): string {
  const directory = toolDirectory(upstreams, ['list_servers']);
  return inWords(routeNamed(name, 'prompt', directory.snapshot().prompts, directory));
}

describe('the name of a prompt', () => {
  it('S2: leads to its server, qualified, and bare when one server alone has it', () => {
    const [a, b] = [promptServer('a', 'ask', 'x'), promptServer('b', 'ask')];
    expect(routedPrompt('a__ask', a, b)).toBe('a: ask');
    expect(routedPrompt('b__ask', a, b)).toBe('b: ask');
    expect(routedPrompt('x', a, b)).toBe('a: x');
  });

  it('S2: that is bare and of several servers is refused with the candidates', () => {
    expect(routedPrompt('ask', promptServer('a', 'ask'), promptServer('b', 'ask'))).toBe(
      'Unknown prompt "ask". Several servers have a prompt of that name; ask for one of: a__ask, b__ask.',
    );
  });

  it('S2: is not that of a tool, nor of a tool of mcpmux itself', () => {
    const a = promptServer('a', 'ask');
    expect(routedPrompt('a__only_tool', a)).toContain(
      'Unknown prompt "a__only_tool": server "a" runs and has no',
    );
    expect(routedPrompt('only_tool', a)).toMatch(/^Unknown prompt "only_tool"\. /);
    expect(routedPrompt('list_servers', promptServer('a', 'list_servers'))).toBe('a: list_servers');
  });

  it('S2: of a server that does not run says so, known or not', () => {
    expect(routedPrompt('a__ask', promptServer('a', 'ask').nowCrashed())).toBe('unavailable a');
    expect(routedPrompt('a__other', promptServer('a', 'ask').nowStarting())).toBe('unavailable a');
  });

  it('S2: that is nearly right is answered with the right one', () => {
    const a = promptServer('a', 'summarize');
    expect(routedPrompt('a__Summarize', a)).toContain('Did you mean a__summarize?');
    expect(routedPrompt('b__summarize', a)).toContain(
      'no server named "b" is registered. Registered servers: a.',
    );
  });
});

const KNOWN = ['github__create_issue', 'github__list', 'files__read', '日本語__検索', 'x__'];

describe('the names near to an unknown one', () => {
  it.each([
    ['GitHub__Create_Issue', ['github__create_issue']],
    ['github-create-issue', ['github__create_issue']],
    ['create_issue', ['github__create_issue']],
    ['mcp__mcpmux__files__read', ['files__read']],
    ['github', ['github__create_issue', 'github__list']],
    ['検索', ['日本語__検索']],
    ['nothing_like_it', []],
  ])('differ in case and punctuation, or hold it, or are held by it: %s', (name, near) => {
    expect(similarNames(name, KNOWN).filter((known) => known !== 'x__')).toEqual(near);
  });

  it.each(['', '__', '-', ' '])('are none for a name without a letter or digit: %j', (name) => {
    expect(similarNames(name, KNOWN)).toEqual([]);
  });

  it('do not hold a name without a letter or digit, which every text contains', () => {
    expect(similarNames('github', ['__', '---', ''])).toEqual([]);
  });

  it('are none for a text that is too long for a name', () => {
    expect(similarNames(`github__list${' '.repeat(1000)}`, KNOWN)).toEqual([]);
  });

  it('are at most five, the first ones', () => {
    const known = Array.from({ length: 20 }, (_, index) => `a__tool_${index}`);
    expect(similarNames('tool', known)).toEqual(known.slice(0, 5));
  });

  it('are names that are known, in their order', () => {
    fc.assert(
      fc.property(fc.string(), fc.uniqueArray(fc.string()), (name, known) => {
        const near = similarNames(name, known);
        expect(known.filter((candidate) => near.includes(candidate))).toEqual(near);
      }),
    );
  });
});

const OWN_TOOLS = ['add_server', 'list_servers'];

function server(name: string, ...tools: readonly string[]): StandInUpstream {
  return new StandInUpstream(name, { tools, connection: connected().connection });
}

function routed(name: string, ...upstreams: readonly Upstream[]): string {
  return inWords(routeToolCall(name, toolDirectory(upstreams, OWN_TOOLS)));
}

describe('the name of a tool', () => {
  it('M5: that is qualified leads to the server and its tool', () => {
    const [a, b] = [server('a', 'echo', 'b__c'), server('b', 'echo')];
    expect(routed('a__echo', a, b)).toBe('a: echo');
    expect(routed('b__echo', a, b)).toBe('b: echo');
  });

  it('G1: of a blocked tool leads nowhere else, bare or qualified, unless its server does not run', () => {
    const a = server('a', 'echo', 'other');
    const blocking = new StandInUpstream('a', { connection: connected().connection, pinMode: 'block' });
    blocking.tools = a.tools;
    blocking.offer.blockedTools = new Map([['echo', 'changed']]);
    expect(routed('a__echo', blocking)).toBe('blocked echo: changed');
    expect(routed('echo', blocking)).toBe('blocked echo: changed');
    expect(routed('a__other', blocking)).toBe('a: other');
    expect(routed('a__echo', blocking.nowCrashed())).toBe('unavailable a');
  });

  it('M6: is split at the first __', () => {
    expect(routed('a__b__c', server('a', 'b__c'))).toBe('a: b__c');
    expect(routed('a____x', server('a', '__x'))).toBe('a: __x');
    expect(routed('a__', server('a', ''))).toBe('a: ');
    expect(routed('日本語__ツール', server('日本語', 'ツール'))).toBe('日本語: ツール');
  });

  it('that was fitted leads to the same tool as the qualified one', () => {
    const a = server('日本語', 'ツール');
    const [tool] = toolDirectory([a]).snapshot().tools.entries;
    expect(tool?.exposedName).not.toBe('日本語__ツール');
    expect(routed(tool?.exposedName ?? '', a)).toBe('日本語: ツール');
  });

  it('M6, G4: of mcpmux itself is never that of a server', () => {
    expect(routed('add_server', server('a', 'add_server'))).toBe('own add_server');
    expect(routed('list_servers', server('list_servers', 'list_servers'))).toBe('own list_servers');
    expect(routed('a__add_server', server('a', 'add_server'))).toBe('a: add_server');
  });

  it('that is bare leads to the one server that has such a tool', () => {
    expect(routed('echo', server('a', 'echo'), server('b', 'other'))).toBe('a: echo');
    expect(routed('b__c', server('a', 'b__c'))).toBe('a: b__c');
  });

  it('that is bare and looks qualified is first taken as qualified', () => {
    expect(routed('b__c', server('a', 'b__c'), server('b', 'c'))).toBe('b: c');
  });

  it('that is bare leads past a server that has crashed to the one that runs', () => {
    expect(routed('echo', server('a', 'echo').nowCrashed(), server('b', 'echo'))).toBe('b: echo');
  });

  it('that is bare and that several servers have is refused with the candidates', () => {
    expect(routed('echo', server('a', 'echo'), server('b', 'x'), server('c d', 'echo'))).toMatch(
      /^Unknown tool "echo"\. Several servers have a tool of that name; call one of: a__echo, c_d__echo_[0-9a-f]{8}\.$/,
    );
  });
});

describe('the tool of a server that does not run', () => {
  it.each<[string, (a: StandInUpstream) => StandInUpstream]>([
    ['has crashed', (a) => a.nowCrashed()],
    ['is starting', (a) => a.nowStarting()],
    ['is being reloaded', (a) => a.nowStarting(2)],
  ])('is unavailable when it %s, by whatever name it is called', (_, change) => {
    const a = server('my server', 'get it');
    const [tool] = toolDirectory([a]).snapshot().tools.entries;
    change(a);
    expect(routed('my server__get it', a)).toBe('unavailable my server');
    expect(routed(tool?.exposedName ?? '', a)).toBe('unavailable my server');
  });

  it.each(['a__echo', 'a__no_such_tool', 'a__'])('is unavailable also when it is not known: %s', (name) => {
    expect(routed(name, new StandInUpstream('a').nowStarting())).toBe('unavailable a');
    expect(routed(name, new StandInUpstream('a').nowCrashed())).toBe('unavailable a');
  });

  it('is unavailable while the server counts as running and its connection has gone', () => {
    expect(routed('a__echo', new StandInUpstream('a', { tools: ['echo'] }))).toBe('unavailable a');
  });
});

describe('an unknown tool', () => {
  it('of a server that runs is refused with the name of the server, and what may have been meant', () => {
    const a = server('a', 'create_issue', 'list');
    const advice = 'Call list_servers for its tools, or reload_server if it has changed.';
    expect(routed('a__Create-Issue', a)).toBe(
      'Unknown tool "a__Create-Issue": server "a" runs and has no such tool. ' +
        `Did you mean a__create_issue? ${advice}`,
    );
    expect(routed('a__nothing', a)).toBe(
      `Unknown tool "a__nothing": server "a" runs and has no such tool. ${advice}`,
    );
  });

  it('of a server that another mux runs, and that lists nothing now, may come back', () => {
    const open = (): Promise<never> => Promise.reject(new Error('not opened'));
    const config = { address: 'cluster:a', open, advice: 'none', isSupervised: true };
    const far = (...tools: readonly string[]): StandInUpstream =>
      new StandInUpstream('a', { tools, config, connection: connected().connection });
    expect(routed('a__echo', far())).toBe(
      'Unknown tool "a__echo": server "a" lists no tools now. The mcpmux that runs it may be starting it again: ' +
        'try again in a moment, or call list_servers.',
    );
    expect(routed('a__echo', far('other'))).toContain('runs and has no such tool');
  });

  it('of a server that runs is not said to be one of another server', () => {
    expect(routed('a__echo', server('a', 'x'), server('b', 'a__echo_2'))).not.toContain('b__');
  });

  it('of an unknown server is refused with the names of those there are', () => {
    expect(routed('gihtub__list', server('github', 'list'), server('files', 'read'))).toBe(
      'Unknown tool "gihtub__list": no server named "gihtub" is registered. ' +
        'Registered servers: github, files. Call add_server to add one.',
    );
    expect(routed('a__list')).toBe(
      'Unknown tool "a__list": no server named "a" is registered. No server is registered. ' +
        'Call add_server to add one.',
    );
  });

  it('of a server in another case is refused with what was meant', () => {
    expect(routed('GitHub__list', server('github', 'list'))).toBe(
      'Unknown tool "GitHub__list": no server named "GitHub" is registered. Registered servers: github. ' +
        'Did you mean github__list? Call add_server to add one.',
    );
  });

  it('without a server is refused with what may have been meant', () => {
    expect(routed('Issue', server('a', 'create_issue'), server('b', 'close_issue'))).toBe(
      'Unknown tool "Issue". Did you mean a__create_issue or b__close_issue? Call list_servers for all servers and tools.',
    );
    expect(routed('nothing')).toBe('Unknown tool "nothing". Call list_servers for all servers and tools.');
  });

  it.each(['constructor', '__proto__', 'toString', '', '__', '_', '__a'])('is also %j', (name) => {
    expect(routed(name, server('a', 'echo'))).toMatch(/^Unknown tool /);
  });

  it('is quoted in a message that stays short and on one line', () => {
    const message = routed(`a__${'x'.repeat(10_000)}\n`, server('a', 'echo'));
    expect(message.length).toBeLessThan(400);
    expect(routed('a__"\n', server('a', 'echo'))).toContain('"a__\\"\\n"');
  });
});
