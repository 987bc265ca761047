#!/usr/bin/env node
import '../dist/echo.js';
