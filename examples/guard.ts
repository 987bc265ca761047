// Guards between clients and servers: one changes arguments, one refuses, one records.
// usage: node guard.ts COMMAND ARGUMENT… - a server with the tool `echo`
import process from 'node:process';

import { createMux, GuardRefusal, MuxError, type GuardHandler } from '@mcpmux/core';
import { callAudit, rateLimit } from '@mcpmux/core/guards';

/** Takes card numbers out of the arguments before the server sees them. All other bytes stay as the client sent them. */
const withoutCards: GuardHandler<'tools/call'> = (context, next) => {
  const sent = context.readRaw('arguments')?.toString() ?? '{}';
  const masked = sent.replaceAll(/\b\d{16}\b/g, '[card]');
  return masked === sent ? next() : next({ params: { arguments: Buffer.from(masked) } });
};

/** Only admins delete. The message is for a model. */
const noDeletes: GuardHandler<'tools/call'> = ({ tool = '', params, principal }, next) => {
  const isDelete = tool.startsWith('delete_') || params.arguments?.['message'] === 'delete';
  if (!isDelete || principal.roles.includes('admin')) return next();
  throw new GuardRefusal('Only admins delete. Nothing was deleted.', { reason: 'forbidden' });
};

const [command = '', ...args] = process.argv.slice(2);
await using mux = createMux();
mux.use(callAudit({ sink: ({ server, tool, outcome }) => console.log(`${server}.${tool}: ${outcome}`) }));
mux.use('tools/call', noDeletes);
mux.use('tools/call', withoutCards);
mux.use(rateLimit({ perSecond: 5, burst: 20 }));
await mux.addServer('e', { command, args });

const { content } = await mux.callTool('e__echo', { message: 'pay with 4242424242424242' });
console.log(content[0]?.type === 'text' ? content[0].text : content);
try {
  await mux.callTool('e__echo', { message: 'delete' });
} catch (error) {
  console.log(error instanceof MuxError ? error.message : error);
}
