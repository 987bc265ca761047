import { loadDefinitionCheck } from '../server/lists/listing.js';

// Tests count the turns of the event loop: none of them is to load a module.
await loadDefinitionCheck();
