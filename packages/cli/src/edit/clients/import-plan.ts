import { basename, isAbsolute, resolve } from 'node:path';

import { OWN_NAME, serverNameOf } from '@mcpmux/config/find';
import {
  endpointOf,
  type Client,
  type ClientFile,
  type ClientServer,
  type JsonObject,
  defined,
  mapEntry,
} from '@mcpmux/clients';
import { foldServerName, MAX_SERVER_NAME_LENGTH } from '@mcpmux/namespace';
import { literalText } from '@mcpmux/config';
import { isMcpmuxEntry } from '../../config/own-entry.js';

/** The import result for one server of a client. */
export interface ImportStep {
  readonly client: string;
  readonly name: string;
  readonly path: readonly string[];
  /**
   * `same`: the config already has the server. `own`: the server is mcpmux itself. `left`: mcpmux cannot run the
   * server, so it stays in the client. `unusable`: the entry has no equivalent in mcpmux. `unconfirmed`: the server
   * belongs to a folder, and a person has not agreed to run it.
   */
  readonly result: 'added' | 'same' | 'own' | 'left' | 'unusable' | 'unconfirmed';
  /** The server's name in the config. */
  readonly configName?: string;
  readonly entry?: JsonObject;
  readonly reason?: string;
}

/** The plan for the servers of one file, with one step for each server. */
export interface PlannedSource {
  readonly source: ClientFile;
  readonly servers: readonly ClientServer[];
  readonly steps: readonly ImportStep[];
}

/** The rules for importing servers that belong to a folder. */
export interface FolderRules {
  /** True if a person has agreed to run the server. */
  readonly isConfirmed: (server: ClientServer) => boolean;
  /** True if paths must be rewritten. False for a config in the folder itself, where relative paths already work. */
  readonly rewritesPaths: boolean;
}

/** Selects the client servers to add to a config, and chooses their names in the config. */
export class ImportPlan {
  readonly steps: ImportStep[] = [];
  /** The names of the config's servers, keyed by endpoint. */
  private readonly nameByEndpoint = new Map<string, string>();
  private readonly names = new Set<string>([OWN_NAME]);

  /** @param existing the servers already in the config */
  constructor(
    existing: readonly (readonly [name: string, entry: JsonObject])[],
    private readonly rules: FolderRules = { isConfirmed: () => false, rewritesPaths: true },
  ) {
    for (const [name, entry] of existing) this.registerServer(name, entry);
  }

  addServer({ id: client, dialect }: Client, server: ClientServer): void {
    const { name, path, folder } = server;
    const conversion = dialect.toMux(server.entry);
    const addStep = (step: Omit<ImportStep, 'client' | 'name' | 'path'>): void =>
      void this.steps.push({ client, name, path, ...step });
    if (conversion.kind === 'unusable') return addStep({ result: 'unusable', reason: conversion.reason });
    if (isMcpmuxEntry(conversion.entry)) return addStep({ result: 'own' });
    const rewritesPaths = folder !== undefined && this.rules.rewritesPaths;
    const entry = rewritesPaths ? withWorkingFolder(conversion.entry, folder) : conversion.entry;
    const existingName = [conversion.entry, entry]
      .map((one) => this.nameByEndpoint.get(endpointOf(one)))
      .find(Boolean);
    if (existingName !== undefined) return addStep({ result: 'same', configName: existingName });
    if (folder !== undefined && !this.rules.isConfirmed(server))
      return addStep({
        result: 'unconfirmed',
        reason: `it belongs to the folder ${folder}, and nobody confirmed it`,
      });
    const configName = this.unusedName(name);
    this.registerServer(configName, entry);
    addStep({ result: 'added', configName, entry });
  }

  private registerServer(name: string, entry: JsonObject): void {
    this.names.add(foldServerName(serverNameOf(name)));
    this.nameByEndpoint.set(endpointOf(entry), name);
  }

  /** Returns an unused name. Shortens the name before adding a suffix, so that truncation cannot remove the suffix. */
  private unusedName(name: string): string {
    for (let attempt = 1; ; attempt += 1) {
      const suffix = attempt === 1 ? '' : `-${attempt}`;
      const shortName = attempt === 1 ? name : name.slice(0, MAX_SERVER_NAME_LENGTH - suffix.length);
      const candidate = `${shortName}${suffix}`;
      if (!this.names.has(foldServerName(serverNameOf(candidate)))) return candidate;
    }
  }
}

/** Matches the start of a placeholder to escape. A folder name such as `app$` can form one with the text after it. */
const PLACEHOLDER_START = /(?<!\$)\$\{(?=(?:file|secret|cmd|input):)/g;
const FOLDER_PLACEHOLDER = /(?<!\$)\$\{(workspaceFolder|workspaceFolderBasename|cwd)\}/g;

/**
 * Makes a server's folder its working directory and the base of its relative paths. Otherwise `node server.js` would
 * run a file in the folder where mcpmux starts.
 */
export function withWorkingFolder(entry: JsonObject, folder: string): JsonObject {
  const resolved = mapEntry(entry, (text) => {
    const replaced = text.replace(FOLDER_PLACEHOLDER, (_, name) =>
      literalText(name === 'workspaceFolderBasename' ? basename(folder) : folder),
    );
    return folder.includes('$') ? replaced.replace(PLACEHOLDER_START, (start) => `$${start}`) : replaced;
  });
  if (typeof resolved['command'] !== 'string') return resolved;
  const { cwd = '.', envFile } = resolved;
  return defined({ ...resolved, cwd: pathInFolder(folder, cwd), envFile: pathInFolder(folder, envFile) });
}

function pathInFolder(folder: string, path: unknown): unknown {
  if (typeof path !== 'string' || isAbsolute(path) || path.includes('${')) return path;
  return literalText(resolve(folder, path));
}
