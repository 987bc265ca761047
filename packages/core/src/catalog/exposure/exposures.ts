import type { Exposure, ExposureOptions } from './exposure-options.js';
import { ExposureRule } from './exposure-rule.js';
import { ToolUses, type WatchCalls } from './tool-uses.js';

/** Finds the exposure rule for each client. */
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

  /** Replaces the settings. The rules' keys change too, so that no list cached under the old settings is reused. */
  setOptions({ clients = [], ...defaults }: ExposureOptions): void {
    this.version += 1;
    this.defaultRule = this.createRule('', defaults);
    this.clientRules = clients.map(({ name, exposure }, index) => ({
      name: name.toLowerCase(),
      rule: this.createRule(`${index}`, Object.assign({}, defaults, exposure)),
    }));
  }

  /** Returns the first rule whose prefix matches the client's name, or the rule for all clients if none matches. */
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
