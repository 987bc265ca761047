import { isAbsolute, join } from 'node:path';

import type { Client, ClientPlaces } from './client.js';
import { clientTextDialect } from '../dialect/client-text.js';
import { codexDialect } from '../dialect/codex-dialect.js';
import { gooseDialect } from '../dialect/goose-dialect.js';
import { opencodeDialect } from '../dialect/opencode-dialect.js';
import { withSandboxKeys } from '../dialect/sandbox-keys.js';
import { standardDialect, type StandardTraits } from '../dialect/standard-dialect.js';
import { zedDialect } from '../dialect/zed-dialect.js';
import { codexEnvironment } from '../environment/codex-environment.js';
import { geminiEnvironment } from '../environment/gemini-environment.js';
import { sdkEnvironment, sdkEnvironmentWithReferences } from '../environment/sdk-environment.js';

const STANDARD_URL_KEYS = { http: ['url'], sse: ['url'] } as const;
const STANDARD_TYPES = { stdio: ['stdio'], http: ['http', 'streamable-http'], sse: ['sse'] } as const;
const NO_TYPES = { stdio: [], http: [], sse: [] } as const;
const CLAUDE_TRAITS: StandardTraits = {
  urlKeys: STANDARD_URL_KEYS,
  types: STANDARD_TYPES,
  placeholderStyle: 'shell',
};
const CURSOR_TRAITS: StandardTraits = {
  urlKeys: STANDARD_URL_KEYS,
  types: STANDARD_TYPES,
  placeholderStyle: 'prefixed',
};

const vsCodeFile =
  (...path: readonly string[]) =>
  (places: ClientPlaces): string =>
    join(settingsFolder(places), 'Code', 'User', ...path);

const extensionFile = (extension: string, file: string): ((places: ClientPlaces) => string) =>
  vsCodeFile('globalStorage', extension, 'settings', file);

const JSON_MCP_SERVERS = { format: 'json', key: ['mcpServers'] } as const;

