import process from 'node:process';

import { loadConfig, type LoadedConfig } from '@mcpmux/config';
import type { ConfigLocation } from '@mcpmux/config/find';

import { completeEnvironment, missingVariables } from '../config/missing-variables.js';
import { unmatchedFiltersInConfig } from '../config/unmatched-filters.js';
import { checkClients } from '../doctor/check-clients.js';
import { checkConfig } from '../doctor/check-config.js';
import { checkEnvironment } from '../doctor/check-environment.js';
import type { VariableCheck } from '../doctor/check-passed.js';
import { checkSandbox } from '../doctor/check-sandbox.js';
import { checkServer } from '../doctor/check-server.js';
import { ok, warning, type Finding } from '../doctor/finding.js';
import { ExitCode } from '../base/exit-code.js';
import type { Announcement } from '../live/announcement.js';
import { liveServers } from '../live/live-servers.js';
import { wrapText } from '../terminal/columns.js';
import { printResult, type CommandContext, type Action } from '../terminal/command-context.js';
import { withSpinner } from '../terminal/spinner.js';
import { configServers, configTextOf, configToRead } from '../config/config-choice.js';
import { checkReachability, checkConfigAndClock } from './doctor-surroundings.js';
import type { ListFlags } from './list.js';
import { restrictToProfile, requireServer } from './load-servers.js';

/** Checks the whole setup, or only one server and what it needs. Prints each problem with the next step to fix it. */
export const doctor: Action<ListFlags> = async (context, [name], flags) => {
  const findings = [...checkEnvironment(process.versions.node, context.environment)];
  const location = configToRead(context, flags);
  if (location === undefined) {
    findings.push(warning('config', 'there is no config file', 'mcpmux init'));
  } else {
    const wholeConfig = loadConfig(location, context);
    const config = wholeConfig.isUsable ? restrictToProfile(context, wholeConfig, flags) : wholeConfig;
    if (name !== undefined) requireServer(config, name);
    findings.push(...checkConfig(name === undefined ? config : withServerProblemsOnly(config, name)));
    if (config.isUsable) {
      findings.push(...(await checkConfinedServers(config, name)));
      const { serverFindings, tools } = await checkServers(context, config, name, flags);
      findings.push(...serverFindings);
      const { reading, valueOf } = configServers(location, configTextOf(location));
      const servers = reading.entries.map((entry) => [entry.name, valueOf(entry.path)] as const);
      if (name === undefined) {
        findings.push(...checkConfigAndClock(context, location, servers), ...(await checkReachability()));
      }
      const variableCheck = variableCheckFor(context, location, name);
      findings.push(
        ...(await checkClients({ places: context, servers, tools, variableCheck, onlyServer: name })),
      );
    }
  }
  printResult(context, { findings }, findingsText(context, findings));
  return exitCodeOf(findings);
};

/** Returns the input for checking the environment variables that the whole config or only one server uses. */
function variableCheckFor(
  context: CommandContext,
  location: ConfigLocation,
  name: string | undefined,
): VariableCheck {
  return {
    platform: context.platform,
    environment: completeEnvironment(location, context),
    missingVariablesIn: (environment) => missingVariables(location, { ...context, environment }, name),
  };
}

/** If the config has confined servers, tests the sandbox on this machine. */
async function checkConfinedServers(
  { servers, file }: LoadedConfig,
  onlyName: string | undefined,
): Promise<readonly Finding[]> {
  const confined = servers.filter(
    (server) =>
      server.status === 'ready' && server.config.url === undefined && server.config.sandbox !== undefined,
  );
  const names = confined
    .map(({ name }) => name)
    .filter((name) => onlyName === undefined || name === onlyName);
  if (names.length === 0) return [];
  const { serverSandbox } = await import('../live/server-sandbox.js');
  return checkSandbox(await serverSandbox(file).probed(), names);
}

async function checkServers(
  context: CommandContext,
  config: LoadedConfig,
  name: string | undefined,
  flags: ListFlags,
): Promise<{ readonly serverFindings: readonly Finding[]; readonly tools: readonly string[] }> {
  const only = name === undefined ? undefined : [name];
  const starting = liveServers(config, { ...flags, environment: context.environment, only });
  await using live = await withSpinner(context, 'starting servers', starting);
  const tools = live.states.flatMap((state) => state.tools);
  const instance = checkInstance(live.instance);
  const check = { startedCount: live.outcomes.length, isServed: live.instance !== undefined };
  const servers = live.outcomes.flatMap((outcome) => checkServer(outcome, check));
  const unmatched = unmatchedFiltersInConfig(config, context)
    .filter((item) => name === undefined || item.name === name)
    .map((item) => warning(item.name, item.message, 'mcpmux tools shows the names; correct the config'));
  return { serverFindings: [...instance, ...servers, ...unmatched], tools };
}

function checkInstance(instance: Announcement | undefined): readonly Finding[] {
  if (instance === undefined) return [];
  const message = `pid ${instance.pid} serves this config; the findings below are about its servers`;
  return [ok('running', message)];
}

/** Removes the problems that concern neither the named server nor the whole file. */
function withServerProblemsOnly(config: LoadedConfig, name: string): LoadedConfig {
  const ownProblems = config.problems.filter(({ path }) => path === '' || path.includes(name));
  return { ...config, problems: ownProblems };
}

function exitCodeOf(findings: readonly Finding[]): number {
  const problems = findings.filter(({ level }) => level === 'problem');
  if (problems.length === 0) return ExitCode.Ok;
  return problems.some(({ subject }) => subject === 'config') ? ExitCode.Usage : ExitCode.Unreachable;
}

function findingsText({ streams }: CommandContext, findings: readonly Finding[]): string {
  const { outColours, columns } = streams;
  const { green, yellow, red, bold, dim } = outColours;
  const marks = { ok: green('✔'), note: dim('○'), warning: yellow('!'), problem: red('✖') };
  const width = Math.max(...findings.map(({ subject }) => subject.length));
  const indent = ' '.repeat(width + 4);
  const wrap = (text: string): readonly string[] => wrapText(text, columns - indent.length);
  return findings
    .flatMap(({ subject, level, message, next }) => {
      const [first = '', ...rest] = message.split('\n');
      const [begin = '', ...more] = wrap(first);
      return [
        `${marks[level]} ${bold(subject)}${' '.repeat(width - subject.length)}  ${begin}`,
        ...more.map((line) => indent + line),
        ...rest.flatMap(wrap).map((line) => indent + dim(line)),
        ...(next === undefined ? [] : wrap(`Next: ${next}`).map((line) => indent + line)),
      ];
    })
    .join('\n');
}
