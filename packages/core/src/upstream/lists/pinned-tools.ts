import type { Definition } from './definition.js';
import {
  NO_FINDINGS,
  type PinFindings,
  type PinnedServer,
  type PinReason,
  type ToolPins,
} from './tool-pins.js';

const OTHER_COMMAND = 'another command was run under this name before: its tools are others';

/** How the tools of one server's current run compare with what was approved. */
export class PinnedTools {
  /** Tools that are not as they were approved. */
  findings: PinFindings = NO_FINDINGS;

  constructor(
    private readonly server: PinnedServer,
    private readonly pins: ToolPins,
  ) {}

  /** Why this tool cannot be used until it is approved; `undefined` when it can. */
  blocked(tool: string): PinReason | undefined {
    return this.pins.mode === 'block' ? this.findings.get(tool) : undefined;
  }

  /** What is to be said of all its tools, in sentences. */
  get warnings(): readonly string[] {
    return [...this.findings.values()].includes('command') ? [OTHER_COMMAND] : [];
  }

  /** A run begins, of which nothing is known. */
  reset(): void {
    this.findings = NO_FINDINGS;
  }

  /** Compares what is listed now. Returns what was found, unless there is nothing new in it to tell. */
  compare(tools: readonly Definition[]): PinFindings | undefined {
    const before = this.findings;
    const found = this.pins.check(this.server, tools);
    // In mode warn a change is found once, and stands there until the next run.
    const isBlocking = this.pins.mode === 'block';
    this.findings = isBlocking ? found : new Map([...before, ...found]);
    const isNews = [...found].some(([tool, reason]) => !isBlocking || before.get(tool) !== reason);
    return isNews ? found : undefined;
  }

  /** Whatever the tools of the next run are, they are to be so. */
  approveNext(): void {
    this.pins.forget(this.server);
  }

  /** These are what the tools are to be from now on. */
  approve(tools: readonly Definition[]): void {
    this.pins.approve(this.server, tools);
    this.findings = NO_FINDINGS;
  }
}
