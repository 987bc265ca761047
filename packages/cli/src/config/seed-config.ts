import { existsSync } from 'node:fs';

import { writeAtomically } from '../files/atomic-write.js';
import { withFileLock } from '../files/file-lock.js';

/** The URL of the JSON Schema with which editors validate a config. */
const SCHEMA_URL = 'https://unpkg.com/@mcpmux/cli/schema/mcpmux.schema.json';

/** A config without servers. */
export const EMPTY_CONFIG = `{\n  "$schema": "${SCHEMA_URL}",\n  "mcpServers": {}\n}\n`;

/**
 * Creates a config without servers if the file does not exist.
 *
 * @throws FileLockedError, or a file system error
 */
export async function seedConfig(file: string): Promise<void> {
  if (existsSync(file)) return;
  await withFileLock(file, () => {
    if (!existsSync(file)) writeAtomically(file, EMPTY_CONFIG);
  });
}
