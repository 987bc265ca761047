import type { Definition } from './definition.js';
import type { PinFindings } from './tool-pins.js';

/** The earlier definitions of one server's changed tools, so that a person can compare them. */
export class EarlierDefinitions {
  private definitions: ReadonlyMap<string, Definition> = new Map();

  /** Returns the definition of a changed tool from its approval or first listing. */
  of(tool: string): Definition | undefined {
    return this.definitions.get(tool);
  }

  /**
   * Records the definitions of tools that have changed. A tool that changes twice keeps its first definition.
   *
   * @param findings the tools that differ from their approved definitions; all others are forgotten
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
