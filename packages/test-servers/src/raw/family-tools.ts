import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { answerText } from './output.js';
import type { Tool } from './raw-server.js';

/** The processes that a fixture has started, and its own. */
export interface Family {
  readonly server: number;
  readonly shell?: number | undefined;
  readonly grandchildren: readonly (number | undefined)[];
}

/** The program of a grandchild; all programs lie in one folder once they are built. */
export function grandchildPath(): string {
  return fileURLToPath(new URL('./grandchild.js', import.meta.url));
}

/** `spawn_info` returns the process ids, `exit` leaves with code 1 and leaves the others behind. */
export function familyTools(family: () => Promise<Family>): Tool[] {
  return [
    {
      name: 'spawn_info',
      call: ({ id }) => void family().then((pids) => answerText(id, JSON.stringify(pids))),
    },
    { name: 'exit', call: () => process.exit(1) },
  ];
}
