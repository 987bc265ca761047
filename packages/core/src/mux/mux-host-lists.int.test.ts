import type { CallToolResult as ResultV2, Tool as ToolV2 } from '@modelcontextprotocol/client';
import type {
  CallToolResult as ResultV1,
  GetPromptResult,
  Prompt,
  ReadResourceResult,
  Resource,
  Tool as ToolV1,
} from '@modelcontextprotocol/sdk/types.js';
import { fixtureCommand } from '@mcpmux/test-servers';
import { describe, expect, expectTypeOf, it } from 'vitest';

import type {
  CallToolResult,
  ListedPrompt,
  ListedResource,
  ListedTool,
  PromptResult,
  ResourceResult,
} from '../client/session/host-results.js';
import { createMux } from './mux.js';

describe('what a host lists', () => {
  it('is what clients are shown, without the tools of mcpmux itself unless it wants those', async () => {
    await using mux = createMux();
    await mux.addServer('e', fixtureCommand('echo'));
    const tools = await mux.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['e__echo', 'e__slow_echo']);
    expect(tools[0]?.inputSchema.properties).toHaveProperty('message');
    const all = await mux.listTools({ own: true });
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['add_server', 'e__echo']));
  });

  it('is whole, on however many pages it comes', async () => {
    await using mux = createMux({}, { limits: { listPageBytes: 1000 } });
    await mux.addServer('a', fixtureCommand('echo'));
    await mux.addServer('b', fixtureCommand('echo'));
    expect((await mux.listTools()).map(({ name }) => name)).toEqual([
      'a__echo',
      'a__slow_echo',
      'b__echo',
      'b__slow_echo',
    ]);
  });

  it('has prompts and resources, which a host gets and reads', async () => {
    await using mux = createMux();
    await mux.addServer('e', fixtureCommand('conformance'));
    const [prompt] = await mux.listPrompts();
    const [resource] = await mux.listResources();
    await expect(mux.listResourceTemplates()).resolves.toBeInstanceOf(Array);
    const { contents } = await mux.readResource(resource?.uri ?? '');
    expect(contents).toMatchObject([{ uri: resource?.uri }]);
    const names = (prompt?.arguments ?? []).map(({ name }) => [name, 'x'] as const);
    const { messages } = await mux.getPrompt(prompt?.name ?? '', Object.fromEntries(names));
    expect(messages.length).toBeGreaterThan(0);
  });

  it('ends with the mux, and with its signal', async () => {
    const mux = createMux();
    await expect(mux.listTools({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'CANCELLED' });
    await mux.close();
    await expect(mux.listTools()).rejects.toMatchObject({ code: 'CLOSED' });
  });

  it('has types that narrow, and fit those of both generations of the official SDK', () => {
    const text = ({ content }: CallToolResult): string[] =>
      content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
    expect(text({ content: [{ type: 'text', text: 'x' }] })).toEqual(['x']);
    expectTypeOf<CallToolResult>().toExtend<ResultV1>();
    expectTypeOf<CallToolResult>().toExtend<ResultV2>();
    expectTypeOf<ListedTool>().toExtend<ToolV1>();
    expectTypeOf<ListedTool>().toExtend<ToolV2>();
    expectTypeOf<ListedPrompt>().toExtend<Prompt>();
    expectTypeOf<ListedResource>().toExtend<Resource>();
    expectTypeOf<PromptResult>().toExtend<GetPromptResult>();
    expectTypeOf<ResourceResult>().toExtend<ReadResourceResult>();
  });
});
