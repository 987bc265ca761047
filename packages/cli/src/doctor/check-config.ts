import { formatProblemForLog, type ConfigProblem } from '../config/config-problem.js';
import type { LoadedConfig } from '../config/load-config.js';
import type { Finding } from './finding.js';

const UNSET = /the environment variable (?<name>\w+) is not set/;

/** Where the config is, and every problem in it with its place. */
export function checkConfig(config: LoadedConfig): readonly Finding[] {
  const { file, servers, problems, isUsable } = config;
  const count = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`;
  const summary: Finding = isUsable
    ? { subject: 'config', level: 'ok', message: `${file}, ${count}` }
    : {
        subject: 'config',
        level: 'problem',
        message: `${file} cannot be used`,
        next: 'correct what is told below',
      };
  return [summary, ...problems.map(problemFinding)];
}

function problemFinding(problem: ConfigProblem): Finding {
  const variable = UNSET.exec(problem.message)?.groups?.['name'];
  return {
    subject: 'config',
    level: problem.severity === 'error' ? 'problem' : 'warning',
    message: formatProblemForLog(problem),
    ...(variable !== undefined && {
      next: `set ${variable} where the client starts mcpmux, or give a default: \${${variable}:-...}`,
    }),
  };
}
