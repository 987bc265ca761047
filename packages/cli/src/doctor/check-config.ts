import { type ConfigProblem, formatProblemForLog, type LoadedConfig, unsetVariables } from '@mcpmux/config';

import { ok, problem, warning, type Finding } from './finding.js';

/** Reports the config's path, its number of servers, and every problem with its position. */
export function checkConfig(config: LoadedConfig): readonly Finding[] {
  const { file, servers, problems, isUsable } = config;
  const count = `${servers.length} ${servers.length === 1 ? 'server' : 'servers'}`;
  const summary = isUsable
    ? ok('config', `${file}, ${count}`)
    : problem('config', `${file} cannot be used`, 'correct the problems below');
  return [summary, ...problems.map(problemFinding)];
}

function problemFinding(found: ConfigProblem): Finding {
  const [variable] = unsetVariables(found.message);
  const next = `set ${variable} where the client starts mcpmux, or give a default: \${${variable}:-...}`;
  const finding = found.severity === 'error' ? problem : warning;
  return finding('config', formatProblemForLog(found), variable && next);
}
