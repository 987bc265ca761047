import { Screen, stableRows } from './screen.mjs';
import { outputOnTerminal } from './terminal.mjs';

const SIZE = { columns: 84, rows: 17 };
const PROMPT = '\u001B[32m$\u001B[39m ';
/** Typed at once: a frame each character would make the picture several times larger. */
const CHUNK = 3;
const TYPING_MS = 90;
const BEFORE_OUTPUT_MS = 350;
const READING_MS = 2200;
const LAST_MS = 6000;

const COMMANDS = [
  'mcpmux init',
  'mcpmux add everything -- npx -y @modelcontextprotocol/server-everything',
  'mcpmux list --check',
  'mcpmux call everything.get-sum a=40 b=2',
  'mcpmux install cursor --yes --quiet',
];
const CLOSING = [
  '# Restart Cursor once. From now on its agent adds, reloads and removes',
  '# servers while it works.',
];

/** The frames of a session from an empty home folder to a tool call. The output is real, the typing is not. */
export async function recordedFirstCall(home) {
  const screen = new Screen(SIZE.columns, SIZE.rows);
  const frames = [];
  const take = (ms) => frames.push({ rows: stableRows(screen.cells()), ms });
  for (const command of COMMANDS) {
    await typed(screen, command, take);
    await screen.write('\n');
    take(BEFORE_OUTPUT_MS);
    await screen.write(await outputOnTerminal(home, command, SIZE));
    take(READING_MS);
    if (command === 'mcpmux init') home.write('~/.cursor/mcp.json', '{ "mcpServers": {} }\n');
  }
  await screen.write(CLOSING.map((line) => `\u001B[2m${line}\u001B[22m\n`).join(''));
  take(LAST_MS);
  return { frames, size: SIZE };
}

async function typed(screen, command, take) {
  await screen.write(PROMPT);
  take(TYPING_MS * 4);
  for (let at = 0; at < command.length; at += CHUNK) {
    await screen.write(command.slice(at, at + CHUNK));
    take(TYPING_MS);
  }
}
