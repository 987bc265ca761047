import { configSchema, serverSchema } from './config-schema.js';
import { muxSettings, toolSettings } from './mux-settings.js';

/** Keys of a server that mcpmux acts on. */
export const SERVER_KEYS: readonly string[] = Object.keys(serverSchema.shape);

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

/** Keys of mcpmux's own settings of a server. */
export const MUX_KEYS: readonly string[] = Object.keys(muxSettings.shape);

/** Keys of the settings of one tool. */
export const TOOL_KEYS: readonly string[] = Object.keys(toolSettings.shape);

/** Keys at the top that mcpmux acts on. */
export const TOP_KEYS: readonly string[] = Object.keys(configSchema.shape);
/** Keys at the top that belong to a client. */
export const CLIENT_TOP_KEYS: ReadonlySet<string> = new Set(['inputs', 'mcp', 'sandbox']);
