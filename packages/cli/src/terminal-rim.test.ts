import { fileURLToPath } from 'node:url';

import { readSources } from '@mcpmux/testing/layering';
import { expect, it } from 'vitest';

/** The files that may name an output stream of this process, with the reason. */
const RIM: Readonly<Record<string, string>> = {
  'base/terminal-output.ts': 'is the rim',
  'log/protect-streams.ts': 'listens for errors of stderr',
  'record/record-server.ts': 'gives stdout to the protocol',
  'record/replay-server.ts': 'gives stdout to the protocol',
  'serve/stdio-frontend.ts': 'gives stdout to the protocol',
  'terminal/end-with-reader.ts': 'listens for the end of stdout',
  'terminal/prompt.ts': 'asks, with the text of the rim',
  'top/terminal-screen.ts': 'draws, with the text of the rim',
  'window/run-relay.ts': 'gives stdout to the protocol',
};

const OUTPUT =
  /\bprocess\.(?:stdout|stderr|_rawDebug|emitWarning)\b|\b(?:stdout|stderr)\b[^;]*\} = process\b|(?<![\w.])console\.|\bwriteSync\(\s*[12]\b/;
const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/g;

const sources = [...readSources(fileURLToPath(new URL('.', import.meta.url)))].filter(
  ([file]) => !/(?:^|\/)testing\/|\.test\.ts$/.test(file),
);

it('fault H5: nothing but the rim writes to the terminal, so that no command can forget to escape', () => {
  expect(sources.length).toBeGreaterThan(100);
  const writers = sources.filter(([, source]) => OUTPUT.test(source.replaceAll(COMMENT, '')));
  expect(writers.map(([file]) => file).toSorted()).toEqual(Object.keys(RIM).toSorted());
});

it('files of the rim that only listen, or only name the stream, do not write to it', () => {
  for (const file of ['log/protect-streams.ts', 'serve/stdio-frontend.ts', 'terminal/end-with-reader.ts'])
    expect(new Map(sources).get(file)).not.toMatch(/std(?:out|err)\.(?:write|end)\(|pipe\(process/);
});
