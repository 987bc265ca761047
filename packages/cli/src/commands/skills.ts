import { resolve } from 'node:path';

import { ExitCode } from '../base/exit-code.js';
import { requireFolder } from '../edit/entry/skills-entry.js';
import type { Action, CommonFlags } from '../terminal/command-context.js';
import { usageError } from '../terminal/command-error.js';

/** Runs an MCP server that serves a folder of skills. Writes only MCP messages to stdout. */
export const skills: Action<CommonFlags> = async ({ cwd }, [name = ''], { json }) => {
  if (json === true) throw usageError('skills has no --json: its stdout belongs to the client.');
  const folder = requireFolder(resolve(cwd, name));
  // The import is dynamic so that only this command loads the MCP SDK.
  const { serveSkills } = await import('../skills/serve-skills.js');
  await serveSkills(folder);
  return ExitCode.Ok;
};
