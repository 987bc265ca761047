import { colloquialQueries, labelledQueries, readRealServers } from '@mcpmux/testing/real-tools';
import { describe, expect, it } from 'vitest';

import { StandInUpstream } from '../../testing/stand-in-upstream.js';
import { toolDefinition } from '../../testing/tool-definitions.js';
import { toolDirectory } from '../../testing/tool-directory.js';
import { documentOf } from './tool-document.js';
import { ToolIndex } from './tool-index.js';
import { findTools } from './tool-search.js';

const SHOWN = 5;
/** Words of the search were tuned on the other half of the queries. */
const HELD_OUT = (index: number): boolean => index % 2 === 1;

const servers = readRealServers().map(({ server, tools }) => {
  const upstream = new StandInUpstream(server);
  upstream.tools = tools.map((tool) => toolDefinition(JSON.stringify(tool)));
  return upstream;
});
const snapshot = toolDirectory(servers).snapshot();
const queries = [...labelledQueries()];
const colloquial = [...colloquialQueries()].filter((_, index) => HELD_OUT(index));

function firstFive(query: string): readonly string[] {
  const { tools } = JSON.parse(findTools(snapshot, { query, detail: 'name', limit: SHOWN }).json) as {
    readonly tools: readonly { readonly name: string }[];
  };
  return tools.map(({ name }) => qualified(name));
}

function qualified(name: string): string {
  return snapshot.tools.byName.get(name)?.qualifiedName ?? name;
}

/** With two letters of the longest word in the wrong order. */
function misspelled(query: string): string {
  const longest = query.split(' ').toSorted((left, right) => right.length - left.length)[0] ?? '';
  const at = Math.floor(longest.length / 2);
  const swapped = longest.slice(0, at) + longest.charAt(at + 1) + longest.charAt(at) + longest.slice(at + 2);
  return query.replace(longest, swapped);
}

function missed(chosen: readonly (readonly [string, readonly string[]])[]) {
  return chosen
    .filter(([query, fitting]) => !firstFive(query).some((name) => fitting.includes(name)))
    .map(([query, fitting]) => ({ query, fitting, found: firstFive(query) }));
}

/** An index of copies of the tools, each of a server of its own. */
function indexOf(count: number): ToolIndex {
  const { entries } = snapshot.tools;
  return new ToolIndex(
    Array.from({ length: count }, (_, index) => {
      const entry = entries[index % entries.length];
      if (entry === undefined) throw new Error('no tools');
      return Object.assign(documentOf(entry), { server: `server${index}` });
    }),
  );
}

function searchTime(index: ToolIndex, query: string): number {
  const start = performance.now();
  expect(index.search(query, 10).documents).toHaveLength(10);
  return performance.now() - start;
}

describe('a search among the tools of real servers', () => {
  it('has enough tools and queries to measure', () => {
    expect(snapshot.tools.entries.length).toBeGreaterThanOrEqual(300);
    expect(queries.length).toBeGreaterThanOrEqual(150);
    const unknown = queries
      .flatMap(([, fitting]) => fitting)
      .filter((name) => !snapshot.tools.byName.has(name));
    expect(unknown).toEqual([]);
  });

  it.each([
    ['queries', queries],
    ['queries that nothing was tuned on', queries.filter((_, index) => HELD_OUT(index))],
  ])('has a fitting tool among the first five for nine in ten of the %s', (_, chosen) => {
    // Those that are missed stand in the message of a failure.
    const most = Math.floor(chosen.length / 10);
    expect(missed(chosen).slice(most)).toEqual([]);
  });

  it('has one for six in ten colloquial queries that nothing was tuned on', () => {
    expect(1 - missed(colloquial).length / colloquial.length).toBeGreaterThanOrEqual(0.6);
  });

  it('has one of at least 85 % of the queries with a misspelled word', () => {
    const wrong = queries.map(([query, fitting]) => [misspelled(query), fitting] as const);
    expect(1 - missed(wrong).length / wrong.length).toBeGreaterThanOrEqual(0.85);
  });

  it('takes at most in proportion longer among five times as many tools', () => {
    const few = indexOf(1000);
    const many = indexOf(5000);
    const ratios = queries.slice(0, 41).map(([query]) => searchTime(many, query) / searchTime(few, query));
    // a search that compares every tool with every other would take 25 times as long
    expect(ratios.toSorted((left, right) => left - right)[Math.floor(ratios.length / 2)]).toBeLessThan(12);
  });
});
