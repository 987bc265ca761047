// Preloaded into the built command; takes V8's precise coverage when the parent asks over the IPC channel.
'use strict';

const { Session } = require('node:inspector');
const process = require('node:process');

const session = new Session();
session.connect();
post('Profiler.enable');
// without counts V8 reports a function once in the life of the process
post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', ({ below }) => {
  const { result } = post('Profiler.takePreciseCoverage');
  const scripts = result.filter(({ url }) => url.startsWith(below));
  process.send(scripts.map(({ url, functions }) => ({ url, functions: functions.filter(isEntered) })));
});
// the channel alone must not keep the command alive
process.channel.unref();

/** Sends a command to the inspector of this thread, which answers before `post` returns. */
function post(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    answer = result;
  });
  return answer;
}

function isEntered({ ranges }) {
  return ranges[0].count > 0;
}
