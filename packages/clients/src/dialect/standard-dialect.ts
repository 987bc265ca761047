import type { Dialect, Exported, Imported } from './dialect.js';
import { defined, isObject, mapTexts, withValue, type JsonObject } from '../json/json-object.js';
import { hasPlaceholder, inStyle, withBraces, type PlaceholderStyle } from './placeholders.js';
import { remoteKind, remoteUrl, withoutRemote, type RemoteKind } from './remote-kind.js';

/** How a client with entries of `command`, `args`, `env`, `url`, `headers` differs from others. */
export interface StandardTraits {
  /** Key of the address by kind of remote server; undefined where the client knows none such. */
  readonly urlKeys: Readonly<Partial<Record<RemoteKind, readonly string[]>>>;
  /** Values of `type`; the first is written. Empty: it has no such key. */
  readonly types: Readonly<Record<'stdio' | RemoteKind, readonly string[]>>;
  /** Kinds of entries that do not work without `type`. */
  readonly typeNeededBy?: readonly ('local' | 'remote')[];
  /** How it says that a server is off; undefined: it cannot. */
  readonly off?: 'disabled' | 'enabled';
  readonly placeholders: PlaceholderStyle;
  /** It replaces `$VAR` too. */
  readonly hasBareVariables?: boolean;
  /** Added where absent. */
  readonly extra?: JsonObject;
}

/** The dialect of clients whose entries mcpmux takes as they are. */
export function standardDialect(traits: StandardTraits): Dialect {
  return {
    toMux: (entry) => toMux(entry, traits),
    fromMux: (entry) => fromMux(entry, traits),
  };
}

function toMux(entry: JsonObject, { hasBareVariables, urlKeys }: StandardTraits): Imported {
  if (typeof entry['command'] !== 'string' && remoteUrl(entry) === undefined) {
    return { kind: 'unusable', reason: 'it has neither a command nor a url' };
  }
  // Gemini CLI tells SSE by the key alone, where everybody else takes `url` for Streamable HTTP.
  const isBareSse = urlKeys.http?.[0] === 'httpUrl' && entry['type'] === undefined && 'url' in entry;
  const typed = isBareSse && entry['command'] === undefined ? { ...entry, type: 'sse' } : entry;
  const value = hasBareVariables === true ? mapTexts(typed, withBraces) : typed;
  return { kind: 'server', entry: isObject(value) ? value : entry };
}

function fromMux(source: JsonObject, traits: StandardTraits): Exported {
  const entry = withValue(source, ['mux'], undefined);
  const notes: string[] = [];
  const located = remoteUrl(entry) === undefined ? local(entry, traits) : remote(entry, traits, notes);
  const switched = switchedOff(located, traits, notes);
  const value = mapTexts(switched, (text) => inStyle(text, traits.placeholders));
  if (traits.placeholders === 'none' && hasPlaceholder(JSON.stringify(entry))) {
    notes.push('this client replaces no ${...}: write the values themselves');
  }
  return { entry: { ...traits.extra, ...(isObject(value) ? value : switched) }, notes };
}

function local(entry: JsonObject, { types, typeNeededBy }: StandardTraits): JsonObject {
  const { type, ...rest } = entry;
  const [preferred] = types.stdio;
  if (preferred === undefined) return rest;
  if (typeof type === 'string' && types.stdio.includes(type)) return entry;
  return type === undefined && typeNeededBy?.includes('local') !== true ? rest : { type: preferred, ...rest };
}

function remote(entry: JsonObject, traits: StandardTraits, notes: string[]): JsonObject {
  const kind = remoteKind(entry);
  const keys = traits.urlKeys[kind] ?? [];
  const [preferredKey] = keys;
  if (preferredKey === undefined) {
    notes.push('this client has no remote servers in its file: it will not use this one');
    return entry;
  }
  const { type } = entry;
  const key = keys.find((name) => typeof entry[name] === 'string') ?? preferredKey;
  const [preferredType] = traits.types[kind];
  const isKnownType = typeof type === 'string' && traits.types[kind].includes(type);
  const written = isKnownType ? type : preferredType;
  const isSaid = type !== undefined || traits.typeNeededBy?.includes('remote') === true;
  // In the order that it had, when nothing changes.
  if (entry[key] !== undefined && written === type) return entry;
  return defined({ type: isSaid ? written : undefined, [key]: remoteUrl(entry), ...withoutRemote(entry) });
}

function switchedOff(entry: JsonObject, { off }: StandardTraits, notes: string[]): JsonObject {
  const { disabled, enabled, ...rest } = entry;
  const isOff = disabled === true || enabled === false;
  if (disabled === undefined && enabled === undefined) return entry;
  if (off === 'disabled') return enabled === undefined ? entry : { ...rest, disabled: isOff };
  if (off === 'enabled') return disabled === undefined ? entry : { ...rest, enabled: !isOff };
  if (isOff) notes.push('this client cannot switch a server off: it will start it');
  return rest;
}
