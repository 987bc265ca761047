import type { Step } from '../script.js';
import type { SurfaceClient } from '../surface-client.js';

function get(name: string, args?: Record<string, string>) {
  return (client: SurfaceClient): Promise<void> =>
    client.settled(client.sdk.getPrompt({ name: client.named(name), ...(args && { arguments: args }) }));
}

const TEAM = 'completable-prompt';

/** Prompts and completions. */
export const PROMPT_STEPS: readonly Step[] = [
  {
    row: 'S2',
    method: 'prompts/list',
    does: 'prompts keep title, description and arguments',
    rules: ['prefix'],
    run: (client) => client.settled(client.sdk.listPrompts()),
  },
  {
    row: 'S2',
    method: 'prompts/get',
    does: 'a prompt without arguments comes back',
    run: get('simple-prompt'),
  },
  {
    row: 'S2',
    method: 'prompts/get',
    does: 'arguments reach the server',
    run: get('args-prompt', { city: 'Oslo', state: 'NO' }),
  },
  {
    row: 'S2',
    method: 'prompts/get',
    does: 'an embedded resource keeps its URI',
    rules: ['chance'],
    run: get('resource-prompt', { resourceType: 'Text', resourceId: '3' }),
  },
  {
    row: 'S2',
    method: 'prompts/get',
    does: 'arguments that the server refuses are refused in its words',
    run: get('args-prompt', {}),
  },
  {
    row: 'S2',
    method: 'prompts/get',
    does: 'an unknown prompt is refused',
    rules: ['refusal'],
    run: get('no-such-prompt'),
  },
  {
    row: 'M6',
    method: 'prompts/get',
    does: 'a bare name is enough when one server has it',
    run: (client) => client.raw('prompts/get', { name: 'simple-prompt' }),
  },
  {
    row: 'S3',
    method: 'completion/complete',
    does: 'an argument of a prompt is completed',
    run: (client) =>
      client.settled(
        client.sdk.complete({
          ref: { type: 'ref/prompt', name: client.named(TEAM) },
          argument: { name: 'department', value: 'S' },
        }),
      ),
  },
  {
    row: 'S3',
    method: 'completion/complete',
    does: 'an argument is completed in the context of another',
    run: (client) =>
      client.settled(
        client.sdk.complete({
          ref: { type: 'ref/prompt', name: client.named(TEAM) },
          argument: { name: 'name', value: '' },
          context: { arguments: { department: 'Sales' } },
        }),
      ),
  },
  {
    row: 'S3',
    method: 'completion/complete',
    does: 'a variable of a resource template is completed',
    run: (client) =>
      client.settled(
        client.sdk.complete({
          ref: { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
          argument: { name: 'resourceId', value: '4' },
        }),
      ),
  },
];
