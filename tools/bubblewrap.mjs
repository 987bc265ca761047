#!/usr/bin/env node
// Prints the path of a bubblewrap for the tests of sandboxes: the one in MCPMUX_BWRAP, on the PATH, or of Debian's package
// (machine/debian-program.mjs). It must run here: a system can deny user namespaces. Without any, these tests are skipped.
//
// usage: node tools/bubblewrap.mjs
import { printProgram } from './machine/debian-program.mjs';

printProgram({
  program: 'bwrap',
  package: 'bubblewrap',
  variable: 'MCPMUX_BWRAP',
  file: 'usr/bin/bwrap',
  tests: 'sandboxes',
  args: [
    '--ro-bind',
    '/',
    '/',
    '--unshare-pid',
    '--unshare-net',
    '--proc',
    '/proc',
    '--',
    '/bin/sh',
    '-c',
    ':',
  ],
});
