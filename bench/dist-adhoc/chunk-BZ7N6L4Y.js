var __knownSymbol = (name, symbol) => (symbol = Symbol[name]) ? symbol : /* @__PURE__ */ Symbol.for("Symbol." + name);
var __typeError = (msg) => {
  throw TypeError(msg);
};
var __using = (stack, value, async) => {
  if (value != null) {
    if (typeof value !== "object" && typeof value !== "function") __typeError("Object expected");
    var dispose, inner;
    if (async) dispose = value[__knownSymbol("asyncDispose")];
    if (dispose === void 0) {
      dispose = value[__knownSymbol("dispose")];
      if (async) inner = dispose;
    }
    if (typeof dispose !== "function") __typeError("Object not disposable");
    if (inner) dispose = function() {
      try {
        inner.call(this);
      } catch (e) {
        return Promise.reject(e);
      }
    };
    stack.push([async, dispose, value]);
  } else if (async) {
    stack.push([async]);
  }
  return value;
};
var __callDispose = (stack, error, hasError) => {
  var E = typeof SuppressedError === "function" ? SuppressedError : function(e, s, m, _) {
    return _ = Error(m), _.name = "SuppressedError", _.error = e, _.suppressed = s, _;
  };
  var fail = (e) => error = hasError ? new E(e, error, "An error was suppressed during disposal") : (hasError = true, e);
  var next = (it) => {
    while (it = stack.pop()) {
      try {
        var result = it[1] && it[1].call(it[2]);
        if (it[0]) return Promise.resolve(result).then(next, (e) => (fail(e), next()));
      } catch (e) {
        fail(e);
      }
    }
    if (hasError) throw error;
  };
  return next();
};

// src/payload.ts
var KILOBYTE = 1e3;
var STRUCTURED_BYTES = 100 * KILOBYTE;
var FILLER = "The quick brown fox jumps over the lazy dog. ";
var PAYLOADS = {
  "100b": text("100 B", 100),
  "10k": text("10 KB", 10 * KILOBYTE),
  "1m": text("1 MB", 1e3 * KILOBYTE),
  structured: { label: "structured 100 KB", bytes: STRUCTURED_BYTES, result: structuredResult }
};
var PAYLOAD_NAMES = ["100b", "10k", "1m", "structured"];
function isPayloadName(name) {
  return Object.hasOwn(PAYLOADS, name);
}
function payloadOf(nameOrBytes) {
  if (isPayloadName(nameOrBytes)) return PAYLOADS[nameOrBytes];
  const bytes = Number(nameOrBytes);
  if (Number.isInteger(bytes) && bytes > 0) return text(`${bytes} B`, bytes);
  throw new Error(`no such payload: ${nameOrBytes}`);
}
function text(label, bytes) {
  const result = () => ({
    content: [{ type: "text", text: FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, bytes) }]
  });
  return { label, bytes, result };
}
function structuredResult() {
  const rows = [];
  for (let size = 0; size < STRUCTURED_BYTES; ) {
    const index = rows.length;
    const row = {
      number: index,
      name: `row ${index}`,
      done: index % 3 === 0,
      share: index / 7,
      tags: ["a", "b"]
    };
    rows.push(row);
    size += JSON.stringify(row).length + 1;
  }
  return { content: [{ type: "text", text: `${rows.length} rows` }], structuredContent: { rows } };
}

export {
  __using,
  __callDispose,
  PAYLOADS,
  PAYLOAD_NAMES,
  isPayloadName,
  payloadOf
};
//# sourceMappingURL=chunk-BZ7N6L4Y.js.map