/** Code that looks for a way out, and what it finds. `undefined` is written as null. */
export const LOOKING: readonly (readonly [what: string, code: string, found: unknown])[] = [
  // Node.js and browser globals.
  ['process', 'return typeof process', 'undefined'],
  ['require', 'return typeof require', 'undefined'],
  ['module', 'return typeof module + typeof exports', 'undefinedundefined'],
  ['global', 'return typeof global + typeof window + typeof self', 'undefinedundefinedundefined'],
  ['buffers', 'return typeof Buffer', 'undefined'],
  [
    'network',
    'return typeof fetch + typeof XMLHttpRequest + typeof WebSocket',
    'undefinedundefinedundefined',
  ],
  [
    'timers',
    'return typeof setTimeout + typeof setImmediate + typeof queueMicrotask',
    'undefinedundefinedundefined',
  ],
  ['WebAssembly', 'return typeof WebAssembly', 'undefined'],
  ['the modules of QuickJS', 'return typeof std + typeof os + typeof bjson', 'undefinedundefinedundefined'],
  ['threads', 'return typeof Worker + typeof postMessage', 'undefinedundefined'],
  ['files of a script', 'return typeof scriptArgs + typeof print', 'undefinedundefined'],
  [
    'the host’s functions',
    'return typeof send + typeof write + typeof finish',
    'undefinedundefinedundefined',
  ],
  // Modules.
  ['import of a module of Node.js', 'return import("node:fs").then(() => "in", () => "no")', 'no'],
  ['import of a file', 'return import("/etc/passwd").then(() => "in", () => "no")', 'no'],
  ['import of a url', 'return import("data:text/javascript,1").then(() => "in", () => "no")', 'no'],
  // Constructors: each function is made in the same realm.
  ['Function', 'return Function("return typeof process")()', 'undefined'],
  ['the constructor of a function', 'return (() => 1).constructor("return typeof require")()', 'undefined'],
  [
    'the constructor of an object',
    'return ({}).constructor.constructor("return typeof process")()',
    'undefined',
  ],
  [
    'the constructor of an error',
    'try { null.x } catch (e) { return e.constructor.constructor("return typeof process")() }',
    'undefined',
  ],
  ['AsyncFunction', 'return (async () => 1).constructor("return typeof process")()', 'undefined'],
  ['GeneratorFunction', 'return (function* () {}).constructor("return typeof process")().next().done', true],
  ['eval', 'return eval("typeof process")', 'undefined'],
  ['indirect eval', 'return (0, eval)("typeof process + typeof require")', 'undefinedundefined'],
  ['the constructor of tools', 'return tools.constructor.constructor instanceof Function', true],
  ['the constructor of call', 'return call.constructor("return typeof process")()', 'undefined'],
  [
    'the constructor of console.log',
    'return console.log.constructor("return typeof process")()',
    'undefined',
  ],
  ['the constructor of a promise of the host', 'return call("s__t").constructor === Promise', true],
  ['the constructor of a result', 'return (await call("s__t")).constructor === Object', true],
  [
    'the constructor of an error of the host',
    'return call("s__fails").catch((e) => e.constructor === Error)',
    true,
  ],
  // Prototypes.
  ['the prototype of tools', 'return Object.getPrototypeOf(tools) === Object.prototype', true],
  [
    'the prototype of a result',
    'return Object.getPrototypeOf(await call("s__t")) === Object.prototype',
    true,
  ],
  ['__proto__ of an answer', 'return (await call("s__proto")).polluted ?? ({}).polluted', null],
  [
    '__proto__ of arguments',
    'await call("s__t", JSON.parse(`{"__proto__": {"x": 1}}`)); return ({}).x',
    null,
  ],
  ['__lookupGetter__', 'return typeof tools.__lookupGetter__.constructor', 'function'],
  // The stack and the callers.
  ['caller', 'return (function f() { try { return typeof f.caller } catch { return "no" } })()', 'no'],
  [
    'arguments.callee',
    'return (function () { try { return typeof arguments.callee } catch { return "no" } })()',
    'no',
  ],
  ['this of a function', 'return (function () { return typeof this })()', 'undefined'],
  ['this of a sloppy function', 'return Function("return this")() === globalThis', true],
  [
    'prepareStackTrace',
    'Error.prepareStackTrace = (_, s) => s; return typeof new Error("x").stack',
    'string',
  ],
  ['files in stacks', 'try { null.x } catch (e) { return /node_modules|file:|worker/.test(e.stack) }', false],
  [
    'captureStackTrace',
    'const o = {}; Error.captureStackTrace?.(o); return /node_modules|file:/.test(String(o.stack))',
    false,
  ],
  // What stays as it is.
  ['another tools', 'try { globalThis.tools = 1 } catch {} return typeof tools.s', 'object'],
  ['another call', 'try { delete globalThis.call } catch {} return typeof call', 'function'],
  ['another log', 'try { console.log = 1 } catch {} return typeof console.log', 'function'],
  ['members of tools', 'try { tools.x = 1 } catch {} return typeof tools.x', 'object'],
  // Handles and names that were not given out.
  ['a tool that has no name', 'return call("").catch(() => "no")', 'no'],
  ['a tool that is no text', 'return call({ toString: () => "s__t" }).catch(() => "no")', 'no'],
  ['a symbol as a tool', 'return call(Symbol("x")).catch(() => "no")', 'no'],
  ['arguments that are no object', 'return call("s__args", "text").then((r) => r.text)', '"text"'],
  [
    'arguments that make their own JSON',
    'return call("s__args", { toJSON: () => ({ x: 1 }) }).then((r) => r.text)',
    '{"x":1}',
  ],
  ['arguments that throw', 'return call("s__t", { get x() { throw 1 } }).catch((e) => e)', 1],
  ['arguments in a circle', 'const a = {}; a.a = a; return call("s__t", a).catch(() => "no")', 'no'],
  [
    'arguments that are too long',
    'return call("s__t", { x: "y".repeat(1_000_001) }).catch(() => "no")',
    'no',
  ],
  ['a proxy as arguments', 'return call("s__args", new Proxy({ x: 1 }, {})).then((r) => r.text)', '{"x":1}'],
  ['a thenable of its own', 'return { then: (done) => done("forged") }', 'forged'],
  // Memory that is shared with something.
  [
    'SharedArrayBuffer',
    'return typeof SharedArrayBuffer === "undefined" || new SharedArrayBuffer(8).byteLength === 8',
    true,
  ],
  ['memory beyond a buffer', 'return new Uint8Array(new ArrayBuffer(8))[1e9]', null],
  [
    'a detached buffer',
    'const b = new ArrayBuffer(8, { maxByteLength: 16 }); b.resize?.(0); return new Uint8Array(b).length',
    0,
  ],
  [
    'a DataView out of bounds',
    'try { new DataView(new ArrayBuffer(8)).getInt32(1e9) } catch (e) { return e.name }',
    'RangeError',
  ],
];

