import type { Exposure, ExposureOptions } from './exposure-options.js';
import { ExposureRule } from './exposure-rule.js';
import { ToolUses, type WatchCalls } from './tool-uses.js';

/** The exposures of all clients of one mux. */
export class Exposures {
  readonly toolUses: ToolUses;
  private version = 0;
  private defaultRule: ExposureRule;
  private clientRules: readonly { readonly name: string; readonly rule: ExposureRule }[] = [];

  constructor(watch: WatchCalls, options: ExposureOptions = {}) {
    this.toolUses = new ToolUses(watch);
    this.defaultRule = this.createRule('', options);
    this.setOptions(options);
  }

  /** Replaces the settings for all lists that are built from now on. */
  setOptions({ clients = [], ...defaults }: ExposureOptions): void {
    this.version += 1;
    this.defaultRule = this.createRule('', defaults);
    this.clientRules = clients.map(({ name, exposure }, index) => ({
      name: name.toLowerCase(),
      rule: this.createRule(`${index}`, Object.assign({}, defaults, exposure)),
    }));
  }

  /** Returns the rule for a client of this name, or the rule for all clients if the name is absent or has no rule. */
  ruleFor(clientName?: string): ExposureRule {
    const lowerName = clientName?.toLowerCase();
    const match =
      lowerName === undefined ? undefined : this.clientRules.find(({ name }) => lowerName.startsWith(name));
    return match?.rule ?? this.defaultRule;
  }

  private createRule(id: string, exposure: Exposure): ExposureRule {
    return new ExposureRule(`${this.version}.${id}`, exposure, this.toolUses);
  }
}
