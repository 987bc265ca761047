// A process of its own: the work of the test itself is not measured. It sends the milliseconds that each answer took.
import { Agent, get } from 'node:http';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function probe() {
  const begun = performance.now();
  return new Promise((resolve, reject) => {
    const answered = (response) => response.resume().on('end', () => resolve(performance.now() - begun));
    get(process.argv[2], { agent }, answered).on('error', reject);
  });
}

async function probes(milliseconds) {
  const times = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    times.push(await probe());
    await delay(2);
  }
  process.send(times);
}

process.on('message', (milliseconds) => void probes(milliseconds));
