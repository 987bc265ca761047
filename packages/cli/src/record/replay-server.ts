import { once } from 'node:events';
import process from 'node:process';

import { LineTap } from './line-tap.js';
import { parseRecording, createRedaction } from './recorded-line.js';
import { Replay } from './replay.js';

/** Acts as the recorded server on stdin and stdout until stdin ends. */
export async function replayServer(text: string): Promise<void> {
  const replay = new Replay(parseRecording(text), createRedaction({}));
  const send = (lines: readonly Buffer[]): void => {
    for (const line of lines) {
      process.stdout.write(line);
      process.stdout.write('\n');
    }
  };
  send(replay.start());
  const tap = new LineTap((line) => line && send(replay.receive(line)));
  process.stdin.on('data', (chunk: Buffer) => tap.write(chunk));
  await once(process.stdin, 'end');
  tap.end();
}
