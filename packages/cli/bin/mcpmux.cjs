#!/usr/bin/env node
'use strict';

const args = process.argv.slice(2);
const [first] = args;
const isServe = first === 'serve' || (first?.startsWith('-') && !process.stdin.isTTY);
const asksForHelp = args.some((arg) => ['-h', '--help', '-V', '--version'].includes(arg));

// Node 22.8 and newer keep compiled code between runs. Older ones have no such call, and would load the module for it.
if (Number.parseInt(process.versions.node, 10) >= 22) require('node:module').enableCompileCache?.();
// A window that shares a process loads its relay alone
require(isServe && args.includes('--shared') && !asksForHelp ? '../dist/relay.cjs' : '../dist/cli.cjs');
