import { createMux, GuardRefusal } from '@mcpmux/core';
import { rateLimit } from '@mcpmux/core/guards';

/** A mux that counts calls, and lets nobody but admins delete. */
export const mux = createMux();
mux.use(rateLimit({ perSecond: 5, burst: 20, by: ['principal', 'server'] }));
mux.use('tools/call', ({ server, tool = '', principal }, next) => {
  if (!tool.startsWith('delete_') || principal.roles.includes('admin')) return next();
  throw new GuardRefusal(`${tool} of ${server} is for admins: nothing was deleted.`, { reason: 'forbidden' });
});
