import type { ViewRule } from './file-view.js';
import type { DomainSettings } from './settings.js';

/** The rules of a program under `@anthropic-ai/sandbox-runtime`, which filters domains. */
export interface RuntimeRules {
  readonly view: readonly ViewRule[];
  readonly domains: Required<DomainSettings>;
  /** The program that the runtime uses on Linux; absent elsewhere. */
  readonly bwrapPath?: string | undefined;
}

/** The runtime reaches its filter of domains by sockets there. It lets a program make no sockets of its own. */
const SOCKETS_OF_RUNTIME = '/tmp';

/** Returns the settings file of the runtime, as an object. */
export function runtimeSettings({ view, domains, bwrapPath }: RuntimeRules): object {
  const paths = (...sights: readonly ViewRule['sight'][]): readonly string[] =>
    view.filter(({ sight }) => sights.includes(sight)).map(({ path }) => path);
  return {
    network: domains,
    filesystem: {
      denyRead: [...paths('hidden'), ...paths('empty').filter((path) => path !== SOCKETS_OF_RUNTIME)],
      allowRead: paths('read-only', 'writable'),
      allowWrite: paths('writable'),
      denyWrite: paths('read-only', 'hidden'),
    },
    ...(bwrapPath !== undefined && { bwrapPath }),
  };
}

/** The prefix of variables that carry the environment of a program past the runtime. */
const CARRIER = 'MCPMUX_SANDBOXED_';
const SHELL_NAME = /^[A-Za-z_]\w*$/;

/** How a program gets its environment inside the runtime. */
export interface Carried {
  /** The variables for the runtime. Names and values of the program's own variables do not reach the runtime itself. */
  readonly environment: NodeJS.ProcessEnv;
  /** The command to run in the sandbox. It restores the variables, and starts the program. */
  readonly command: readonly string[];
}

/**
 * Carries the environment of a program past the runtime, which is a Node.js program outside the sandbox: variables such
 * as `NODE_OPTIONS` or `PATH` would let the server choose what runs there. Values do not appear in the arguments.
 */
export function carried(
  program: { readonly command: string; readonly args: readonly string[]; readonly env: NodeJS.ProcessEnv },
  own: NodeJS.ProcessEnv,
): Carried {
  const variables = Object.entries(program.env).filter(
    (entry): entry is [string, string] => SHELL_NAME.test(entry[0]) && entry[1] !== undefined,
  );
  const environment: NodeJS.ProcessEnv = { ...own };
  const restored = variables.map(([name, value], index) => {
    environment[`${CARRIER}${index}`] = value;
    return `export ${name}="$${CARRIER}${index}"; unset ${CARRIER}${index}`;
  });
  const script = [...restored, 'exec "$@"'].join('\n');
  return { environment, command: ['/bin/sh', '-c', script, 'sh', program.command, ...program.args] };
}
