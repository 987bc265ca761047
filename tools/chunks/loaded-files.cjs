// Preloaded into the command: appends the path of each file that Node.js compiles, and the name of each built-in module
// that is required, to the file of LOADED_FILES.
/* oxlint-disable no-underscore-dangle -- the name is that of Node.js */
const { appendFileSync } = require('node:fs');
const { isBuiltin, Module } = require('node:module');

const compile = Module.prototype._compile;
Module.prototype._compile = function recorded(code, file, ...rest) {
  appendFileSync(process.env.LOADED_FILES, `${file}\n`);
  return compile.call(this, code, file, ...rest);
};

const load = Module._load;
Module._load = function recorded(request, ...rest) {
  if (isBuiltin(request)) appendFileSync(process.env.LOADED_FILES, `${request}\n`);
  return load.call(this, request, ...rest);
};
