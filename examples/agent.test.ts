// Tests of a host with fixture servers: small programs with one behaviour each, such as a crash in the middle of a call.
import { createMux, type Mux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { expect, it } from 'vitest';

/** The code under test: tells what a tool says, and never throws. */
async function ask(mux: Mux, tool: string, message: string): Promise<string> {
  try {
    const { content, isError } = await mux.callTool(tool, { message });
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return isError === true ? `failed: ${text}` : text;
  } catch (error) {
    return `not called: ${error instanceof Error ? error.message : String(error)}`;
  }
}

it('says what the tool says', async () => {
  await using mux = createMux();
  await mux.addServer('e', fixtureCommand('echo'));
  expect(await ask(mux, 'e__echo', 'hello')).toBe('hello');
});

it('survives a server that dies during the call', async () => {
  await using mux = createMux();
  await mux.addServer('dying', fixtureCommand('crash'));
  const [tool] = await mux.listTools();
  expect(await ask(mux, tool?.name ?? '', 'hello')).toMatch(/^failed: .*dying.* exited with code/);
});

it('says that there is no such tool', async () => {
  await using mux = createMux();
  expect(await ask(mux, 'e__echo', 'hello')).toMatch(/^not called: Unknown tool/);
});
