import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import process from 'node:process';

import { parseOptions, USAGE, type BenchOptions } from './options.js';
import { writeDocs } from './report/docs.js';
import { toMarkdown } from './report/markdown.js';
import { runBench } from './run-bench.js';

function readCommandLine(): BenchOptions {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

// an orderly exit ends the child processes too
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

const options = readCommandLine();
if (options.wantsHelp) {
  process.stdout.write(USAGE);
} else {
  const report = await runBench(options, (text) => process.stderr.write(`${text}\n`));
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.writesDocs) await writeDocs(report);
  process.stdout.write(toMarkdown(report));
  const { left } = report.http ?? {};
  if (left !== undefined && left.sessions + left.descriptors > 0) process.exitCode = 1;
  const forwardings = [report.forwarding, report.shared?.calls];
  if (forwardings.some((one) => (one?.failures.length ?? 0) > 0)) process.exitCode = 1;
}
