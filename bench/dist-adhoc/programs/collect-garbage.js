// src/programs/collect-garbage.ts
import process from "process";
process.on("SIGUSR2", () => globalThis.gc?.());
//# sourceMappingURL=collect-garbage.js.map