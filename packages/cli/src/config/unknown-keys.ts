import { isObject, type JsonObject } from '@mcpmux/clients';

import type { ConfigProblem } from './config-problem.js';
import type { Report, SettingPath } from './config-text.js';
import { CLIENT_KEYS, CLIENT_TOP_KEYS, MUX_KEYS, SERVER_KEYS, TOOL_KEYS, TOP_KEYS } from './known-keys.js';
import { didYouMean } from './suggest.js';

/** Warns of keys that mcpmux does not act on: of each once, where it stands first. */
export class UnknownKeys {
  private readonly warned = new Map<string, ConfigProblem>();

  constructor(private readonly report: Report) {}

  get warnings(): readonly ConfigProblem[] {
    return [...this.warned.values()];
  }

  checkTop(config: JsonObject): void {
    for (const key of Object.keys(config)) {
      if (!TOP_KEYS.includes(key) && !CLIENT_TOP_KEYS.has(key)) this.warn([key], TOP_KEYS);
    }
  }

  checkServer(path: SettingPath, server: JsonObject): void {
    for (const key of Object.keys(server)) {
      if (!SERVER_KEYS.includes(key) && !CLIENT_KEYS.has(key)) this.warn([...path, key], SERVER_KEYS);
    }
    const { mux } = server;
    for (const key of keysOf(mux)) {
      if (!MUX_KEYS.includes(key)) this.warn([...path, 'mux', key], MUX_KEYS);
    }
    const tools = isObject(mux) ? mux['tools'] : undefined;
    for (const [tool, settings] of Object.entries(isObject(tools) ? tools : {})) {
      for (const key of keysOf(settings)) {
        if (!TOOL_KEYS.includes(key)) this.warn([...path, 'mux', 'tools', tool, key], TOOL_KEYS);
      }
    }
  }

  private warn(path: SettingPath, known: readonly string[]): void {
    const hint = didYouMean(String(path.at(-1)), known);
    this.add(path, `unknown key, ignored${hint === '' ? '' : `.${hint}`}`);
  }

  private add(path: SettingPath, message: string): void {
    const isInMux = path.at(-2) === 'mux';
    const id = `${path.length === 1 ? 'top' : ''}${isInMux ? 'mux' : ''}:${path.at(-1)}`;
    if (!this.warned.has(id)) this.warned.set(id, this.report('warning', path, message));
  }
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : [];
}
