// A server that chooses every text that a server can choose. Arguments: how it behaves, and a JSON file of texts.
import { readFileSync } from 'node:fs';
import process from 'node:process';

import split from 'split2';

const [, , how, file = ''] = process.argv;
const texts = JSON.parse(readFileSync(file, 'utf8'));
const all = texts.join(' ');
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const schemaOf = (text) => ({ type: 'object', properties: { [text]: { description: text, enum: [text] } } });

function print() {
  for (const text of texts) {
    process.stderr.write(`stderr ${text}\n`);
    process.stdout.write(`stdout ${text}\n`);
  }
}

if (how === 'die') {
  print();
  process.exit(1);
}

const initialized = {
  protocolVersion: how === 'version' ? all : '2025-11-25',
  capabilities: { tools: {}, prompts: {}, resources: {}, logging: {} },
  serverInfo: { name: all, title: all, version: all },
  instructions: all,
};

const answers = {
  initialize: () => (how === 'refuse' ? { error: { code: -1, message: all } } : { result: initialized }),
  'tools/list': () => ({
    result: {
      tools: [
        ...['ok', 'fail', 'throw', 'exit'].map((name) => ({ name, inputSchema: { type: 'object' } })),
        ...texts.map((text, index) => ({
          name: index % 2 === 0 ? `tool${index}` : `tool${text}`,
          title: text,
          description: text,
          inputSchema: schemaOf(text),
        })),
      ],
    },
  }),
  'prompts/list': () => ({ result: { prompts: texts.map((text) => ({ name: text, description: text })) } }),
  'resources/list': () => ({
    result: { resources: texts.map((text) => ({ name: text, uri: `x:${text}` })) },
  }),
  'resources/read': ({ uri }) => ({ result: { contents: [{ uri, text: all }] } }),
  'tools/call': ({ name }) => {
    print();
    for (const data of texts)
      send({ method: 'notifications/message', params: { level: 'error', logger: data, data } });
    if (name === 'exit') process.exit(1);
    if (name === 'throw') return { error: { code: -5, message: all, data: all } };
    return { result: { content: texts.map((text) => ({ type: 'text', text })), isError: name === 'fail' } };
  },
};

process.stdin.pipe(split()).on('data', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) send({ id, ...(answers[method]?.(params) ?? { result: {} }) });
});
