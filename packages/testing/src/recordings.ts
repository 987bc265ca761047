import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Sessions with servers from npm, recorded by `mcpmux record` with mcpmux as the client. Each contains all of the
 * server's tools and the calls that the tests make. Tests replay it (`mcpmux replay`) in place of the server.
 */
export type Recording = 'everything' | 'filesystem';

/** Returns the path of a recording. */
export function recordingFile(name: Recording): string {
  return fileURLToPath(new URL(`../fixtures/recordings/${name}.ndjson`, import.meta.url));
}

/** A tool definition, as the server sent it. */
export interface RecordedTool extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

/** Returns the tools that the recorded server listed. */
export function recordedTools(name: Recording): readonly RecordedTool[] {
  const lines = readFileSync(recordingFile(name), 'utf8').trimEnd().split('\n');
  const messages = lines.map((line) => JSON.parse(line) as { from?: string; line?: string });
  const answers = messages.flatMap(({ from, line = '' }) =>
    from === 'server' ? [JSON.parse(line) as Answer] : [],
  );
  return answers.flatMap(({ result }) => result?.tools ?? []);
}

interface Answer {
  readonly result?: { readonly tools?: readonly RecordedTool[] };
}
