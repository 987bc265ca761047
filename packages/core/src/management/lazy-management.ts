import type { OwnToolHandler } from '../downstream/own-tool-handler.js';
import type { ManagementComponents } from './management.js';
import { isOwnToolName } from './tool-definitions.js';

/** The management tools, loaded on their first call: listing tools and forwarding calls need neither them nor zod. */
export function lazyManagement(components: () => ManagementComponents): OwnToolHandler {
  return {
    has: isOwnToolName,
    call: async (name, args, context) => {
      const { Management } = await import('./management.js');
      return new Management(components()).call(name, args, context);
    },
  };
}
