import type { RawCli } from '../testing/raw-cli.js';

/** Answers that a soak has read already are of no more use, and there are many of them. */
export function forget(cli: RawCli): void {
  cli.messages.length = 0;
  cli.lines.length = 0;
}

/** Prints what a soak has measured, as one line of JSON. */
export function report(name: string, figures: Readonly<Record<string, number | string>>): void {
  process.stderr.write(`soak ${JSON.stringify({ soak: name, ...figures })}\n`);
}

/** How often or how long: from the environment, or what the soak says by default. */
export function setting(name: string, byDefault: number): number {
  return Number(process.env[name] ?? byDefault);
}
