import { RUN_CODE } from '../catalog/own-tool.js';
import { text } from './context/fields.js';
import { InvalidArguments, tool } from './context/tool.js';

/** Runs code that calls tools. Listed while a guard runs the code. */
export const runCode = tool(
  {
    name: RUN_CODE,
    title: 'Run code that calls tools',
    description:
      'Runs JavaScript that calls tools, so that only what it returns or prints costs context. The code is the body of an ' +
      'async function: `const issue = await tools.github.get_issue({ number: 1 }); return issue.text;`. ' +
      '`tools.SERVER.TOOL(args)` resolves to the structured content of the result if the tool has an output schema, ' +
      'otherwise to { text, content }; a failed call throws. `return describe()` names all tools, ' +
      '`return describe("github__*")` gives their TypeScript declarations. There is no other input or output: no files, ' +
      'network, timers or modules.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  { code: text('Body of an async function, in JavaScript') },
  // If code mode is on, a guard answers the call, and this function does not run.
  () => {
    throw new InvalidArguments('Code mode is off: nothing was run. Call the tools one by one.');
  },
);
