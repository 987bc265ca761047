/** The build resolves this module to an ES module. The package has types only for its CommonJS module. */
declare module '@jitl/quickjs-wasmfile-release-sync' {
  import type { QuickJSSyncVariant } from 'quickjs-emscripten-core';

  const variant: QuickJSSyncVariant;
  export default variant;
}

declare module '@jitl/quickjs-wasmfile-release-sync/wasm' {
  /** The WebAssembly binary of QuickJS, base64-encoded. The build inlines it into the worker's script. */
  const base64: string;
  export default base64;
}

/** The Node.js types lack this namespace. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
