import type { ViewRule } from './file-view.js';
import type { DomainSettings } from './settings.js';

/** The rights of a program confined by `@anthropic-ai/sandbox-runtime`, which filters domains. */
export interface RuntimeRules {
  readonly view: readonly ViewRule[];
  readonly domains: Required<DomainSettings>;
  /** The path of bubblewrap, which the runtime uses on Linux. Absent on other systems. */
  readonly bwrapPath?: string | undefined;
}

/** The folder of the domain filter's sockets. It must stay visible, because confined programs cannot create sockets. */
const SOCKET_FOLDER = '/tmp';

/** Returns the content of the runtime's settings file. */
export function runtimeSettings({ view, domains, bwrapPath }: RuntimeRules): object {
  const paths = (...sights: readonly ViewRule['sight'][]): readonly string[] =>
    view.filter(({ sight }) => sights.includes(sight)).map(({ path }) => path);
  return {
    network: domains,
    filesystem: {
      denyRead: [...paths('hidden'), ...paths('empty').filter((path) => path !== SOCKET_FOLDER)],
      allowRead: paths('read-only', 'writable'),
      allowWrite: paths('writable'),
      denyWrite: paths('read-only', 'hidden'),
    },
    ...(bwrapPath !== undefined && { bwrapPath }),
  };
}

/** The prefix under which a program's environment variables pass through the runtime. */
const VARIABLE_PREFIX = 'MCPMUX_SANDBOXED_';
const SHELL_VARIABLE_NAME = /^[A-Za-z_]\w*$/;

/** The command and environment with which the runtime starts a program. */
export interface WrappedProgram {
  /** The runtime's environment. The program's variables are renamed in it, so that the runtime does not use them. */
  readonly environment: NodeJS.ProcessEnv;
  /** The command to run in the sandbox, which restores the variables and starts the program. */
  readonly command: readonly string[];
}

/**
 * Returns the command and the environment that pass a program's own environment through the runtime, which is a Node.js
 * program outside the sandbox. Otherwise, the server could choose what the runtime runs, with variables such as
 * `NODE_OPTIONS` or `PATH`. The values of variables do not appear in the arguments.
 */
export function wrapProgram(
  program: { readonly command: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  runtimeVariables: NodeJS.ProcessEnv,
): WrappedProgram {
  const variables = Object.entries(program.env).filter(
    (entry): entry is [string, string] => SHELL_VARIABLE_NAME.test(entry[0]) && entry[1] !== undefined,
  );
  const environment: NodeJS.ProcessEnv = { ...runtimeVariables };
  const restored = variables.map(([name, value], index) => {
    environment[`${VARIABLE_PREFIX}${index}`] = value;
    return `export ${name}="$${VARIABLE_PREFIX}${index}"; unset ${VARIABLE_PREFIX}${index}`;
  });
  const script = [...restored, 'exec "$@"'].join('\n');
  return { environment, command: ['/bin/sh', '-c', script, 'sh', program.command, ...program.args] };
}
