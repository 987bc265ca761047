import { defined, isObject, type JsonObject } from '../json/json-object.js';
import type { Dialect, Exported } from './dialect.js';

const UNCONFINED =
  'this client has no sandbox for servers: the server will run with all your rights, files and network';
const WHOLE_NETWORK =
  'VS Code has only lists of domains: name those that the server needs, or it has no network';

/**
 * Returns a dialect whose exported entries have the sandbox of an entry in the client's form, or a note that the client
 * has none.
 */
export function withSandboxKeys(dialect: Dialect, hasSandbox: boolean): Dialect {
  return {
    toMux: (entry) => dialect.toMux(entry),
    fromMux: (entry) => {
      const { sandbox: own, sandboxEnabled, ...others } = entry;
      const sandbox = own ?? (isObject(entry['mux']) ? entry['mux']['sandbox'] : undefined);
      // An unchanged entry keeps the order of its keys.
      if ((sandbox === undefined && sandboxEnabled === undefined) || (hasSandbox && isOfVsCode(entry)))
        return dialect.fromMux(entry);
      const isConfined = sandboxEnabled ?? (sandbox !== false && sandbox !== 'off');
      const exported = dialect.fromMux(others);
      if (!hasSandbox) return noted(exported, isConfined === true ? UNCONFINED : undefined);
      const keys = ofVsCode(sandbox, isConfined === true);
      const isWhole = isObject(sandbox) && sandbox['network'] === true;
      const entryWithKeys = { ...exported, entry: { ...exported.entry, ...keys } };
      return noted(entryWithKeys, isWhole ? WHOLE_NETWORK : undefined);
    },
  };
}

function isOfVsCode({ sandbox = {}, sandboxEnabled }: JsonObject): boolean {
  if (typeof sandboxEnabled !== 'boolean' || !isObject(sandbox)) return false;
  const { filesystem, network } = sandbox;
  return typeof network !== 'boolean' && !(isObject(filesystem) && 'allowRead' in filesystem);
}

function noted({ entry, notes }: Exported, note: string | undefined): Exported {
  return { entry, notes: note === undefined ? notes : [...notes, note] };
}

/** Returns the keys of VS Code, which has no short forms, and no reads that it allows. */
function ofVsCode(sandbox: unknown, sandboxEnabled: boolean): JsonObject {
  if (!isObject(sandbox)) return { sandboxEnabled };
  const { filesystem, network } = sandbox;
  const { allowRead: _ours, ...files } = isObject(filesystem) ? filesystem : {};
  return {
    sandboxEnabled,
    sandbox: defined({
      filesystem: filesystem === undefined ? undefined : files,
      network: typeof network === 'boolean' ? undefined : network,
    }),
  };
}
