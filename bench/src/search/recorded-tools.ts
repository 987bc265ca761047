import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A server whose answer to `tools/list` was recorded. */
export interface RecordedServer {
  readonly server: string;
  readonly tools: readonly RecordedTool[];
}

/** A definition of a tool, as its server wrote it. */
export interface RecordedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema?: unknown;
}

/** Tasks in the words of a person, and the tools that fit each, as `{server}__{tool}`. */
export type Tasks = Readonly<Record<string, readonly string[]>>;

const PACKAGE = '@mcpmux/testing/real-tools';

/** Every recorded server. */
export function recordedServers(): readonly RecordedServer[] {
  return JSON.parse(
    gunzipSync(readFileSync(fixture('tools.json.gz'))).toString('utf8'),
  ) as readonly RecordedServer[];
}

/** The tasks on which the words of the search were tuned. */
export function tuningTasks(): Tasks {
  return { ...tasksIn('queries.json'), ...everySecond(tasksIn('colloquial-queries.json'), 0) };
}

/** The tasks that nothing was tuned on. */
export function heldOutTasks(): Tasks {
  return everySecond(tasksIn('colloquial-queries.json'), 1);
}

function everySecond(tasks: Tasks, first: 0 | 1): Tasks {
  return Object.fromEntries(Object.entries(tasks).filter((_, index) => index % 2 === first));
}

function tasksIn(name: string): Tasks {
  return JSON.parse(readFileSync(fixture(name), 'utf8')) as Tasks;
}

function fixture(name: string): string {
  const source = createRequire(import.meta.url).resolve(PACKAGE);
  return join(dirname(source), '../fixtures/real-tools', name);
}
