import { describe, expect, it } from 'vitest';

import { Catalog } from '../catalog.js';
import { FilteredCatalog } from '../filtered-catalog.js';
import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolNamed } from '../../testing/tool-definitions.js';
import type { ServerExposure } from '../../server/lists/tool-filter.js';
import type { ExposureOptions } from './exposure-options.js';
import { Exposures } from './exposures.js';
import { SessionExposure } from './session-exposure.js';

const OWN = ['add_server', 'call_tool', 'search_tools'];
const EVERYTHING = {
  filters: { hidesEntries: false, version: 0 },
  server: () => true,
  tool: () => true,
};

class Server extends StandInUpstream {
  override readonly view;

  constructor(name: string, tools: readonly string[], exposure?: ServerExposure) {
    super(name);
    this.tools = tools.map(toolNamed);
    this.view = exposure && { shown: () => undefined, exposure };
  }
}

/** One client of a mux with these servers. */
class Rig {
  readonly counters: ((server: string, tool: string) => void)[] = [];
  readonly exposures: Exposures;
  readonly session: SessionExposure;
  readonly catalog: FilteredCatalog;
  readonly whole: Catalog;

  constructor(options: ExposureOptions, ...servers: readonly Server[]) {
    this.exposures = new Exposures((count) => void this.counters.push(count), options);
    this.session = new SessionExposure(this.exposures);
    const layer = { isEmpty: false, list: () => servers };
    const own = OWN.map((name) => ({ name, json: JSON.stringify({ name }) }));
    this.whole = new Catalog(own, { nameBudget: 64, listPageBytes: 1e9 }, layer);
    this.catalog = new FilteredCatalog(this.whole, EVERYTHING, new WeakMap(), this.session);
  }

  listed(era: 'legacy' | 'modern' = 'legacy', client?: string): readonly string[] {
    const text = String(this.catalog.list('tools', { era, client }).pageAt(undefined));
    return (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name);
  }

  ofServers(era: 'legacy' | 'modern' = 'legacy', client?: string): readonly string[] {
    return this.listed(era, client).filter((name) => !OWN.includes(name));
  }
}

const A = (): Server => new Server('a', ['one', 'two', 'three']);
const B = (exposure?: ServerExposure): Server => new Server('b', ['one', 'two'], exposure);
const ALL_A = ['a__one', 'a__two', 'a__three'];

describe('the list of tools', () => {
  it.each<ExposureOptions>([{}, { mode: 'all' }, { budget: 1 }])(
    'is the list of all tools, the same bytes and pages, without another mode: %j',
    (options) => {
      const rig = new Rig(options, A(), B());
      expect(rig.catalog.selectionFor({ era: 'legacy' })).toBeUndefined();
      expect(rig.catalog.list('tools', { era: 'legacy' })).toBe(rig.whole.list('tools', { era: 'legacy' }));
      expect(rig.counters).toEqual([]);
    },
  );

  it('has in the mode search only search_tools and call_tool', () => {
    expect(new Rig({ mode: 'search' }, A()).listed()).toEqual(['call_tool', 'search_tools']);
    expect(new Rig({ mode: 'search', ownTools: 'all' }, A()).listed()).toEqual(OWN);
  });

  it('has in the mode search the pinned tools, in the order of the list', () => {
    const isPinned = (tool: string): boolean => tool === 'b__two' || tool === 'a__two';
    const rig = new Rig({ mode: 'search', isPinned }, A(), B());
    expect(rig.listed()).toEqual(['call_tool', 'search_tools', 'a__two', 'b__two']);
  });

  it('has the least of the own tools where the settings say so, and all tools of servers', () => {
    const rig = new Rig({ ownTools: 'minimal' }, A());
    expect(rig.listed()).toEqual(['call_tool', 'search_tools', ...ALL_A]);
  });

  it('has none of the own tools where the settings say so', () => {
    expect(new Rig({ ownTools: 'none' }, A()).listed()).toEqual(ALL_A);
  });

  it('follows the settings of a server before those of the client', () => {
    const rig = new Rig({ mode: 'search' }, A(), B({ mode: 'all' }));
    expect(rig.ofServers()).toEqual(['b__one', 'b__two']);
    const other = new Rig({}, A(), B({ mode: 'search', isPinned: (tool) => tool === 'two' }));
    expect(other.ofServers()).toEqual([...ALL_A, 'b__two']);
    expect(other.listed()).toContain('add_server');
  });

  it('follows the settings of the client before those of all clients', () => {
    const rig = new Rig({ mode: 'all', clients: [{ name: 'codex', exposure: { mode: 'search' } }] }, A());
    expect(rig.ofServers()).toEqual(ALL_A);
    rig.session.setClient('Codex-mcp-client');
    expect(rig.ofServers()).toEqual([]);
    rig.session.setClient('other');
    expect(rig.ofServers()).toEqual(ALL_A);
  });

  it('follows in the modern era the name in the request, and nothing of the connection', () => {
    const rig = new Rig({ clients: [{ name: 'x', exposure: { mode: 'search' } }] }, A());
    rig.session.setClient('x');
    expect(rig.ofServers('modern')).toEqual(ALL_A);
    expect(rig.ofServers('modern', 'other')).toEqual(ALL_A);
    expect(rig.ofServers('modern', 'X-client')).toEqual([]);
    const searching = new Rig({ mode: 'search' }, A());
    searching.session.addFoundTools(['a__one'], searching.catalog.snapshot());
    expect(searching.ofServers('modern')).toEqual([]);
    expect(searching.ofServers('legacy')).toEqual(['a__one']);
  });

  it('follows new settings', () => {
    const rig = new Rig({}, A());
    rig.exposures.setOptions({ mode: 'search' });
    expect(rig.ofServers()).toEqual([]);
    rig.exposures.setOptions({});
    expect(rig.ofServers()).toEqual(ALL_A);
  });

  it('has short definitions where the settings say so', () => {
    const server = new Server('a', []);
    server.tools = [toolNamed('t')];
    const rig = new Rig({ slim: true }, server);
    expect(String(rig.catalog.list('tools').pageAt(undefined))).not.toContain('"title"');
    expect(rig.ofServers()).toEqual(['a__t']);
  });
});

