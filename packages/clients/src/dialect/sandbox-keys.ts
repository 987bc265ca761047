import { defined, isObject, type JsonObject } from '../json/json-object.js';
import type { Dialect, Exported } from './dialect.js';

const UNCONFINED_NOTE =
  'this client has no sandbox for servers: the server will run with all your rights, files and network';
const FOLLOW_NOTE = 'VS Code has no "follow": the server will have the sandbox of its entry in each call';
const WHOLE_NETWORK_NOTE =
  'VS Code has only lists of domains: name those that the server needs, or it has no network';

/** Returns a dialect that exports the sandbox in VS Code's format, or adds a note if the client has no sandbox. */
export function withSandboxKeys(dialect: Dialect, hasSandbox: boolean): Dialect {
  return {
    toMux: (entry) => dialect.toMux(entry),
    fromMux: (entry) => {
      const { sandbox: own, sandboxEnabled, ...others } = entry;
      const sandbox = own ?? (isObject(entry['mux']) ? entry['mux']['sandbox'] : undefined);
      // Do not rebuild an entry that is already valid, because that would reorder its keys.
      if ((sandbox === undefined && sandboxEnabled === undefined) || (hasSandbox && isValidInVsCode(entry)))
        return dialect.fromMux(entry);
      const isConfined = sandboxEnabled ?? (sandbox !== false && sandbox !== 'off');
      const exported = dialect.fromMux(others);
      if (!hasSandbox) return withNote(exported, isConfined === true ? UNCONFINED_NOTE : undefined);
      const sandboxKeys = vsCodeKeys(sandbox, isConfined === true);
      const { network, follow } = isObject(sandbox) ? sandbox : {};
      const exportedWithKeys = { ...exported, entry: { ...exported.entry, ...sandboxKeys } };
      const exportedWithFollowNote = withNote(
        exportedWithKeys,
        follow === undefined ? undefined : FOLLOW_NOTE,
      );
      return withNote(exportedWithFollowNote, network === true ? WHOLE_NETWORK_NOTE : undefined);
    },
  };
}

function isValidInVsCode({ sandbox = {}, sandboxEnabled }: JsonObject): boolean {
  if (typeof sandboxEnabled !== 'boolean' || !isObject(sandbox)) return false;
  const { filesystem, network, follow } = sandbox;
  if (follow !== undefined) return false;
  return typeof network !== 'boolean' && !(isObject(filesystem) && 'allowRead' in filesystem);
}

function withNote({ entry, notes }: Exported, note: string | undefined): Exported {
  return { entry, notes: note === undefined ? notes : [...notes, note] };
}

/**
 * Converts the sandbox to VS Code's keys. Drops `allowRead` and a boolean `network`, which VS Code does not support.
 */
function vsCodeKeys(sandbox: unknown, sandboxEnabled: boolean): JsonObject {
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
