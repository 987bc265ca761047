import type { Definition } from './definition.js';
import type { PinFindings } from './tool-pins.js';

/** The definitions that changed tools of one server had before, so that a person can compare them. */
export class EarlierDefinitions {
  private definitions: ReadonlyMap<string, Definition> = new Map();

  /** The definition that a tool had when it was approved, or first seen. */
  of(tool: string): Definition | undefined {
    return this.definitions.get(tool);
  }

  /**
   * Tools have replaced others. A tool that changes twice keeps its first definition.
   *
   * @param findings the tools that are not as they were approved; others are forgotten
   */
  replaced(before: readonly Definition[], findings: PinFindings): void {
    const known = [...this.definitions].filter(([tool]) => findings.get(tool) === 'changed');
    const seen = before.filter(({ key }) => findings.get(key) === 'changed');
    this.definitions = new Map([...seen.map((tool) => [tool.key, tool] as const), ...known]);
  }

  clear(): void {
    this.definitions = new Map();
  }
}
