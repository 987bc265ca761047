import { keyPaths } from '../wire/key-paths.js';

/** What of a client's messages mcpmux reads, below `params`. */
export const CLIENT_PATHS = keyPaths(['name', 'cursor', 'requestId', '_meta.progressToken']);
