import { pathToFileURL } from 'node:url';

/** Returns a module that runs the module of a file. Node.js imports absolute paths of Windows only as urls. */
export function importing(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(file).href)};\n`;
}