describe('in the mode auto', () => {
  const sizeOf = (rig: Rig): number => rig.catalog.list('tools').pageAt(undefined)?.length ?? 0;

  it('a list has all tools that its budget allows, and no more', () => {
    const whole = new Rig({ mode: 'auto' }, A(), B());
    expect(whole.ofServers()).toEqual([...ALL_A, 'b__one', 'b__two']);
    const budget = Math.ceil(sizeOf(whole) / 4) - 20;
    const part = new Rig({ mode: 'auto', budget }, A(), B());
    expect(part.ofServers()).toEqual(ALL_A);
    expect(sizeOf(part) / 4).toBeLessThanOrEqual(budget);
  });

  it('the most used tools come first, and stand in the order of the list', () => {
    const rig = new Rig({ mode: 'auto', budget: 46 }, A(), B());
    expect(rig.ofServers()).toEqual(['a__one', 'a__two']);
    for (const server of ['b', 'b']) rig.counters[0]?.(server, 'two');
    rig.counters[0]?.('a', 'three');
    // The list of a snapshot stays as it was read.
    expect(rig.ofServers()).toEqual(['a__one', 'a__two']);
    rig.whole.invalidate();
    expect(rig.ofServers()).toEqual(['a__three', 'b__two']);
  });

  it('pinned tools stand in the list whatever the budget', () => {
    const rig = new Rig({ mode: 'auto', budget: 1, isPinned: (tool) => tool === 'b__one' }, A(), B());
    expect(rig.ofServers()).toEqual(['b__one']);
  });
});

describe('a tool that a session has found', () => {
  it('stands in its list from then on, and in that of no other session', () => {
    const rig = new Rig({ mode: 'search' }, A());
    expect(rig.session.addFoundTools(['a__two'], rig.catalog.snapshot())).toBe(true);
    expect(rig.ofServers()).toEqual(['a__two']);
    expect(rig.session.addFoundTools(['a__two'], rig.catalog.snapshot())).toBe(false);
    const other = new FilteredCatalog(
      rig.whole,
      EVERYTHING,
      new WeakMap(),
      new SessionExposure(rig.exposures),
    );
    expect(String(other.list('tools').pageAt(undefined))).not.toContain('a__two');
  });

  it('changes nothing where all tools stand in the list, or none is to be added', () => {
    const rig = new Rig({}, A());
    expect(rig.session.addFoundTools(['a__two'], rig.catalog.snapshot())).toBe(false);
    const other = new Rig({ mode: 'search', addsFound: false }, A());
    expect(other.session.addFoundTools(['a__two'], other.catalog.snapshot())).toBe(false);
    expect(other.ofServers()).toEqual([]);
  });

  it('leaves the list again when a hundred others were found', () => {
    const names = Array.from({ length: 101 }, (_, index) => `t${index}`);
    const rig = new Rig({ mode: 'search' }, new Server('a', names));
    for (const name of names) rig.session.addFoundTools([`a__${name}`], rig.catalog.snapshot());
    expect(rig.ofServers()).toHaveLength(100);
    expect(rig.ofServers()).not.toContain('a__t0');
  });
});
