import { DEFAULT_NAME_BUDGET } from '@mcpmux/namespace';
import { describe, expect, it } from 'vitest';

import type { Upstream } from '../server/upstream.js';
import { StandInUpstream } from '../testing/stand-in-upstream.js';
import { toolDefinition } from '../testing/tool-definitions.js';
import { Catalog } from './catalog.js';
import { Catalogs } from './catalogs.js';

const OPTIONS = { nameBudget: DEFAULT_NAME_BUDGET, listPageBytes: 1_000_000 };

const OWN_TOOLS = [
  { name: 'add_server', json: '{"name":"add_server","x":1.0}' },
  { name: 'list_servers', json: '{"name":"list_servers"}' },
];

function catalogOf(...upstreams: readonly Upstream[]): Catalog {
  return new Catalog(OWN_TOOLS, OPTIONS, { isEmpty: false, list: () => upstreams });
}

/** The names in the result of `tools/list`. */
function listed(catalog: Catalog): readonly string[] {
  const result: { tools: { name: string }[] } = JSON.parse(String(catalog.list('tools').pageAt(undefined)));
  return result.tools.map(({ name }) => name);
}

const OWN = OWN_TOOLS.map(({ name }) => name);

describe('the merged list of tools', () => {
  it('begins with the tools of mcpmux itself, then those of the servers in the order of registration', () => {
    const servers = ['c', 'a', 'b'].map((name) => new StandInUpstream(name, { tools: ['z', 'y'] }));
    expect(listed(catalogOf(...servers))).toEqual([...OWN, 'c__z', 'c__y', 'a__z', 'a__y', 'b__z', 'b__y']);
  });

  it('is that of mcpmux itself without any server', () => {
    expect(String(catalogOf().list('tools').pageAt(undefined))).toBe(
      '{"tools":[{"name":"add_server","x":1.0},{"name":"list_servers"}]}',
    );
  });

  it('M5: holds the bytes of every definition, only the names are others', () => {
    const server = new StandInUpstream('a');
    server.tools = [
      toolDefinition('{ "x":1.0,"name":"t"}'),
      toolDefinition('{"name":"u","big":12345678901234567890}'),
    ];
    expect(String(catalogOf(server).list('tools').pageAt(undefined))).toBe(
      '{"tools":[{"name":"add_server","x":1.0},{"name":"list_servers"},' +
        '{ "x":1.0,"name":"a__t"},{"name":"a__u","big":12345678901234567890}]}',
    );
  });

  it('M1: a server without tools adds none', () => {
    expect(
      listed(catalogOf(new StandInUpstream('empty'), new StandInUpstream('a', { tools: ['t'] }))),
    ).toEqual([...OWN, 'a__t']);
  });

  it('D16: shows the tools of both servers when their names overlap', () => {
    const one = new StandInUpstream('one', { tools: ['echo', 'only_one'] });
    const two = new StandInUpstream('two', { tools: ['echo'] });
    expect(listed(catalogOf(one, two))).toEqual([...OWN, 'one__echo', 'one__only_one', 'two__echo']);
  });

  it('M2: loses only the tools of the server that is removed', () => {
    const one = new StandInUpstream('one', { tools: ['echo'] });
    const two = new StandInUpstream('two', { tools: ['echo'] });
    let servers = [one, two];
    const catalog = new Catalog(OWN_TOOLS, OPTIONS, { isEmpty: false, list: () => servers });
    expect(listed(catalog)).toEqual([...OWN, 'one__echo', 'two__echo']);
    servers = [two];
    catalog.invalidate();
    expect(listed(catalog)).toEqual([...OWN, 'two__echo']);
    expect([...catalog.snapshot().tools.byName.keys()]).toEqual(['two__echo']);
    expect(
      catalog
        .snapshot()
        .tools.byLocalName.get('echo')
        ?.map(({ upstream }) => upstream),
    ).toEqual([two]);
  });

  it('M6, G4: keeps the names of mcpmux itself, whatever servers call themselves and their tools', () => {
    const server = new StandInUpstream('add_server', { tools: ['add_server', 'list_servers'] });
    expect(listed(catalogOf(server))).toEqual([...OWN, 'add_server__add_server', 'add_server__list_servers']);
  });
});

