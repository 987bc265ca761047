import { legacyServerDialect } from '../server/dialect/legacy/server-dialect.js';

/** The dialect that the servers of tests speak. */
export const DIALECT = legacyServerDialect();
