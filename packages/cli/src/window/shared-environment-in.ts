// This module exists so that the relay's bundle contains only this function. A dynamic import of `@mcpmux/config` would
// bundle the whole package.
export { sharedEnvironmentIn } from '@mcpmux/config';
