import type { CallingClient, OwnToolHandler } from '../downstream/own-tool-handler.js';
import type { ManagementComponents } from './management.js';
import { isOwnToolName } from './tool-definitions.js';

/**
 * The management tools, loaded on the first call of one: listing tools and forwarding calls need neither them nor zod.
 *
 * @param componentsFor what they work with when this client calls
 */
export function lazyManagement(
  componentsFor: (client: CallingClient) => ManagementComponents,
): OwnToolHandler {
  return {
    has: isOwnToolName,
    call: async (name, args, context) => {
      const { Management } = await import('./management.js');
      return new Management(componentsFor(context.client)).call(name, args, context);
    },
  };
}
