#!/usr/bin/env node
// Prints the path of a nats-server for the tests of clusters: the one in MCPMUX_NATS_SERVER, on the PATH, or of Debian's
// package (machine/debian-program.mjs). Without any, these tests are skipped.
//
// usage: node tools/nats-server.mjs
import { printProgram } from './machine/debian-program.mjs';

printProgram({
  program: 'nats-server',
  package: 'nats-server',
  variable: 'MCPMUX_NATS_SERVER',
  file: 'usr/sbin/nats-server',
  tests: 'clusters',
});
