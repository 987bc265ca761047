// An agent in the terminal that uses the servers of a config file.
// usage: node cli-agent.ts CONFIG QUESTION
import process from 'node:process';

import { applyConfig, formatProblem, loadConfigFile } from '@mcpmux/config';
import { createMux, type ListedTool, type Mux } from '@mcpmux/core';

type Turn =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'call'; readonly tool: string; readonly args: Record<string, unknown> };

/** Stands for the API of a model, which gets the tools and the results so far, and answers or calls a tool. */
function model(question: string, tools: readonly ListedTool[], results: readonly string[]): Turn {
  const tool = tools.find(({ name }) => name.endsWith('__echo'));
  if (tool === undefined) return { kind: 'answer', text: 'I have no tool for this.' };
  const [result] = results;
  if (result !== undefined) return { kind: 'answer', text: `The tool says: ${result}` };
  return { kind: 'call', tool: tool.name, args: { message: question } };
}

/** The text of a result, for the model. A failed tool is told in its result, too. */
async function textOf(mux: Mux, { tool, args }: Extract<Turn, { kind: 'call' }>): Promise<string> {
  const { content } = await mux.callTool(tool, args, { signal: AbortSignal.timeout(60_000) });
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');
}

async function answer(mux: Mux, question: string): Promise<string> {
  const results: string[] = [];
  for (;;) {
    // Listed anew for each turn: servers may come and go, and change their tools.
    const turn = model(question, await mux.listTools(), results);
    if (turn.kind === 'answer') return turn.text;
    console.error(`calling ${turn.tool}`);
    results.push(await textOf(mux, turn));
  }
}

const [file = 'mcpmux.json', question = 'hello'] = process.argv.slice(2);
await using mux = createMux({}, { logger: console });
const config = loadConfigFile(file);
for (const problem of config.problems) console.error(formatProblem(problem));
for (const { name, status } of await applyConfig(mux, config)) console.error(`${name}: ${status}`);
console.log(await answer(mux, question));
