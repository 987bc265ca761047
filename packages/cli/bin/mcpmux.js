#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// Node 22.8 and newer keep compiled code between runs; older ones have no such call
module.enableCompileCache?.();
// What mcpmux allocates lives for a moment. V8 would let the space for that grow to 48 MB under load, and collect it no
// cheaper; as it stands at the start, 3 MB, it is enough.
v8.setFlagsFromString('--semi-space-growth-factor=1');
await import('../dist/cli.js');
