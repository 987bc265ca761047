import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  type RecordedLine,
  parseRecording,
  formatRecordedLine,
  createRedaction,
  type Sender,
} from './recorded-line.js';
import { Replay } from './replay.js';

const plain = (line: Buffer): Buffer => line;

function lines(...all: readonly (readonly [Sender, string])[]): readonly RecordedLine[] {
  return all.map(([from, line]) => ({ from, line: Buffer.from(line) }));
}

function texts(found: readonly Buffer[]): readonly string[] {
  return found.map(String);
}

describe('a replay', () => {
  const SESSION = lines(
    ['server', 'hello from the program'],
    ['client', '{"id":0,"method":"initialize","params":{"clientInfo":{"name":"a"}}}'],
    ['server', '{ "id":0, "result":{"n":1.0}}'],
    ['client', '{"id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}'],
    ['server', '{"method":"notifications/progress","params":{"progressToken":1,"progress":1}}'],
    ['server', '{"id":"s","method":"sampling/createMessage","params":{}}'],
    ['client', '{"id":"s","result":{}}'],
    ['server', '{"id":1,"result":{"content":[]}}'],
  );

  it('is the server with the ids and tokens of the present client', () => {
    const replay = new Replay(SESSION, plain);
    const send = (line: string): readonly string[] => texts(replay.receive(Buffer.from(line)));
    expect(texts(replay.start())).toEqual(['hello from the program']);
    expect(send('{"id":"i","method":"initialize","params":{"clientInfo":{"name":"b"}}}')).toEqual([
      '{ "id":"i", "result":{"n":1.0}}',
    ]);
    const call = '"method":"tools/call","params":{"_meta":{"progressToken":"t"},"name":"x"}}';
    expect(send(`{"id":7,${call}`)).toEqual([
      '{"method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
      '{"id":"s","method":"sampling/createMessage","params":{}}',
    ]);
    expect(send('{"id":"s","result":{"other":1}}')).toEqual(['{"id":7,"result":{"content":[]}}']);
    expect(send(`{"id":8,${call}`)).toEqual(['{"id":8,"result":{"content":[]}}']);
  });

  it('answers what was not recorded with an error, and only what has an id', () => {
    const replay = new Replay(SESSION, plain);
    const [error = '{}'] = texts(
      replay.receive(Buffer.from('{"id":1,"method":"tools/call","params":{"name":"y"}}')),
    );
    expect(JSON.parse(error)).toMatchObject({
      id: 1,
      error: { code: -32_603, message: expect.stringContaining('no answer to this tools/call') },
    });
    expect(replay.receive(Buffer.from('{"method":"notifications/other"}'))).toEqual([]);
    expect(replay.receive(Buffer.from('{"id":5,"result":{}}'))).toEqual([]);
    expect(replay.receive(Buffer.from('not JSON'))).toEqual([]);
  });

  it('answers a request without waiting for the answers to questions of other requests', () => {
    const session = lines(
      ['client', '{"id":1,"method":"tools/call","params":{"name":"a"}}'],
      ['server', '{"id":"q","method":"sampling/createMessage","params":{}}'],
      ['client', '{"id":"q","result":{}}'],
      ['server', '{"id":"r","method":"roots/list"}'],
      ['client', '{"id":"r","result":{}}'],
      ['server', '{"id":1,"result":{"of":"a"}}'],
      ['client', '{"id":2,"method":"tools/call","params":{"name":"b"}}'],
      ['server', '{"id":2,"result":{"of":"b"}}'],
    );
    const replay = new Replay(session, plain);
    const send = (line: string): readonly string[] => texts(replay.receive(Buffer.from(line)));
    const call = (id: number, name: string): string =>
      `{"id":${id},"method":"tools/call","params":{"name":"${name}"}}`;
    expect(send(call(5, 'b'))).toEqual(['{"id":5,"result":{"of":"b"}}']);
    expect(send(call(6, 'a'))).toEqual(['{"id":"q","method":"sampling/createMessage","params":{}}']);
    expect(send('{"id":"q","result":{}}')).toEqual(['{"id":"r","method":"roots/list"}']);
    expect(send('{"id":"r","result":{}}')).toEqual(['{"id":6,"result":{"of":"a"}}']);
  });

  it('sends every line of the server once, byte for byte, whatever the order of a session was', () => {
    const step = fc.record({ name: fc.nat(3), notes: fc.nat(2), answeredLater: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const session: (readonly [Sender, string])[] = [];
        const later: string[] = [];
        for (const [id, { name, notes, answeredLater }] of steps.entries()) {
          session.push(['client', `{"id":${id},"method":"tools/call","params":{"name":"${name}"}}`]);
          for (let note = 0; note < notes; note += 1)
            session.push(['server', `{"method":"note","n":${id}.${note}}`]);
          if (answeredLater) later.push(`{"id":${id},"result":{"at":${id}}}`);
          else session.push(['server', `{"id":${id},"result":{"at":${id}}}`]);
        }
        const all = lines(...session, ...later.map((line) => ['server', line] as const));
        const replay = new Replay(all, plain);
        const sent = all.flatMap(({ from, line }) => (from === 'client' ? replay.receive(line) : []));
        const recorded = all.flatMap(({ from, line }) => (from === 'server' ? [String(line)] : []));
        expect(texts(sent).toSorted()).toEqual(recorded.toSorted());
      }),
    );
  });
});

