import { isSecretName } from '@mcpmux/core';
import { isObject, type ClientFile, type ClientServer, type JsonObject } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import type { ImportStep } from './import-plan.js';
import { askYesNo } from '../../terminal/consent.js';

/** The maximum length of an entry to confirm, in characters. A longer entry is too much for a person to check. */
const MAX_ENTRY_LENGTH = 4000;
/** Matches a secret that is safe to redact, because it can be neither a path nor a shell command. */
const TOKEN = /^[\w+=-]+$/;

/** A client's server that belongs to a folder. `import` adds it only after a person confirms it. */
export interface FolderServer {
  readonly source: ClientFile;
  readonly server: ClientServer;
  readonly step: ImportStep;
}

/** Asks a person to confirm each folder's servers one by one, and returns the confirmed servers. */
export async function confirmServers(
  context: CommandContext,
  servers: readonly FolderServer[],
): Promise<ReadonlySet<ClientServer>> {
  const confirmed = new Set<ClientServer>();
  for (const { source, server, step } of servers) {
    const entryText = redactedEntryText(step.entry ?? {});
    const location = `${toAsciiJson(source.file)} (${source.client.title})`;
    printNote(
      context,
      `Server ${toAsciiJson(server.name)} belongs to the folder ${toAsciiJson(server.folder ?? '')}:\n  ${location}`,
    );
    if (entryText.length > MAX_ENTRY_LENGTH) {
      printNote(
        context,
        `  its entry has ${entryText.length} characters, more than a person can check: it is not taken`,
      );
      continue;
    }
    printNote(context, `  ${entryText}`);
    if (await askYesNo(context, 'Take it, so that mcpmux runs it in every session?')) confirmed.add(server);
  }
  return confirmed;
}

/** Formats the whole entry, redacting only secrets that match {@link TOKEN}. */
function redactedEntryText(entry: JsonObject): string {
  const members = Object.entries(entry).map(([key, value]) =>
    (key === 'env' || key === 'headers') && isObject(value) ? [key, redactSecrets(value)] : [key, value],
  );
  return toAsciiJson(Object.fromEntries(members));
}

function redactSecrets(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      typeof value === 'string' && isSecretName(name) && TOKEN.test(value) ? [name, '***'] : [name, value],
    ),
  );
}

/**
 * Returns JSON in printable ASCII, with escapes for all other characters, because letters of other scripts can imitate
 * the name of a known program.
 */
function toAsciiJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
