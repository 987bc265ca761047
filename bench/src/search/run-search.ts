import type { Progress } from '../forwarding/run-forwarding.js';
import { libraries, type Searcher } from './libraries.js';
import { muxSearch } from './mux-search.js';
import { places, recallAt, resultsFor } from './recall.js';
import { heldOutTasks, recordedServers, tuningTasks, type Tasks } from './recorded-tools.js';
import { searchableTexts } from './searchable-text.js';

/** The results in which a fitting tool is looked for. */
export const RESULTS = [1, 5, 10] as const;
/** The number of results of mcpmux that sets the recall for the comparison of tokens. */
const EQUAL_AT = 5;
/** As `mcpmux tools --cost` counts them. */
const BYTES_PER_TOKEN = 4.5;

/** One way to find tools. */
export interface FoundBy {
  readonly name: string;
  /** For each number of {@link RESULTS}. */
  readonly tuning: readonly number[];
  readonly heldOut: readonly number[];
  /** For the recall of mcpmux: the number of results, and the tokens of their definitions; null where none has it. */
  readonly results: number | null;
  readonly tokens: number | null;
}

/** The search part of a run. */
export interface SearchReport {
  readonly servers: number;
  readonly tools: number;
  readonly tuningTasks: number;
  readonly heldOutTasks: number;
  /** All definitions: a client that lists everything. */
  readonly allTokens: number;
  /** All names alone: a client that defers definitions and shows names. */
  readonly nameTokens: number;
  readonly searchers: readonly FoundBy[];
}

/** Looks for the tools of each task with mcpmux and with libraries. */
export async function runSearch(progress: Progress): Promise<SearchReport> {
  const servers = recordedServers();
  const [tuning, heldOut] = [tuningTasks(), heldOutTasks()];
  progress('search: mcpmux');
  const mux: Searcher = {
    name: 'mcpmux, `search_tools`',
    search: await muxSearch(servers, { ...tuning, ...heldOut }),
  };
  progress('search: libraries');
  const tokens = new Map(
    servers.flatMap(({ server, tools }) =>
      tools.map((tool) => [`${server}__${tool.name}`, tokensOf(JSON.stringify(tool))] as const),
    ),
  );
  const recall = recallAt(EQUAL_AT, places(mux.search, heldOut));
  const searchers = [mux, ...libraries(searchableTexts(servers))].map((searcher) =>
    foundBy(searcher, { tuning, heldOut, recall, tokens }),
  );
  return {
    servers: servers.length,
    tools: tokens.size,
    tuningTasks: Object.keys(tuning).length,
    heldOutTasks: Object.keys(heldOut).length,
    allTokens: Math.round([...tokens.values()].reduce((sum, one) => sum + one, 0)),
    nameTokens: Math.round(tokensOf([...tokens.keys()].map((name) => `mcp__${name}`).join('\n'))),
    searchers,
  };
}

interface Basis {
  readonly tuning: Tasks;
  readonly heldOut: Tasks;
  readonly recall: number;
  readonly tokens: ReadonlyMap<string, number>;
}

function foundBy({ name, search }: Searcher, { tuning, heldOut, recall, tokens }: Basis): FoundBy {
  const [tuned, held] = [places(search, tuning), places(search, heldOut)];
  const results = resultsFor(recall, held);
  const costs = Object.keys(heldOut).map((task) =>
    search(task)
      .slice(0, results ?? 0)
      .reduce((sum, id) => sum + (tokens.get(id) ?? 0), 0),
  );
  return {
    name,
    tuning: RESULTS.map((count) => recallAt(count, tuned)),
    heldOut: RESULTS.map((count) => recallAt(count, held)),
    results,
    tokens: results === null ? null : Math.round(costs.reduce((sum, one) => sum + one, 0) / costs.length),
  };
}

function tokensOf(text: string): number {
  return Buffer.byteLength(text) / BYTES_PER_TOKEN;
}
