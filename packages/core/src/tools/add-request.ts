import { MuxError, quote } from '@mcpmux/kit';
import type { Addition } from '../server/registry/addition.js';
import { commandForQuestion, redactCommand } from '../server/config/redact-command.js';
import type { Layer } from '../server/config/layer.js';
import { isRemote, type ServerConfig } from '../server/config/server-config.js';
import {
  configToRegister,
  admit,
  refusalText,
  type Admission,
  type RequestedServer,
} from './policy/add-gate.js';
import { commandLine } from './journal/audit.js';
import { NO_STORE_REASON, NOT_SHARED_REASON, ONE_WINDOW_REASON } from './context/server-store.js';
import type { ToolContext } from './context/tool-context.js';

const NO_SESSION_REASON =
  'here a server that a client adds belongs to the session of that client, and this request has none. Connect with a ' +
  'revision with sessions, and call add_server there.';

/** The maximum total size of an agent's request: its arguments and variables, or its URL and headers. */
export const MAX_REQUESTED_BYTES = 64 * 1024;

/**
 * Registers and starts a server that an agent requests, if the policy permits it. If the user's decision is not needed,
 * registers the server synchronously, so that later calls find it.
 *
 * @throws NamespaceError or MuxError as {@link Registry.add} does, INVALID_CONFIG for a request that is too large or
 *   has an invalid variable name, REFUSED by the policy, CANCELLED if the call ends before the user has answered
 */
export function addRequestedServer(
  request: Omit<RequestedServer, 'commandForUser'> & { readonly isForAll?: boolean },
  context: ToolContext,
): Addition | Promise<Addition> {
  const { name, config, isPersisted } = request;
  const { addPolicy, environment, audit, client } = context;
  const { session, layers, view, principal } = client;
  const registry = request.isForAll === true ? layers.own.shared : layers.addRegistry;
  const nameOptions = { actorRegistry: layers.own, sees: view.sees };
  checkValues(config);
  checkVariableNames(config);
  const auditRefusal = (outcome: 'refused' | 'failed', rule: string): void => {
    const command = commandLine(redactCommand(config, environment));
    audit({ action: 'add', server: name, command, outcome, rule, session });
  };
  const runAudited = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      auditRefusal('failed', 'registry');
      throw error;
    }
  };
  const problem = isPersisted ? persistenceProblem(context, registry) : sessionProblem(client);
  if (problem !== undefined) {
    auditRefusal('refused', problem.rule);
    throw refusal(name, `Server ${quote(name)} was not added: ${problem.reason}`);
  }
  const conclude = (admission: Admission): Addition => {
    const { rule } = admission;
    if (admission.kind === 'allow')
      return runAudited(() =>
        registry.add(name, configToRegister(config, rule), {
          by: { rule, session },
          addedBy: principal.id,
          ...nameOptions,
        }),
      );
    auditRefusal('refused', rule);
    throw refusal(name, refusalText(name, admission));
  };
  // The name is checked first, so that the user is not asked about a name that is invalid or already in use.
  runAudited(() => registry.checkName(name, nameOptions));
  const fullRequest = { ...request, commandForUser: () => commandForQuestion(config, environment) };
  const admission = admit(addPolicy, fullRequest, context);
  if (!(admission instanceof Promise)) return conclude(admission);
  return admission.then(conclude, (error: unknown) => {
    auditRefusal('failed', 'cancelled');
    throw error;
  });
}

/**
 * Returns the reason why a server cannot be saved, or undefined if it can. Only shared servers can be saved, because
 * every client sees a saved server after the next start.
 */
function persistenceProblem(
  { store, hasWindows }: ToolContext,
  layer: Layer,
): { readonly rule: string; readonly reason: string } | undefined {
  if (store === undefined) return { rule: 'no store', reason: NO_STORE_REASON };
  if (layer.isShared) return undefined;
  return { rule: 'not shared', reason: hasWindows === true ? ONE_WINDOW_REASON : NOT_SHARED_REASON };
}

/**
 * Returns the reason why a caller cannot add a server for itself, or undefined if it can. Without a session, the server
 * would end with the request.
 */
function sessionProblem({
  isPersistent,
  layers,
}: ToolContext['client']): { readonly rule: string; readonly reason: string } | undefined {
  if (isPersistent || layers.isolated !== true) return undefined;
  return { rule: 'no session', reason: NO_SESSION_REASON };
}

/**
 * Limits the size, because every argument is searched for every value of `env`. Rejects `${cmd:…}`, because only values
 * in the user's config may run a command.
 */
function checkValues(config: ServerConfig): void {
  const [what, texts] = isRemote(config)
    ? ['url and headers', [config.url, ...Object.entries(config.headers ?? {}).flat()]]
    : ['args and env', [...(config.args ?? []), ...Object.entries(config.env ?? {}).flat()]];
  if (texts.join('\n').includes('${cmd:'))
    throw new MuxError(
      'INVALID_CONFIG',
      `${what} have \${cmd:...}, and add_server runs no command for a value. Ask the user to write the server into the ` +
        'config of mcpmux.',
    );
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes <= MAX_REQUESTED_BYTES) return;
  const advice = isRemote(config) ? '' : ' Put large values into a file.';
  throw new MuxError(
    'INVALID_CONFIG',
    `${what} have ${bytes} bytes together; add_server accepts at most ${MAX_REQUESTED_BYTES}.${advice}`,
  );
}

/** Rejects invalid variable names. The operating system would end a name at its first `=`. */
function checkVariableNames({
  env = {},
}: ServerConfig & { readonly env?: Readonly<Record<string, string>> }): void {
  const badName = Object.keys(env).find((name) => name === '' || name.includes('='));
  if (badName === undefined) return;
  throw new MuxError(
    'INVALID_CONFIG',
    `env: ${JSON.stringify(badName)} is not a valid name of an environment variable.`,
  );
}

function refusal(server: string, message: string): MuxError {
  return new MuxError('REFUSED', message, { data: { server } });
}
