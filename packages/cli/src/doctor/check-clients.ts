import {
  clientPath,
  clientServers,
  isInstalled,
  openClientFile,
  type ClientServer,
} from '../clients/client-file.js';
import { CLIENTS } from '../clients/client-list.js';
import type { Client, ClientPlaces } from '../clients/client.js';
import type { JsonObject } from '../clients/json-object.js';
import { endpointOf, isOwn } from '../clients/own-entry.js';
import { CommandError } from '../terminal/command-error.js';
import type { Finding } from './finding.js';

/** How many tools a client takes, as its makers or its users say. */
const TOOL_LIMITS: Readonly<Partial<Record<Client['id'], number>>> = {
  vscode: 128,
  windsurf: 100,
  cursor: 80,
};

/** What is compared with the files of clients. */
export interface ClientCheck {
  readonly places: ClientPlaces;
  /** The servers of the config, as written. */
  readonly servers: readonly (readonly [name: string, entry: JsonObject])[];
  readonly toolCount: number;
}

/** Which clients have mcpmux, and what would be there twice or be too much for them. */
export async function checkClients(check: ClientCheck): Promise<readonly Finding[]> {
  const installed = CLIENTS.filter((client) => isInstalled(client, check.places));
  const findings = await Promise.all(installed.map((client) => checkClient(client, check)));
  const all = findings.flat();
  if (all.some(({ message }) => message.startsWith('has mcpmux'))) return all;
  return [
    ...all,
    { subject: 'clients', level: 'warning', message: 'none has mcpmux', next: 'mcpmux install' },
  ];
}

async function checkClient(client: Client, check: ClientCheck): Promise<readonly Finding[]> {
  const file = clientPath(client, 'user', check.places);
  if (file === undefined) return [];
  try {
    const servers = await clientServers(openClientFile(client, 'user', file), check.places);
    return compare(client, servers, check);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return [{ subject: client.id, level: 'warning', message: error.message }];
  }
}

function compare(
  client: Client,
  servers: readonly ClientServer[],
  { servers: configured, toolCount }: ClientCheck,
): readonly Finding[] {
  const { id: subject, dialect } = client;
  const entries = servers.flatMap(({ entry }) => {
    const imported = dialect.toMux(entry);
    return imported.kind === 'server' ? [imported.entry] : [];
  });
  if (!entries.some(isOwn)) return [{ subject, level: 'ok', message: 'does not have mcpmux' }];
  const findings: Finding[] = [{ subject, level: 'ok', message: 'has mcpmux' }];
  const endpoints = new Set(entries.map(endpointOf));
  const twice = configured.filter(([, entry]) => endpoints.has(endpointOf(entry))).map(([name]) => name);
  if (twice.length > 0) {
    findings.push({
      subject,
      level: 'warning',
      message: `has ${twice.join(', ')} itself too: their tools are there twice`,
      next: `mcpmux import ${subject} --takeover`,
    });
  }
  const limit = TOOL_LIMITS[subject];
  if (limit !== undefined && toolCount > limit) {
    const message = `takes about ${limit} tools, and your servers have ${toolCount}`;
    findings.push({ subject, level: 'warning', message, next: 'disable servers that you do not need there' });
  }
  return findings;
}
