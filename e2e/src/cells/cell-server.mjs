// The cell server over stdio: `serveStdio` takes the era of its first message, or the modern one alone with
// `--modern-only`.
import process from 'node:process';

import { serveStdio } from '@modelcontextprotocol/server/stdio';

import { cellServer } from './cell-tools.mjs';

const isModernOnly = process.argv.includes('--modern-only');
serveStdio(cellServer, isModernOnly ? { legacy: 'reject' } : {});
