import type { ConfigProblem } from './config-problem.js';
import type { Report, SettingPath } from './config-text.js';
import { CLIENT_KEYS, CLIENT_TOP_KEYS, FILTER_KEYS, MUX_KEYS, SERVER_KEYS, TOP_KEYS } from './known-keys.js';
import { suggest } from './suggest.js';

type JsonObject = Readonly<Record<string, unknown>>;

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
    for (const [key, value] of Object.entries(server)) {
      if (FILTER_KEYS.has(key)) this.checkFilter([...path, key], value);
      else if (!SERVER_KEYS.includes(key) && !CLIENT_KEYS.has(key)) this.warn([...path, key], SERVER_KEYS);
    }
    for (const key of keysOf(server['mux'])) {
      if (!MUX_KEYS.includes(key)) this.warn([...path, 'mux', key], MUX_KEYS);
    }
  }

  private checkFilter(path: SettingPath, value: unknown): void {
    const isEverything = value === '*' || (Array.isArray(value) && value.length === 1 && value[0] === '*');
    const isNothing = Array.isArray(value) && value.length === 0;
    if (isEverything || isNothing) return;
    this.add(path, 'mcpmux does not filter tools yet: every tool of this server is shown');
  }

  private warn(path: SettingPath, known: readonly string[]): void {
    const key = String(path.at(-1));
    const meant = suggest(key, known);
    this.add(path, `unknown key, ignored${meant === undefined ? '' : `. Did you mean "${meant}"?`}`);
  }

  private add(path: SettingPath, message: string): void {
    const isInMux = path.at(-2) === 'mux';
    const id = `${path.length === 1 ? 'top' : ''}${isInMux ? 'mux' : ''}:${path.at(-1)}`;
    if (!this.warned.has(id)) this.warned.set(id, this.report('warning', path, message));
  }
}

function keysOf(value: unknown): readonly string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