describe('a recorded line', () => {
  it('is read as it was written, whatever bytes it has', () => {
    const from = fc.constantFrom<Sender>('client', 'server', 'stderr');
    fc.assert(
      fc.property(from, fc.uint8Array(), fc.nat(), (sender, bytes, at) => {
        const line = Buffer.from(bytes);
        const text = formatRecordedLine({ from: sender, line }, at);
        expect(text.indexOf('\n')).toBe(text.length - 1);
        expect(parseRecording(text)).toEqual([{ from: sender, line }]);
      }),
    );
  });

  it('has neither the secrets of the environment nor members that are named like secrets', () => {
    const redact = createRedaction({ API_TOKEN: 'hunter2"x', PATH: '/usr/bin', SHORT_TOKEN: 'abc' });
    const line = String.raw`{"progressToken":"p","text":"hunter2\"x /usr/bin abc","password" : "p\"w", "é":1.0}`;
    expect(redact(Buffer.from(line)).toString()).toBe(
      String.raw`{"progressToken":"p","text":"[redacted] /usr/bin abc","password" : "[redacted]", "é":1.0}`,
    );
    const other = Buffer.from('{"a":"b"}');
    expect(redact(other)).toBe(other);
  });

  it('has neither known secrets in any encoding nor secrets of JSON in its strings', () => {
    const redact = createRedaction({}, ['hunter2hunter2']);
    const encoded = Buffer.from('hunter2hunter2').toString('base64');
    expect(redact(Buffer.from(`{"a":"hunter2hunter2","b":"${encoded}"}`)).toString()).toBe(
      '{"a":"[redacted]","b":"[redacted]"}',
    );
    const inner = JSON.stringify({ access_token: 'a"\\\n', x: 'y"' });
    const line = JSON.stringify({ text: `got ${inner}` });
    const shown = JSON.parse(redact(Buffer.from(line)).toString()) as { readonly text: string };
    expect(shown.text).toBe('got {"access_token":"[redacted]","x":"y\\""}');
  });

  it('is read once, however many quotes it has', () => {
    const redact = createRedaction({});
    const hostile = [String.raw`\"`, String.raw`"a":"`, '"', String.raw`\"a\":\"`].map((part) =>
      part.repeat(200_000),
    );
    const start = performance.now();
    for (const text of hostile) redact(Buffer.from(`{"a":"${text}`));
    expect(performance.now() - start).toBeLessThan(5000);
  });
});
