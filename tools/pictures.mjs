#!/usr/bin/env node
// Writes docs/images: what `--help`, `list`, `doctor`, `logs` and `top` show on a terminal of 80 and of 120 columns, light and
// dark, and a recording of the first call. Everything is the output of the built command; build the cli first.
//
// usage: node tools/pictures.mjs [--check]     (--check writes nothing and exits with 1 when a picture is stale)
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { CaptureHome } from './captures/home.mjs';
import { recordedFirstCall } from './captures/first-call.mjs';
import { Screen, stableRows } from './captures/screen.mjs';
import { stable } from './captures/stable.mjs';
import { pictureOf, recordingOf } from './captures/svg.mjs';
import { hasTerminals, outputOnTerminal, screenOnTerminal } from './captures/terminal.mjs';

const images = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'images');
const isCheck = process.argv.includes('--check');
const WIDTHS = [80, 120];
const THEMES = ['light', 'dark'];
const ROWS = 24;
const CONFIG = {
  mcpServers: {
    everything: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] },
    files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'] },
    memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] },
  },
};

const COMMANDS = [
  ['help', 'mcpmux --help'],
  ['list', 'mcpmux list'],
  ['doctor', 'mcpmux doctor'],
  ['logs', 'mcpmux logs everything --lines 3'],
];

if (hasTerminals) await pictures();
else process.stdout.write('pictures: skipped, no script of util-linux here to make a pseudo-terminal\n');

async function pictures() {
  mkdirSync(images, { recursive: true });
  await inHome(async (home) => {
    const { frames, size } = await recordedFirstCall(home);
    save('first-call.svg', recordingOf(frames, { ...size, title: 'From nothing to the first call' }));
  });
  await inHome(async (home) => {
    home.write('~/.config/mcpmux/config.json', `${JSON.stringify(CONFIG, null, 2)}\n`);
    await screens(home);
  });
}

async function inHome(use) {
  const home = new CaptureHome();
  try {
    await use(home);
  } finally {
    home.remove();
  }
}

async function screens(home) {
  const serving = await home.start('mcpmux serve');
  await outputOnTerminal(home, 'mcpmux call everything.echo message=hi', { columns: 80, rows: ROWS });
  for (const columns of WIDTHS) {
    const size = { columns, rows: ROWS };
    for (const [name, command] of COMMANDS)
      draw(name, { columns, command, rows: await printed(home, command, size) });
    const top = await screenOnTerminal(home, 'mcpmux top', { size, until: /server running/, quit: 'q' });
    draw('top', { columns, command: 'mcpmux top', rows: stableRows(top) });
  }
  await home.end(serving);
}

async function printed(home, command, size) {
  const screen = new Screen(size.columns, size.rows);
  await screen.write(`\u001B[2m$\u001B[22m ${command}\n`);
  // before the lines are wrapped, and then where a colour stands in between
  await screen.write(stable(await outputOnTerminal(home, command, size)));
  return stableRows(screen.cells({ all: true }));
}

function draw(name, { columns, command, rows }) {
  for (const themeName of THEMES) {
    const title = `${command} on ${columns} columns`;
    const fitting = rows.map((row) => row.slice(0, columns));
    save(`${name}-${columns}-${themeName}.svg`, pictureOf(fitting, { columns, title, themeName }));
  }
}

function save(name, text) {
  const file = join(images, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isCheck) {
    process.stderr.write(`docs/images/${name} is stale: run node tools/pictures.mjs\n`);
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
