import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { answerText } from './output.js';
import type { Tool } from './raw-server.js';

/** The process ids of a fixture and of the processes it has started. */
export interface FamilyPids {
  readonly server: number;
  readonly shell?: number | undefined;
  readonly grandchildren: readonly (number | undefined)[];
}

/** Returns the path of the grandchild program. All built programs are in the same folder. */
export function grandchildPath(): string {
  return fileURLToPath(new URL('./grandchild.js', import.meta.url));
}

/**
 * Returns two tools: `spawn_info` returns the process ids, and `exit` exits with code 1 while the children keep
 * running.
 */
export function familyTools(family: () => Promise<FamilyPids>): Tool[] {
  return [
    {
      name: 'spawn_info',
      call: ({ id }) => void family().then((pids) => answerText(id, JSON.stringify(pids))),
    },
    { name: 'exit', call: () => process.exit(1) },
  ];
}
