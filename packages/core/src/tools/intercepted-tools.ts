import { RUN_CODE, READ_RESULT } from '../catalog/own-tool.js';
import { text, optional, integerUpTo } from './context/fields.js';
import { InvalidArguments, tool } from './context/tool.js';

/** Runs code that calls tools. Listed only if a guard is present to run the code. */
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
  // In code mode, a guard handles the call instead of this function.
  () => {
    throw new InvalidArguments('Code mode is off: nothing was run. Call the tools one by one.');
  },
);

/** Calls any tool by its name. */
export const callTool = tool(
  {
    name: 'call_tool',
    title: 'Call a tool by name',
    description:
      'Calls a tool of any server, for when your own list of tools does not show it yet. ' +
      'Returns the result of that tool.',
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  {
    name: text('{server}__{tool}, as add_server or search_tools gave it'),
    arguments: optional({
      json: { type: 'object', description: 'Arguments of that tool' },
      check: (z) => z.record(z.string(), z.unknown()),
    }),
  },
  // Never runs, because the session replaces this call with a call to the named tool.
  () => {
    throw new InvalidArguments('call_tool is for clients of mcpmux: call the tool itself');
  },
);

const MAX_PAGES = 1_000_000;
const MAX_PARTS = 10_000;

/** Reads results that were too long for their client. Listed only if a guard is present to store such results. */
export const readResult = tool(
  {
    name: READ_RESULT,
    title: 'Read a long result',
    description:
      'Reads a result that was too long for you and got a handle: by pages, the lines that contain a text, or the ' +
      'values at a JSON path.',
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
  {
    handle: text('From the shortened result'),
    page: optional(integerUpTo(MAX_PAGES, '1 by default')),
    grep: optional(text('Only the lines that contain this text, in any case', 1000)),
    path: optional(text('A JSON path, such as $.items[0].name or $.items[*].id', 1000)),
    part: optional(integerUpTo(MAX_PARTS, 'Of a result with several texts; 1 by default')),
  },
  // Runs only for an unknown handle, because the guard that stores a result also handles the calls that read it.
  () => {
    throw new InvalidArguments(
      'Nothing is stored under this handle: it was of another client, or gave way to later results. Call the tool again.',
    );
  },
);
