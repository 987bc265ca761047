import { writeFileSync } from 'node:fs';
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

const options = readCommandLine();
if (options.wantsHelp) {
  process.stdout.write(USAGE);
} else {
  const report = await runBench(options, (text) => process.stderr.write(`${text}\n`));
  if (options.jsonFile !== undefined) writeFileSync(options.jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  if (options.writesDocs) await writeDocs(report);
  process.stdout.write(toMarkdown(report));
  if (report.forwarding !== null && report.forwarding.failures.length > 0) process.exitCode = 1;
}
