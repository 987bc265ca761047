import { isSecretName } from '@mcpmux/core';
import { isObject, type ClientFile, type ClientServer, type JsonObject } from '@mcpmux/clients';

import { printNote, type CommandContext } from '../../terminal/command-context.js';
import type { ImportStep } from './import-plan.js';
import { accepts } from '../../terminal/consent.js';

/** The longest entry that the command shows to a person, in characters. No person checks a longer entry. */
const MAX_ASKED_ENTRY = 4000;
/** Matches a value that can only be a secret, and not a path or a program for a shell. */
const TOKEN = /^[\w+=-]+$/;

/** A server of a folder that `import` could add. */
export interface FolderServer {
  readonly source: ClientFile;
  readonly server: ClientServer;
  readonly step: ImportStep;
}

/** Asks for each server of a folder whether it may run. */
export async function confirmServers(
  context: CommandContext,
  servers: readonly FolderServer[],
): Promise<ReadonlySet<ClientServer>> {
  const confirmed = new Set<ClientServer>();
  for (const { source, server, step } of servers) {
    const shown = shownEntry(step.entry ?? {});
    const place = `${ascii(source.file)} (${source.client.title})`;
    printNote(
      context,
      `Server ${ascii(server.name)} belongs to the folder ${ascii(server.folder ?? '')}:\n  ${place}`,
    );
    if (shown.length > MAX_ASKED_ENTRY) {
      printNote(
        context,
        `  its entry has ${shown.length} characters, more than a person can check: it is not taken`,
      );
      continue;
    }
    printNote(context, `  ${shown}`);
    if (await accepts(context, 'Take it, so that mcpmux runs it in every session?')) confirmed.add(server);
  }
  return confirmed;
}

/** Returns the whole entry. Only values that can only be a secret are hidden. */
function shownEntry(entry: JsonObject): string {
  const shown = Object.entries(entry).map(([key, value]) =>
    (key === 'env' || key === 'headers') && isObject(value) ? [key, withoutSecrets(value)] : [key, value],
  );
  return ascii(Object.fromEntries(shown));
}

function withoutSecrets(values: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) =>
      typeof value === 'string' && isSecretName(name) && TOKEN.test(value) ? [name, '***'] : [name, value],
    ),
  );
}

/**
 * Returns JSON with only printable ASCII, and escapes for all other characters. Letters of other scripts may look like
 * the letters of a known program.
 */
function ascii(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
