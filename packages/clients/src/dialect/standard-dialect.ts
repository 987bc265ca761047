import type { Dialect, Exported, Imported } from './dialect.js';
import { defined, mapEntry, withValue, type JsonObject } from '../json/json-object.js';
import { hasPlaceholder, inStyle, withBraces, type PlaceholderStyle } from './placeholders.js';
import { remoteKind, remoteUrl, withoutRemote, type RemoteKind } from './remote-kind.js';

/** The differences between clients whose entries have `command`, `args`, `env`, `url` and `headers`. */
export interface StandardTraits {
  /** The keys of the address, by kind of remote server. Undefined if the client does not support this kind. */
  readonly urlKeys: Readonly<Partial<Record<RemoteKind, readonly string[]>>>;
  /** The values of `type`. mcpmux writes the first value. Empty if the client has no key `type`. */
  readonly types: Readonly<Record<'stdio' | RemoteKind, readonly string[]>>;
  /** The kinds of entries that the client refuses without `type`. */
  readonly typeNeededBy?: readonly ('local' | 'remote')[];
  /** The key that enables or disables a server. Undefined if the client has no such key. */
  readonly off?: 'disabled' | 'enabled';
  readonly placeholders: PlaceholderStyle;
  /** True if the client also replaces `$VAR`. */
  readonly hasBareVariables?: boolean;
  /** Keys that an exported entry gets unless it already has them. */
  readonly extra?: JsonObject;
}

/** Returns the dialect of clients whose entries have the keys of mcpmux's own format. */
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
  // In Gemini CLI the key `url` means SSE. In all other clients it means Streamable HTTP.
  const isBareSse = urlKeys.http?.[0] === 'httpUrl' && entry['type'] === undefined && 'url' in entry;
  const typed = isBareSse && entry['command'] === undefined ? { ...entry, type: 'sse' } : entry;
  return { kind: 'server', entry: hasBareVariables === true ? mapEntry(typed, withBraces) : typed };
}

function fromMux(source: JsonObject, traits: StandardTraits): Exported {
  const entry = withValue(source, ['mux'], undefined);
  const notes: string[] = [];
  const located = remoteUrl(entry) === undefined ? toLocal(entry, traits) : toRemote(entry, traits, notes);
  const switched = withDisabledState(located, traits, notes);
  const styled = mapEntry(switched, (text) => inStyle(text, traits.placeholders));
  if (traits.placeholders === 'none' && hasPlaceholder(JSON.stringify(entry))) {
    notes.push('this client does not replace ${...}: write the values instead');
  }
  return { entry: { ...traits.extra, ...styled }, notes };
}

function toLocal(entry: JsonObject, { types, typeNeededBy }: StandardTraits): JsonObject {
  const { type, ...rest } = entry;
  const [preferred] = types.stdio;
  if (preferred === undefined) return rest;
  if (typeof type === 'string' && types.stdio.includes(type)) return entry;
  return type === undefined && typeNeededBy?.includes('local') !== true ? rest : { type: preferred, ...rest };
}

function toRemote(entry: JsonObject, traits: StandardTraits, notes: string[]): JsonObject {
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
  const needsType = type !== undefined || traits.typeNeededBy?.includes('remote') === true;
  // Return an unchanged entry as it is, to keep the order of its keys.
  if (entry[key] !== undefined && written === type) return entry;
  return defined({ type: needsType ? written : undefined, [key]: remoteUrl(entry), ...withoutRemote(entry) });
}

function withDisabledState(entry: JsonObject, { off }: StandardTraits, notes: string[]): JsonObject {
  const { disabled, enabled, ...rest } = entry;
  const isOff = disabled === true || enabled === false;
  if (disabled === undefined && enabled === undefined) return entry;
  if (off === 'disabled') return enabled === undefined ? entry : { ...rest, disabled: isOff };
  if (off === 'enabled') return disabled === undefined ? entry : { ...rest, enabled: !isOff };
  if (isOff) notes.push('this client cannot switch a server off: it will start this server');
  return rest;
}
