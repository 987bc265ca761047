import { definitionCheck } from '../upstream/lists/definition-check.js';

// Tests count the turns of the event loop: none of them is to load a module.
await definitionCheck();
