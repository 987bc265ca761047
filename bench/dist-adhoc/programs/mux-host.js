// src/programs/mux-host.ts
import process from "process";
import { createMux } from "@mcpmux/core";
var mux = createMux({ limits: { maxServers: 256, maxToolsPerServer: 2e4 } });
var session = mux.connect({ input: process.stdin, output: process.stdout });
await session.closed;
await mux.close();
//# sourceMappingURL=mux-host.js.map