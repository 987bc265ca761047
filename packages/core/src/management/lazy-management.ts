import type { OwnToolHandler } from '../downstream/own-tool-handler.js';
import type { ManagementComponents } from './management.js';

/** The management tools, loaded on their first call: listing tools and forwarding calls need neither them nor zod. */
export function lazyManagement(
  has: (name: string) => boolean,
  components: () => ManagementComponents,
): OwnToolHandler {
  return {
    has,
    call: async (name, args, context) => {
      const { Management } = await import('./management.js');
      return new Management(components()).call(name, args, context);
    },
  };
}
