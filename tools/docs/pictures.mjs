// The pictures of docs/images that the output of the built command makes: a recording of the first call, and what `doctor`
// shows on a terminal of 80 columns.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { recordedFirstCall } from '../captures/first-call.mjs';
import { CaptureHome } from '../captures/home.mjs';
import { Screen, stableRows } from '../captures/screen.mjs';
import { stable } from '../captures/stable.mjs';
import { pictureOf, recordingOf } from '../captures/svg.mjs';
import { hasTerminals, outputOnTerminal } from '../captures/terminal.mjs';

const SIZE = { columns: 80, rows: 24 };
const DOCTOR = 'mcpmux doctor';
const CONFIG = {
  mcpServers: {
    everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'] },
    memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
};

/** The pictures that show something else than the command prints, with the text that they should have. */
export async function stalePictures(root) {
  if (!hasTerminals) {
    process.stdout.write(
      'docs: pictures are not checked, no script of util-linux here to make a pseudo-terminal\n',
    );
    return [];
  }
  const pictures = [
    { path: 'docs/images/first-call.svg', text: await inHome(firstCall) },
    { path: 'docs/images/doctor-80-light.svg', text: await inHome(doctor) },
  ];
  return pictures.filter(({ path, text }) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
}

async function inHome(draw) {
  const home = new CaptureHome();
  try {
    return await draw(home);
  } finally {
    home.remove();
  }
}

async function firstCall(home) {
  const { frames, size } = await recordedFirstCall(home);
  return recordingOf(frames, { ...size, title: 'From nothing to the first call' });
}

async function doctor(home) {
  home.write('~/.config/mcpmux/config.json', `${JSON.stringify(CONFIG, null, 2)}\n`);
  const serving = await home.start('mcpmux serve');
  try {
    const screen = new Screen(SIZE.columns, SIZE.rows);
    await screen.write(`\u001B[2m$\u001B[22m ${DOCTOR}\n`);
    // before the lines are wrapped, and then where a colour stands in between
    await screen.write(stable(await outputOnTerminal(home, DOCTOR, SIZE)));
    const rows = stableRows(screen.cells({ all: true })).map((row) => row.slice(0, SIZE.columns));
    const title = `${DOCTOR} on ${SIZE.columns} columns`;
    return pictureOf(rows, { columns: SIZE.columns, title, themeName: 'light' });
  } finally {
    await home.end(serving);
  }
}
