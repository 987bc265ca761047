import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A real server's response to `tools/list`. */
export interface RealServer {
  readonly server: string;
  /** The server's package: a name on npm, or a name with the prefix `pypi:` or `go:`. */
  readonly package: string;
  readonly version: string;
  readonly license: string;
  readonly tools: readonly RealTool[];
}

/** A tool definition, as the server sent it. */
export interface RealTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

const REAL_TOOLS_FOLDER = new URL('../fixtures/real-tools/', import.meta.url);

/** Returns the tools of nineteen servers from npm, PyPI and Go, recorded on 2026-11-24. */
export function readRealServers(): readonly RealServer[] {
  const text = gunzipSync(readFileSync(new URL('tools.json.gz', REAL_TOOLS_FOLDER))).toString('utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- recorded in this shape
  return JSON.parse(text) as readonly RealServer[];
}

/** Returns tasks as a person would describe them, with the tools that fit each task, as `{server}__{tool}`. */
export function labelledQueries(): ReadonlyMap<string, readonly string[]> {
  return readQueries('queries.json');
}

/** Returns tasks as described by people who do not know the tools. Every second task is held out from tuning. */
export function colloquialQueries(): ReadonlyMap<string, readonly string[]> {
  return readQueries('colloquial-queries.json');
}

function readQueries(name: string): ReadonlyMap<string, readonly string[]> {
  const text = readFileSync(new URL(name, REAL_TOOLS_FOLDER), 'utf8');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written in this shape
  return new Map(Object.entries(JSON.parse(text) as Record<string, readonly string[]>));
}
