/** Keys of a server that mcpmux acts on. */
export const SERVER_KEYS: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'url',
  'serverUrl',
  'httpUrl',
  'baseUrl',
  'headers',
  'disabled',
  'enabled',
  'mux',
];

/** Keys that belong to a client: how it asks for approval, shows or waits. Nothing is lost without them here. */
export const CLIENT_KEYS: ReadonlySet<string> = new Set([
  'alwaysAllow',
  'alwaysLoad',
  'authProviderType',
  'autoApprove',
  'description',
  'dev',
  'displayName',
  'gallery',
  'headersHelper',
  'icon',
  'id',
  'name',
  'oauth',
  'sandbox',
  'sandboxEnabled',
  'source',
  'timeout',
  'trust',
  'version',
  'watchPaths',
]);

/** Keys that hide tools, which mcpmux does not do: silence would promise that they are hidden. */
export const FILTER_KEYS: ReadonlySet<string> = new Set([
  'disabledTools',
  'enabledTools',
  'excludeTools',
  'includeTools',
  'tools',
]);

/** Keys of mcpmux's own settings of a server. */
export const MUX_KEYS: readonly string[] = ['name', 'clientCredentials', 'imported'];

/** Keys at the top: the second row belongs to clients. */
export const TOP_KEYS: readonly string[] = ['$schema', 'mcpServers', 'servers'];
/** Keys at the top that belong to a client. */
export const CLIENT_TOP_KEYS: ReadonlySet<string> = new Set(['inputs', 'mcp', 'sandbox']);
