import type { CallingClient, OwnToolHandler } from '../downstream/caller/own-tool-handler.js';
import type { ManagementComponents } from './management.js';

/**
 * The management tools, loaded on the first call of one: listing tools and forwarding calls need neither them nor zod.
 *
 * @param has whether it is the name of one that this mux offers
 * @param componentsFor what they work with when this client calls
 */
export function lazyManagement(
  has: (name: string) => boolean,
  componentsFor: (client: CallingClient) => ManagementComponents,
): OwnToolHandler {
  return {
    has,
    call: async (name, args, context) => {
      const { Management } = await import('./management.js');
      return new Management(componentsFor(context.client)).call(name, args, context);
    },
  };
}