describe('a catalog', () => {
  it.each([15, 0, -1, Number.NaN])('is not made with a budget for names that fits none: %d', (nameBudget) => {
    expect(() => new Catalogs(OWN_TOOLS, { ...OPTIONS, nameBudget })).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: `nameBudget is ${nameBudget}; it must be at least 16.`,
      }),
    );
  });

  it('is made with the smallest budget', () => {
    const server = new StandInUpstream('a', { tools: ['x'.repeat(50)] });
    const { tools } = new Catalog(
      OWN_TOOLS,
      { ...OPTIONS, nameBudget: 16 },
      { isEmpty: false, list: () => [server] },
    ).snapshot();
    expect(tools.entries[0]?.exposedName.length).toBeLessThanOrEqual(16);
  });
});

describe('the tools of a server', () => {
  it('M7: are not listed before it runs for the first time, and after it has crashed', () => {
    const a = new StandInUpstream('a', { tools: ['t'] });
    const b = new StandInUpstream('b', { tools: ['t'] });
    for (const change of [() => a.nowStarting(), () => a.nowCrashed()]) {
      change();
      expect(listed(catalogOf(a, b))).toEqual([...OWN, 'b__t']);
    }
  });

  it('M3: stay in their place while it is reloaded', () => {
    const a = new StandInUpstream('a', { tools: ['t'] });
    const b = new StandInUpstream('b', { tools: ['t'] });
    const catalog = catalogOf(a, b);
    a.nowStarting(2);
    expect(listed(catalog)).toEqual([...OWN, 'a__t', 'b__t']);
    a.nowRunning(2).tools = [toolDefinition('{"name":"u"}')];
    catalog.invalidate();
    expect(listed(catalog)).toEqual([...OWN, 'a__u', 'b__t']);
  });

  it('are found by every name that they have had before it crashed, and not by their bare names', () => {
    const server = new StandInUpstream('日本語', { tools: ['ツール', 'plain'] });
    const catalog = catalogOf(server);
    const names = [...catalog.snapshot().tools.byName.keys()];
    server.nowCrashed();
    catalog.invalidate();
    expect([...catalog.snapshot().tools.byName.keys()]).toEqual(names);
    expect(catalog.snapshot().tools.entries).toEqual([]);
    expect(catalog.snapshot().tools.byLocalName.size).toBe(0);
  });
});

describe('a snapshot', () => {
  it('is the same one until the catalog is invalidated', () => {
    const server = new StandInUpstream('a', { tools: ['t'] });
    const catalog = catalogOf(server);
    const first = catalog.snapshot();
    server.tools = [toolDefinition('{"name":"u"}')];
    expect(catalog.snapshot()).toBe(first);
    catalog.invalidate();
    expect(catalog.snapshot()).not.toBe(first);
    expect(catalog.snapshot().tools.entries.map(({ exposedName }) => exposedName)).toEqual(['a__u']);
    expect(first.tools.entries.map(({ exposedName }) => exposedName)).toEqual(['a__t']);
  });

  it('knows each tool by its qualified and by its exposed name', () => {
    const server = new StandInUpstream('a', { tools: ['plain', 'not plain'] });
    const { entries: tools, byName } = catalogOf(server).snapshot().tools;
    const [plain, fitted] = tools;
    expect(plain).toMatchObject({ exposedName: 'a__plain', qualifiedName: 'a__plain' });
    expect(fitted).toMatchObject({ qualifiedName: 'a__not plain' });
    expect(fitted?.exposedName).toMatch(/^a__not_plain_[0-9a-f]{8}$/);
    expect(byName.get('a__plain')).toBe(plain);
    expect(byName.get('a__not plain')).toBe(fitted);
    expect(byName.get(fitted?.exposedName ?? '')).toBe(fitted);
    expect(byName.size).toBe(3);
  });

  it('has two names for two tools, even when both are fitted to the same', () => {
    // Lone surrogates: as UTF-8, which is what the hash is made of, the two names are equal.
    const server = new StandInUpstream('a', { tools: ['\ud800', '\udbff'] });
    const { entries: tools, byName } = catalogOf(server).snapshot().tools;
    const names = tools.map(({ exposedName }) => exposedName);
    expect(new Set(names).size).toBe(2);
    expect(names.map((name) => byName.get(name))).toEqual(tools);
  });

  it.each(['constructor', '__proto__', 'toString', ''])('B24: knows a tool named %j', (local) => {
    const server = new StandInUpstream('a', { tools: [local] });
    const { byName, byLocalName, entries: tools } = catalogOf(server).snapshot().tools;
    expect(byName.get(`a__${local}`)).toBe(tools[0]);
    expect(byLocalName.get(local)).toEqual(tools);
    expect(byLocalName.get('hasOwnProperty')).toBeUndefined();
  });
});
