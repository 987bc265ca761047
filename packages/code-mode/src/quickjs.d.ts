/** The build resolves this to an ES module; the package has the types of its CommonJS module only. */
declare module '@jitl/quickjs-wasmfile-release-sync' {
  import type { QuickJSSyncVariant } from 'quickjs-emscripten-core';

  const variant: QuickJSSyncVariant;
  export default variant;
}

declare module '@jitl/quickjs-wasmfile-release-sync/wasm' {
  /** The bytes of QuickJS in base64, which the build puts into the program of the thread. */
  const base64: string;
  export default base64;
}

/** The types of Node.js do not have it. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
