#!/usr/bin/env node
import module from 'node:module';

// Node 22.8 and newer keep compiled code between runs; older ones have no such call
module.enableCompileCache?.();
await import('../dist/cli.js');
