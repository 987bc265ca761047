import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** What a real server answers to `tools/list`. */
export interface RealServer {
  readonly server: string;
  /** Where the server comes from: an npm package, `pypi:` or `go:`. */
  readonly package: string;
  readonly version: string;
  readonly license: string;
  readonly tools: readonly RealTool[];
}

/** A definition of a tool, as its server wrote it. */
export interface RealTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

const FOLDER = new URL('../fixtures/real-tools/', import.meta.url);

/** The tools of nineteen servers from npm, PyPI and Go, recorded on 2026-11-24. */
export function realServers(): readonly RealServer[] {
  const text = gunzipSync(readFileSync(new URL('tools.json.gz', FOLDER))).toString('utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- recorded in this shape
  return JSON.parse(text) as readonly RealServer[];
}

/** Tasks in the words of a person, and the tools that fit each of them, as `{server}__{tool}`. */
export function labelledQueries(): ReadonlyMap<string, readonly string[]> {
  return queriesOf('queries.json');
}

/** Tasks in the words of a person who does not know the tools. Every second one, from the second, is held out. */
export function colloquialQueries(): ReadonlyMap<string, readonly string[]> {
  return queriesOf('colloquial-queries.json');
}

function queriesOf(name: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written in this shape
  return new Map(Object.entries(JSON.parse(text) as Record<string, readonly string[]>));
}