const CLIENT_DEFINITIONS: readonly Client[] = [
  {
    id: 'amp',
    title: 'Amp',
    format: 'json',
    key: ['amp.mcpServers'],
    userFile: (places) => join(configHome(places), 'amp', 'settings.json'),
    projectFile: join('.amp', 'settings.json'),
    dialect: standardDialect({ ...CLAUDE_TRAITS, stateKey: 'disabled' }),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'claude-code',
    title: 'Claude Code',
    userFile: (places) => homeFile(places, '.', '.claude.json', 'CLAUDE_CONFIG_DIR'),
    // On Windows, Claude Code may write the project path with forward slashes.
    furtherKeys: (cwd) =>
      [...new Set([cwd, cwd.replaceAll('\\', '/')])].map((folder) => ['projects', folder, 'mcpServers']),
    projectFile: '.mcp.json',
    dialect: standardDialect({ ...CLAUDE_TRAITS, typeRequiredFor: ['remote'] }),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    userFile: (places) => join(settingsFolder(places), 'Claude', 'claude_desktop_config.json'),
    dialect: standardDialect({ urlKeys: {}, types: NO_TYPES, placeholderStyle: 'none' }),
    environment: sdkEnvironment,
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'cline',
    title: 'Cline',
    userFile: extensionFile('saoudrizwan.claude-dev', 'cline_mcp_settings.json'),
    dialect: standardDialect({
      urlKeys: STANDARD_URL_KEYS,
      types: { stdio: ['stdio'], http: ['streamableHttp'], sse: ['sse'] },
      stateKey: 'disabled',
      placeholderStyle: 'none',
    }),
    environment: sdkEnvironment,
  },
  {
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    key: ['mcp_servers'],
    userFile: (places) => homeFile(places, '.codex', 'config.toml', 'CODEX_HOME'),
    projectFile: join('.codex', 'config.toml'),
    dialect: codexDialect,
    environment: codexEnvironment,
    startTimeoutKey: 'startup_timeout_sec',
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    userFile: (places) => homeFile(places, '.copilot', 'mcp-config.json', 'COPILOT_HOME'),
    dialect: standardDialect({
      ...CLAUDE_TRAITS,
      types: { stdio: ['local', 'stdio'], http: ['http'], sse: ['sse'] },
      typeRequiredFor: ['local', 'remote'],
      defaultEntries: { tools: ['*'] },
    }),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'cursor',
    title: 'Cursor',
    userFile: (places) => homeFile(places, '.cursor', 'mcp.json'),
    projectFile: join('.cursor', 'mcp.json'),
    dialect: standardDialect(CURSOR_TRAITS),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'gemini',
    title: 'Gemini CLI',
    userFile: (places) => homeFile(places, '.gemini', 'settings.json'),
    projectFile: join('.gemini', 'settings.json'),
    dialect: standardDialect({
      urlKeys: { http: ['httpUrl'], sse: ['url'] },
      types: NO_TYPES,
      placeholderStyle: 'shell',
      hasBareVariables: true,
    }),
    environment: geminiEnvironment,
  },
  {
    id: 'goose',
    title: 'Goose',
    format: 'yaml',
    key: ['extensions'],
    userFile: (places) =>
      places.platform === 'win32'
        ? join(settingsFolder(places), 'Block', 'goose', 'config', 'config.yaml')
        : join(configHome(places), 'goose', 'config.yaml'),
    dialect: gooseDialect,
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'kiro',
    title: 'Kiro',
    userFile: (places) => homeFile(places, join('.kiro', 'settings'), 'mcp.json'),
    projectFile: join('.kiro', 'settings', 'mcp.json'),
    dialect: standardDialect({ ...CLAUDE_TRAITS, types: NO_TYPES, stateKey: 'disabled' }),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'lm-studio',
    title: 'LM Studio',
    userFile: (places) => homeFile(places, '.lmstudio', 'mcp.json'),
    dialect: standardDialect({ ...CLAUDE_TRAITS, placeholderStyle: 'none' }),
  },
  {
    id: 'opencode',
    title: 'opencode',
    format: 'json',
    key: ['mcp'],
    userFile: (places) => join(configHome(places), 'opencode', 'opencode.json'),
    projectFile: 'opencode.json',
    dialect: opencodeDialect,
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'roo',
    title: 'Roo Code',
    userFile: extensionFile('rooveterinaryinc.roo-cline', 'mcp_settings.json'),
    projectFile: join('.roo', 'mcp.json'),
    dialect: standardDialect({
      urlKeys: STANDARD_URL_KEYS,
      types: { stdio: ['stdio'], http: ['streamable-http'], sse: ['sse'] },
      stateKey: 'disabled',
      placeholderStyle: 'prefixed',
    }),
    environment: sdkEnvironmentWithReferences,
  },
  {
    id: 'vscode',
    title: 'VS Code',
    format: 'json',
    key: ['servers'],
    sharedSandbox: true,
    userFile: vsCodeFile('mcp.json'),
    projectFile: join('.vscode', 'mcp.json'),
    dialect: standardDialect({ ...CURSOR_TRAITS, typeRequiredFor: ['local', 'remote'] }),
  },
  {
    ...JSON_MCP_SERVERS,
    id: 'windsurf',
    title: 'Windsurf',
    userFile: (places) => homeFile(places, join('.codeium', 'windsurf'), 'mcp_config.json'),
    dialect: standardDialect({
      urlKeys: { http: ['serverUrl', 'url'], sse: ['serverUrl', 'url'] },
      types: NO_TYPES,
      stateKey: 'disabled',
      placeholderStyle: 'prefixed',
    }),
  },
  {
    id: 'zed',
    title: 'Zed',
    format: 'json',
    key: ['context_servers'],
    userFile: (places) =>
      places.platform === 'win32'
        ? join(settingsFolder(places), 'Zed', 'settings.json')
        : join(configHome(places), 'zed', 'settings.json'),
    projectFile: join('.zed', 'settings.json'),
    dialect: zedDialect,
  },
];

/** All supported clients. Their definitions follow their public documentation. */
export const CLIENTS: readonly Client[] = CLIENT_DEFINITIONS.map(withWrappedDialect);

function withWrappedDialect(client: Client): Client {
  const isVsCode = client.id === 'vscode';
  return { ...client, dialect: withSandboxKeys(clientTextDialect(client.dialect, isVsCode), isVsCode) };
}

/** Returns the platform's settings folder: `~/Library/Application Support`, `%APPDATA%`, or `~/.config`. */
function settingsFolder({ home, platform, environment }: ClientPlaces): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
  return configHome({ home, environment });
}

/** Returns `$XDG_CONFIG_HOME`, or `~/.config` if the variable is not an absolute path. */
function configHome({ home, environment }: Pick<ClientPlaces, 'home' | 'environment'>): string {
  const value = environment['XDG_CONFIG_HOME'];
  return value !== undefined && isAbsolute(value) ? value : join(home, '.config');
}

/**
 * Returns the path of a file in the folder that an environment variable names, or else in a folder below the home
 * folder. Ignores a relative path in the variable, because the result would depend on the working directory.
 */
function homeFile(
  { home, environment }: ClientPlaces,
  folder: string,
  name: string,
  variable?: string,
): string {
  const moved = variable === undefined ? undefined : environment[variable];
  return join(moved === undefined || !isAbsolute(moved) ? join(home, folder) : moved, name);
}
