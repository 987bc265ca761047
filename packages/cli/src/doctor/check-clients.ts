import {
  ClientFileError,
  clientPath,
  CLIENTS,
  clientServers,
  endpointOf,
  isInstalled,
  openClientFile,
  type Client,
  type ClientId,
  type ClientPlaces,
  type ClientServer,
  type JsonObject,
} from '@mcpmux/clients';

import { isMcpmuxEntry } from '../config/own-entry.js';
import { checkPassedVariables, type VariableCheck } from './check-passed.js';
import { note, ok, warning, type Finding } from './finding.js';
import { TOOL_NAME_RULES, toolsWithLongNames } from './tool-names.js';

/** The maximum number of tools that each client supports, according to its vendor or user reports. */
const TOOL_LIMITS: Readonly<Partial<Record<Client['id'], number>>> = {
  vscode: 128,
  windsurf: 100,
  cursor: 80,
};

/** The data that {@link checkClients} compares with the clients' files. */
export interface ClientCheck {
  readonly places: ClientPlaces;
  /** The config's server entries, as written in the file. */
  readonly servers: readonly (readonly [name: string, entry: JsonObject])[];
  /** The exposed names of the tools. */
  readonly tools: readonly string[];
  readonly variableCheck: VariableCheck;
  /** If set, only the variables that this server needs are checked. */
  readonly onlyServer?: string | undefined;
}

/** Checks installed clients for mcpmux, duplicate servers, tool counts, tool name lengths, and passed variables. */
export async function checkClients(check: ClientCheck): Promise<readonly Finding[]> {
  const installed = CLIENTS.filter((client) => isInstalled(client, check.places));
  const findings = await Promise.all(installed.map((client) => checkClient(client, check)));
  const all = findings.flat();
  if (check.onlyServer !== undefined) return all;
  if (all.some(({ message }) => message.startsWith('has mcpmux'))) return all;
  return [...all, warning('clients', 'no client has mcpmux', 'mcpmux install')];
}

async function checkClient(client: Client, check: ClientCheck): Promise<readonly Finding[]> {
  const file = clientPath(client, 'user', check.places);
  if (file === undefined) return [];
  try {
    const servers = await clientServers(openClientFile(client, 'user', file), check.places);
    return compareServers(client, file, servers, check);
  } catch (error) {
    if (!(error instanceof ClientFileError)) throw error;
    return [warning(client.id, error.message)];
  }
}

function compareServers(
  client: Client,
  file: string,
  servers: readonly ClientServer[],
  { servers: configured, tools, variableCheck, onlyServer }: ClientCheck,
): readonly Finding[] {
  const { id: subject, dialect } = client;
  const read = servers.flatMap(({ name, entry }) => {
    const conversion = dialect.toMux(entry);
    return conversion.kind === 'server' ? [{ name, entry: conversion.entry, written: entry }] : [];
  });
  const entries = read.map(({ entry }) => entry);
  const own = read.find(({ entry }) => isMcpmuxEntry(entry));
  if (own === undefined)
    return onlyServer === undefined
      ? [note(subject, 'does not have mcpmux', `mcpmux install ${subject}`)]
      : [];
  const passed = checkPassedVariables(client, file, own.written, variableCheck);
  if (onlyServer !== undefined) return passed;
  const findings = [ok(subject, 'has mcpmux'), ...passed];
  const endpoints = new Set(entries.map(endpointOf));
  const duplicates = configured.filter(([, entry]) => endpoints.has(endpointOf(entry))).map(([name]) => name);
  if (duplicates.length > 0) {
    const message = `also has ${duplicates.join(', ')}: the tools of these servers appear twice`;
    findings.push(warning(subject, message, `mcpmux import ${subject} --takeover`));
  }
  const limit = TOOL_LIMITS[subject];
  if (limit !== undefined && tools.length > limit) {
    const message = `supports about ${limit} tools, and your servers have ${tools.length}`;
    findings.push(warning(subject, message, 'disable servers that you do not need'));
  }
  return [...findings, ...checkToolNames(subject, own.name, tools)];
}

/** Warns about tool names that a client would omit, truncate or reject. */
function checkToolNames(subject: ClientId, entry: string, tools: readonly string[]): readonly Finding[] {
  const names = TOOL_NAME_RULES[subject];
  const [first, ...others] = names === undefined ? [] : toolsWithLongNames(names, entry, tools);
  if (names === undefined || first === undefined) return [];
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const message = `supports tool names of ${names.maxLength} characters. Too long: ${names.prefixFor(entry)}${first}${more}`;
  const budget = names.maxLength - names.prefixFor(entry).length;
  return [warning(subject, message, `start mcpmux there with --name-budget ${budget}`)];
}
