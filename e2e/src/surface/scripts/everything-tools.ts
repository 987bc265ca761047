import type { Step } from '../script.js';
import type { SurfaceClient } from '../surface-client.js';

function call(name: string, args: Record<string, unknown> = {}) {
  return (client: SurfaceClient): Promise<void> =>
    client.settled(client.sdk.callTool({ name: client.named(name), arguments: args }));
}

const LONG = 'trigger-long-running-operation';

/** A call with a progress token of the test's choice. */
function progress(progressToken: string | number): Step {
  return {
    row: 'S9',
    method: 'notifications/progress',
    does: `progress carries the client's token ${JSON.stringify(progressToken)}, in order and before the result`,
    run: (client) => client.call(LONG, { duration: 0.03, steps: 3 }, { _meta: { progressToken } }),
  };
}

/** Tools: list, call, progress, cancellation. */
export const TOOL_STEPS: readonly Step[] = [
  {
    row: 'S10',
    method: 'tools/list',
    does: 'tools keep title, schemas, annotations and execution; all that depend on capabilities of the client are there',
    rules: ['own tools', 'prefix'],
    run: (client) => client.settled(client.sdk.listTools()),
  },
  { row: 'M5', method: 'tools/call', does: 'text comes back', run: call('echo', { message: 'hi' }) },
  {
    row: 'M5',
    method: 'tools/call',
    does: 'content keeps its annotations',
    run: call('get-annotated-message', { messageType: 'error', includeImage: true }),
  },
  { row: 'M5', method: 'tools/call', does: 'an image comes back', run: call('get-tiny-image') },
  {
    row: 'M5',
    method: 'tools/call',
    does: 'structured content comes back and fits the schema',
    run: call('get-structured-content', { location: 'Chicago' }),
  },
  {
    row: 'S1',
    method: 'tools/call',
    does: 'resource links keep their URIs',
    run: call('get-resource-links', { count: 3 }),
  },
  {
    row: 'S1',
    method: 'tools/call',
    does: 'an embedded text resource keeps its URI',
    rules: ['chance'],
    run: call('get-resource-reference', { resourceType: 'Text', resourceId: 2 }),
  },
  {
    row: 'S1',
    method: 'tools/call',
    does: 'an embedded binary resource keeps its URI',
    rules: ['chance'],
    run: call('get-resource-reference', { resourceType: 'Blob', resourceId: 2 }),
  },
  {
    row: 'M1',
    method: 'tools/call',
    does: "the server has the environment of the client's choice",
    rules: ['environment'],
    run: call('get-env'),
  },
  {
    row: 'M5',
    method: 'tools/call',
    does: 'arguments that the server refuses are refused in its words',
    run: (client) => client.call('get-sum', { a: 'no number' }),
  },
  {
    row: 'M5',
    method: 'tools/call',
    does: 'an unknown tool is refused',
    rules: ['refusal'],
    run: (client) => client.call('no-such-tool'),
  },
  {
    row: 'M6',
    method: 'tools/call',
    does: 'a bare name is enough when one server has it',
    run: (client) => client.raw('tools/call', { name: 'get-sum', arguments: { a: 2, b: 3 } }),
  },
  progress('a token'),
  progress('0'),
  progress(0),
  progress(-7),
  {
    row: 'S9',
    method: 'notifications/cancelled',
    does: 'a cancelled call is not answered',
    async run(client) {
      void client.raw(
        'tools/call',
        { name: client.named(LONG), arguments: { duration: 0.1, steps: 1 } },
        'c',
      );
      client.notify('notifications/cancelled', { requestId: 'c', reason: 'enough' });
      // longer than the cancelled one would have taken
      await client.call(LONG, { duration: 0.2, steps: 1 });
    },
  },
];
