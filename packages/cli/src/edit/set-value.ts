import { formatPath, formatProblem, readConfig } from '@mcpmux/config';

import { CommandError } from '../terminal/command-error.js';
import type { ConfigPath } from './config-path.js';
import { editedConfigText, type ConfigToEdit } from './write-config.js';

/**
 * Returns the text of a config with one value set, or removed if `value` is undefined.
 *
 * @throws CommandError INVALID_VALUE if the new text has errors that the config did not have before
 */
export function withValueAt(config: ConfigToEdit, path: ConfigPath, value: unknown): string {
  const after = editedConfigText(config.file, config.text, path, value);
  refuseNewErrors(config, after, formatPath(path));
  return after;
}

function refuseNewErrors({ reading, file }: ConfigToEdit, after: string, path: string): void {
  const before = new Set(reading.problems.map(({ path: at, message }) => `${at}\n${message}`));
  const newErrors = readConfig(file, after).problems.filter(
    ({ severity, path: at, message }) => severity === 'error' && !before.has(`${at}\n${message}`),
  );
  if (newErrors.length === 0) return;
  throw new CommandError(
    'INVALID_VALUE',
    `the config cannot have this value at ${path}; nothing was written.`,
    {
      details: newErrors.map(formatProblem),
      next: 'docs/config.md lists the settings; mcpmux config schema prints their JSON Schema',
    },
  );
}
