import { createHash } from 'node:crypto';

import { fitName, foldServerName, isServerName, parseServerName, qualify } from '@mcpmux/namespace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { arbitraryServers, standInsOf } from '../testing/arbitrary-servers.js';
import { Catalog } from './catalog.js';
import { ORIGINAL_NAME_KEY } from './exposed-definition.js';

const MIN_BUDGET = 16;
const budget = fc.integer({ min: MIN_BUDGET, max: 64 });

interface ListedTool {
  readonly name: string;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

describe('whatever servers and tools are named', () => {
  it('M6, D17, D18: every tool has a name of its own in the list, within the budget and the alphabet of model APIs', () => {
    fc.assert(
      fc.property(arbitraryServers, budget, (servers, nameBudget) => {
        const upstreams = standInsOf(servers);
        const catalog = new Catalog(
          [],
          { nameBudget, listPageBytes: 1e9 },
          { isEmpty: false, list: () => upstreams },
        );
        const { entries: tools } = catalog.snapshot().tools;
        const list: { tools: ListedTool[] } = JSON.parse(String(catalog.list('tools').pageAt(undefined)));
        expect(list.tools.map(({ name }) => name)).toEqual(tools.map(({ exposedName }) => exposedName));
        expect(new Set(list.tools.map(({ name }) => name)).size).toBe(list.tools.length);
        for (const { name } of list.tools) {
          expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
          expect(name.length).toBeLessThanOrEqual(nameBudget);
          expect(name).toContain('__');
        }
      }),
    );
  });

  it('the list says the qualified name of every tool, as its name or in its _meta', () => {
    fc.assert(
      fc.property(arbitraryServers, budget, (servers, nameBudget) => {
        const upstreams = standInsOf(servers);
        const catalog = new Catalog(
          [],
          { nameBudget, listPageBytes: 1e9 },
          { isEmpty: false, list: () => upstreams },
        );
        const { entries: tools } = catalog.snapshot().tools;
        const list: { tools: ListedTool[] } = JSON.parse(String(catalog.list('tools').pageAt(undefined)));
        const original = list.tools.map(({ name, _meta }) => _meta?.[ORIGINAL_NAME_KEY] ?? name);
        expect(original).toEqual(tools.map(({ qualifiedName }) => qualifiedName));
      }),
    );
  });

  it('a fitted name never is the qualified name of another tool', () => {
    fc.assert(
      fc.property(arbitraryServers, budget, fc.boolean(), (servers, nameBudget, isDecoyFirst) => {
        // A server that guesses the fitted names of all others and gives its tools these names.
        const decoys = servers.flatMap(({ name, tools }) =>
          tools.flatMap((tool) => decoysOf(qualify(parseServerName(name), tool), nameBudget)),
        );
        const taken = new Set(servers.map(({ name }) => foldServerName(name)));
        const hostile = decoys.filter(({ name }) => !taken.has(foldServerName(name)));
        const all = isDecoyFirst ? [...hostile, ...servers] : [...servers, ...hostile];
        const catalog = new Catalog(
          [],
          { nameBudget, listPageBytes: 1e9 },
          { isEmpty: false, list: () => standInsOf(all) },
        );
        const { entries: tools, byName } = catalog.snapshot().tools;
        for (const tool of tools) {
          expect(byName.get(tool.qualifiedName)).toBe(tool);
          expect(byName.get(tool.exposedName)).toBe(tool);
        }
      }),
    );
  });
});

/** Servers with a tool whose qualified name is what `qualified` is fitted to at first, or at the second try. */
function decoysOf(
  qualified: ReturnType<typeof qualify>,
  maxLength: number,
): { readonly name: string; readonly tools: readonly string[] }[] {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  const decoys = [0, 1].map((attempt) => {
    const fitted = fitName(qualified, { maxLength, digest, attempt });
    const end = fitted.indexOf('__');
    return { name: fitted.slice(0, end), tools: [fitted.slice(end + 2)] };
  });
  return decoys.filter(({ name }) => isServerName(name));
}
