#!/usr/bin/env node
import '../dist/echo-v2.js';
