#!/usr/bin/env node
'use strict';

// Node 22.8 and newer keep compiled code between runs; older ones have no such call
require('node:module').enableCompileCache?.();
require('../dist/cli.cjs');
