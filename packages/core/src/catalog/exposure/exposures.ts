import type { Exposure, ExposureOptions } from './exposure-options.js';
import { ExposureRule } from './exposure-rule.js';
import { ToolUses, type WatchCalls } from './tool-uses.js';

/** The exposures of all clients of one mux. */
export class Exposures {
  readonly uses: ToolUses;
  private version = 0;
  private defaultRule: ExposureRule;
  private clients: readonly { readonly name: string; readonly rule: ExposureRule }[] = [];

  constructor(watch: WatchCalls, options: ExposureOptions = {}) {
    this.uses = new ToolUses(watch);
    this.defaultRule = this.rule('', options);
    this.set(options);
  }

  /** Replaces the settings for all lists that are built from now on. */
  set({ clients = [], ...all }: ExposureOptions): void {
    this.version += 1;
    this.defaultRule = this.rule('', all);
    this.clients = clients.map(({ name, exposure }, index) => ({
      name: name.toLowerCase(),
      rule: this.rule(`${index}`, Object.assign({}, all, exposure)),
    }));
  }

  /** Returns the rule for a client of this name, or the rule for all clients if the name is absent or has no rule. */
  ruleFor(clientName?: string): ExposureRule {
    const lowerName = clientName?.toLowerCase();
    const match =
      lowerName === undefined ? undefined : this.clients.find(({ name }) => lowerName.startsWith(name));
    return match?.rule ?? this.defaultRule;
  }

  private rule(id: string, exposure: Exposure): ExposureRule {
    return new ExposureRule(`${this.version}.${id}`, exposure, this.uses);
  }
}
