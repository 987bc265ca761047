// Runs on Windows: plays the situations with the built command. usage: node driver.mjs SETTINGS [PART OF A TITLE]
import { readFile } from 'node:fs/promises';
import process from 'node:process';

import { lay, play } from './situations.mjs';

const [, , file, only] = process.argv;
const settings = JSON.parse(await readFile(file, 'utf8'));
await play(await lay(settings.folder, settings), settings.results, only);
// Whatever hangs after its time must not keep the driver.
process.exit(0);
