#!/usr/bin/env node
import '../dist/crash.js';
