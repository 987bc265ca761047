/**
 * Two tools in valid JSON that no serializer would write: numbers that JavaScript cannot represent, unknown members,
 * unusual key order, unnecessary escapes and spaces. The JSON is one line, because newlines delimit messages.
 */
export const ODD_TOOL_LIST: string = [
  String.raw`{"x-vendor" : {"build":12345678901234567890,"ratio":1.0,"zero":-0,"far":1e400,"e":1E+2},`,
  String.raw`"tools":[{"inputSchema":{"required":[],"properties":{"n":{"maximum":12345678901234567890,`,
  String.raw`"type":"number","multipleOf":1.0,"minimum":-0}},"type":"object","additionalProperties":true},`,
  String.raw`"annotations":{"readOnlyHint":true,"x-risk":0.10},"_meta":{"vendor.example/rank":1.50,"path":"a\/b"},`,
  String.raw`"icons":[{"src":"data:image\/png;base64,AAAA","mimeType":"image\/png","sizes":["48x48"]}],`,
  String.raw`"x-vendor":[1.0,-0,{"":null}],"title":"R\u0041W \u65e5\u672c \ud83d\udd27","name":"r\u0061w",`,
  String.raw`"description":"Answers with the bytes of a file.","execution":{"taskSupport":"forbidden"}},`,
  String.raw`{"name":"last_line","inputSchema":{"type":"object"},"description":"caf\u00e9 \\u0041 é"}],`,
  String.raw`"_meta":{"vendor.example\/page":1}}`,
].join('');
