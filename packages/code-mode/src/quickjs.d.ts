/** Declared here because the build bundles the package's ES module, but the package has types only for CommonJS. */
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

/** The part of `WebAssembly` that this package uses. The Node.js types do not declare it. */
declare namespace WebAssembly {
  interface Module {
    readonly [Symbol.toStringTag]: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