/** Code that changes what it was given; afterwards it tries to use what it has changed. */
export const TAMPERING: readonly (readonly [what: string, code: string])[] = [
  [
    'JSON.parse and JSON.stringify',
    'JSON.parse = JSON.stringify = () => "{}"; return (await call("s__t")).text',
  ],
  ['Promise.prototype.then', 'Promise.prototype.then = () => { throw 1 }; return (await call("s__t")).text'],
  [
    'Array.prototype',
    'Array.prototype.map = Array.prototype.filter = undefined; return (await call("s__t").catch(() => 1)).text',
  ],
  [
    'Object.prototype',
    'Object.prototype.isError = true; Object.prototype.toJSON = () => 1; return (await call("s__t").catch(() => 1)).text',
  ],
  ['String.prototype.slice', 'String.prototype.slice = () => "x".repeat(1e6); return 1'],
  [
    'a setter on globalThis',
    'Object.defineProperty(globalThis, "then", { get() { throw 1 } }); return (await call("s__t")).text',
  ],
  ['the function around it', 'return 1; }); (() => { throw 2; '],
  ['a comment around the end', 'return 1; /*'],
  ['an end of its own', '}), (async () => { return 3;'],
  ['strict mode', 'with ({}) { return 1 }'],
];

/** Code that would not end, or not fit, and what ends it. */
export const ENDLESS: readonly (readonly [what: string, code: string, ended: RegExp])[] = [
  ['a loop', 'for (;;);', /computed/],
  ['a loop that catches everything', 'for (;;) { try { for (;;); } catch {} }', /computed/],
  ['a loop of promises', 'const f = () => Promise.resolve().then(f); await f();', /computed|memory/],
  ['a loop of awaits', 'for (;;) await null;', /computed|memory/],
  ['a regular expression', 'return /^(a+)+$/.test("a".repeat(50) + "!")', /computed/],
  ['a getter that loops when the result is written', 'return { get x() { for (;;); } }', /computed/],
  ['a toJSON that loops', 'return { toJSON() { for (;;); } }', /computed/],
  ['a join that no interrupt handler sees', 'return new Array(1_000_000_000) + ""', /computed/],
  [
    'large integers',
    'let b = 3n ** 200_000n; for (;;) b = (b * b) % (7n ** 300_000n)',
    /computed|memory|large/,
  ],
  ['a sort', 'return new Array(2 ** 31).fill(0).sort(() => Math.random())', /computed|memory|length/i],
  ['recursion', 'const f = () => f() + 1; return f()', /stack overflow|call stack/],
  ['recursion of JSON', 'return JSON.parse("[".repeat(1e6))', /stack overflow|SyntaxError/],
  ['lists that grow', 'const a = []; for (;;) a.push(new Array(10_000).fill(1))', /memory|computed|ended/],
  ['a text that doubles', 'let s = "x"; for (;;) s += s', /memory|too long|computed/],
  ['a large buffer', 'return new ArrayBuffer(2 ** 31).byteLength', /memory|length|RangeError/],
  ['a promise that never comes', 'await new Promise(() => {})', /stuck/],
];
