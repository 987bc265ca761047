// Walks the trips and finds the functions that each of them enters.
//
// A window begins when coverage is taken, which resets the counters, and ends SETTLE_MS after the answer. The wait keeps
// the consequences of a call inside its window on a busy machine too, such as the announcement of a changed list. Timers
// run in every window, so the functions that an idle window enters are left out. Rounds may still differ: a read ends
// within a line, a table is renewed. A function counts when more than half of the rounds enter it.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

import { HttpProduct } from './http-product.mjs';
import { Product } from './product.mjs';
import { Sources } from './sources.mjs';

const SERVER = '@modelcontextprotocol/server-everything';
const ROUNDS = 5;
const WARM_CALLS = 3;
const SETTLE_MS = 400;
const IDLE_MS = 1500;
/** Wakes with the event loop, whatever wakes it, and pauses again; no request calls it. */
const WATCH = 'packages/cli/src/serve/loop-watch.ts';
const LISTED_WITHIN_MS = 30_000;
const ECHO = ['everything__echo', { message: 'hello' }];
const ELICITING = 'everything__trigger-elicitation-request';

/** Measures the product that is built below a folder; each trip has its files, in order, with the names of functions. */
export async function measure(root) {
  return [...(await measureStdio(root)), ...(await measureHttp(root))];
}

async function measureStdio(root) {
  const product = new Product(root);
  try {
    const trips = tripsOf(product, serverOf(root));
    await product.initialize();
    await trips.add_server.run('everything');
    await listed(product, ELICITING);
    return await walk(root, product, trips);
  } finally {
    await product.close();
  }
}

async function measureHttp(root) {
  const product = new HttpProduct(root, { everything: serverOf(root) });
  try {
    await product.initialize();
    return await walk(root, product, {
      'tools/call, HTTP session': { warm: WARM_CALLS, run: () => product.callInSession(...ECHO) },
      'tools/call, modern POST': { warm: WARM_CALLS, run: () => product.callAlone(...ECHO) },
    });
  } finally {
    await product.close();
  }
}

async function walk(root, product, trips) {
  const sources = new Sources(root);
  // the first round warms up: some modules are loaded when they are first needed
  await round(product, trips);
  const idle = sources.functionsOf(await covered(product, () => sleep(IDLE_MS)));
  const rounds = [];
  while (rounds.length < ROUNDS) rounds.push(await round(product, trips));
  return Object.keys(trips).map((name) => {
    const coverages = rounds.map((coverage) => sources.functionsOf(coverage[name]));
    return { name, files: byFile(usual(coverages, idle)) };
  });
}

function tripsOf(product, definition) {
  return {
    'tools/call': { warm: WARM_CALLS, run: () => product.call(...ECHO) },
    'tools/list': { warm: WARM_CALLS, run: () => product.request('tools/list') },
    'elicitation/create': { warm: WARM_CALLS, run: () => elicit(product) },
    add_server: {
      warm: 0,
      run: (name = 'another') => product.call('add_server', { name, ...definition }),
      undo: () => product.call('remove_server', { name: 'another' }),
    },
    reload_server: { warm: 0, run: () => product.call('reload_server', { name: 'everything' }) },
  };
}

/** Takes every trip once; gives the coverage of each. */
async function round(product, trips) {
  const coverages = {};
  for (const [name, { warm, run, undo }] of Object.entries(trips)) {
    for (let call = 0; call < warm; call += 1) await run();
    coverages[name] = await covered(product, () => run());
    await undo?.();
  }
  return coverages;
}

async function covered(product, act) {
  await sleep(SETTLE_MS);
  await product.coverage();
  await act();
  await sleep(SETTLE_MS);
  return product.coverage();
}

async function elicit(product) {
  const before = product.elicitations;
  await product.call(ELICITING);
  if (product.elicitations !== before + 1) throw new Error(`${ELICITING} asked nothing`);
}

/** Waits for a tool that the server offers only after it knows the capabilities of its client. */
async function listed(product, name) {
  const deadline = Date.now() + LISTED_WITHIN_MS;
  for (;;) {
    const { tools } = await product.request('tools/list');
    if (tools.some((tool) => tool.name === name)) return;
    if (Date.now() > deadline) throw new Error(`${name} is not listed`);
    await sleep(SETTLE_MS);
  }
}

/** By room, then by name: a folder comes before the folders in it. */
function inOrder(one, other) {
  return compare(dirname(one), dirname(other)) || compare(one, other);
}

function compare(one, other) {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The functions that more than half of the coverages have and the idle one has not. */
function usual(coverages, idle) {
  const all = new Map(coverages.flatMap((coverage) => [...coverage]));
  const times = (key) => coverages.filter((coverage) => coverage.has(key)).length;
  const isUsual = ([key, { file }]) => !idle.has(key) && file !== WATCH && times(key) > ROUNDS / 2;
  return [...all].filter(isUsual).map(([, found]) => found);
}

function byFile(functions) {
  const files = [...new Set(functions.map(({ file }) => file))].toSorted(inOrder);
  return files.map((file) => {
    const its = functions.filter((found) => found.file === file);
    return { file, functions: its.map(({ name }) => name).toSorted() };
  });
}

function serverOf(root) {
  const require = createRequire(join(root, 'e2e', 'package.json'));
  const entry = join(dirname(require.resolve(`${SERVER}/package.json`)), 'dist', 'index.js');
  return { command: process.execPath, args: [entry] };
}
