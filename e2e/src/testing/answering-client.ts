import { Client, type Transport } from '@modelcontextprotocol/client';

import { type Era, MODES } from './asking-client.js';

/** A connected client of an era whose user answers every question with `Ann`. */
export async function answeringClient(era: Era, transport: Transport): Promise<Client> {
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const options = { versionNegotiation: { mode: MODES[era] }, capabilities };
  const client = new Client({ name: era, version: '1' }, options);
  client.setRequestHandler('elicitation/create', () => ({
    action: 'accept',
    // FastMCP asks for a member of the second name
    content: { name: 'Ann', value: 'Ann' },
  }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'Ann' },
  }));
  await client.connect(transport);
  return client;
}
