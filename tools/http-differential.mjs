#!/usr/bin/env node
// Sends the same random sessions to two builds of `mcpmux serve --http`, and reports where their answers differ: in
// statuses, headers, messages and their order. Texts of errors are not compared, nor whether a single answer comes as
// JSON or as an event. Exits with 1 if a difference is not one that differences.mjs explains.
//
// usage: node tools/http-differential.mjs OLD_REPOSITORY NEW_REPOSITORY [SEED [RUNS]]     (both with the cli built)
import process from 'node:process';

import { EXPLAINED } from './http-differential/differences.mjs';
import { Front } from './http-differential/front.mjs';
import { randomOf } from './http-differential/random.mjs';
import { randomSteps } from './http-differential/steps.mjs';
import { Walk } from './http-differential/walk.mjs';

const [older, newer, firstSeed = '1', runs = '100'] = process.argv.slice(2);
if (newer === undefined)
  throw new Error('usage: http-differential.mjs OLD_REPOSITORY NEW_REPOSITORY [SEED [RUNS]]');

const fronts = await Promise.all([Front.start(older), Front.start(newer)]);
const counts = new Map();
let unexplained = 0;
let steps = 0;
try {
  for (let seed = Number(firstSeed); seed < Number(firstSeed) + Number(runs); seed += 1) await compare(seed);
} finally {
  await Promise.all(fronts.map((front) => front.stop()));
}
for (const [reason, count] of counts) process.stdout.write(`${String(count).padStart(6)}  ${reason}\n`);
process.stdout.write(
  `${steps} steps of ${runs} sessions; ${unexplained} differences without an explanation\n`,
);
process.exitCode = unexplained > 0 ? 1 : 0;

async function compare(seed) {
  const plan = randomSteps(randomOf(seed));
  const [before, after] = await Promise.all(fronts.map((front) => new Walk(front, seed).take(plan)));
  for (const [index, step] of plan.entries()) {
    steps += 1;
    const [old, now] = [before[index], after[index]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const known = EXPLAINED.find(({ explains }) => explains(step, old, now));
    counts.set(known?.reason ?? 'not explained', (counts.get(known?.reason ?? 'not explained') ?? 0) + 1);
    if (known !== undefined) continue;
    unexplained += 1;
    process.stdout.write(`seed ${seed}, step ${index}: ${JSON.stringify(step).slice(0, 600)}\n`);
    process.stdout.write(`  old ${JSON.stringify(old)}\n  new ${JSON.stringify(now)}\n`);
  }
}
