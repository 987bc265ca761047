// Preloaded into the command: appends the path of each file that Node.js compiles to the file of LOADED_FILES.
/* oxlint-disable no-underscore-dangle -- the name is that of Node.js */
const { appendFileSync } = require('node:fs');
const { Module } = require('node:module');

const compile = Module.prototype._compile;
Module.prototype._compile = function recorded(code, file, ...rest) {
  appendFileSync(process.env.LOADED_FILES, `${file}\n`);
  return compile.call(this, code, file, ...rest);
};
