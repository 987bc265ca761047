import type { Dialect, Exported, Imported } from './dialect.js';
import { defined, mapEntry, withValue, type JsonObject } from '../json/json-object.js';
import { hasPlaceholder, withPlaceholderStyle, withBraces, type PlaceholderStyle } from './placeholders.js';
import { remoteKind, remoteUrl, withoutRemote, type RemoteKind } from './remote-kind.js';

/** The traits that differ between clients whose entries have `command`, `args`, `env`, `url` and `headers`. */
export interface StandardTraits {
  /** The URL keys for each transport, the preferred one first. Absent for an unsupported transport. */
  readonly urlKeys: Readonly<Partial<Record<RemoteKind, readonly string[]>>>;
  /** The accepted values of `type`, the preferred one first. Empty if the client has no `type` key. */
  readonly types: Readonly<Record<'stdio' | RemoteKind, readonly string[]>>;
  /** The kinds of servers whose entries the client rejects if `type` is missing. */
  readonly typeRequiredFor?: readonly ('local' | 'remote')[];
  /** The key that enables or disables a server. Undefined if the client has no such key. */
  readonly stateKey?: 'disabled' | 'enabled';
  readonly placeholderStyle: PlaceholderStyle;
  /** True if the client replaces `$VAR` as well as `${VAR}`. */
  readonly hasBareVariables?: boolean;
  /** Default values for keys that are missing from an exported entry. */
  readonly defaultEntries?: JsonObject;
}

/** Returns a dialect for a client whose entries have the same keys as mcpmux's own format. */
export function standardDialect(traits: StandardTraits): Dialect {
  return {
    toMux: (entry) => toMux(entry, traits),
    fromMux: (entry) => fromMux(entry, traits),
  };
}

function toMux(entry: JsonObject, { hasBareVariables, urlKeys }: StandardTraits): Imported {
  if (typeof entry['command'] !== 'string' && remoteUrl(entry) === undefined) {
    return { kind: 'unusable', reason: 'the entry has neither a command nor a url' };
  }
  // In Gemini CLI, `url` without `type` means SSE. In all other clients, it means Streamable HTTP.
  const isBareSse = urlKeys.http?.[0] === 'httpUrl' && entry['type'] === undefined && 'url' in entry;
  const typed = isBareSse && entry['command'] === undefined ? { ...entry, type: 'sse' } : entry;
  return { kind: 'server', entry: hasBareVariables === true ? mapEntry(typed, withBraces) : typed };
}

function fromMux(source: JsonObject, traits: StandardTraits): Exported {
  const entry = withValue(source, ['mux'], undefined);
  const notes: string[] = [];
  const located =
    remoteUrl(entry) === undefined ? withLocalType(entry, traits) : withRemoteKeys(entry, traits, notes);
  const switched = withDisabledState(located, traits, notes);
  const styled = mapEntry(switched, (text) => withPlaceholderStyle(text, traits.placeholderStyle));
  if (traits.placeholderStyle === 'none' && hasPlaceholder(JSON.stringify(entry))) {
    notes.push('this client does not replace ${...}: write the values instead');
  }
  return { entry: { ...traits.defaultEntries, ...styled }, notes };
}

function withLocalType(entry: JsonObject, { types, typeRequiredFor }: StandardTraits): JsonObject {
  const { type, ...rest } = entry;
  const [preferred] = types.stdio;
  if (preferred === undefined) return rest;
  if (typeof type === 'string' && types.stdio.includes(type)) return entry;
  return type === undefined && typeRequiredFor?.includes('local') !== true
    ? rest
    : { type: preferred, ...rest };
}

function withRemoteKeys(entry: JsonObject, traits: StandardTraits, notes: string[]): JsonObject {
  const kind = remoteKind(entry);
  const keys = traits.urlKeys[kind] ?? [];
  const [preferredKey] = keys;
  if (preferredKey === undefined) {
    notes.push('this client supports no remote servers in its file: it will ignore this server');
    return entry;
  }
  const { type } = entry;
  const key = keys.find((name) => typeof entry[name] === 'string') ?? preferredKey;
  const [preferredType] = traits.types[kind];
  const isKnownType = typeof type === 'string' && traits.types[kind].includes(type);
  const written = isKnownType ? type : preferredType;
  const needsType = type !== undefined || traits.typeRequiredFor?.includes('remote') === true;
  // Do not rebuild an entry that needs no change, because that would reorder its keys.
  if (entry[key] !== undefined && written === type) return entry;
  return defined({ type: needsType ? written : undefined, [key]: remoteUrl(entry), ...withoutRemote(entry) });
}

function withDisabledState(entry: JsonObject, { stateKey }: StandardTraits, notes: string[]): JsonObject {
  const { disabled, enabled, ...rest } = entry;
  const isOff = disabled === true || enabled === false;
  if (disabled === undefined && enabled === undefined) return entry;
  if (stateKey === 'disabled') return enabled === undefined ? entry : { ...rest, disabled: isOff };
  if (stateKey === 'enabled') return disabled === undefined ? entry : { ...rest, enabled: !isOff };
  if (isOff) notes.push('this client cannot switch a server off: it will start this server');
  return rest;
}
