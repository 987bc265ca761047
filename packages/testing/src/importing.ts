import { pathToFileURL } from 'node:url';

/** Returns the source text of a module that imports a file. On Windows, Node.js imports absolute paths only as URLs. */
export function importStatement(file: string): string {
  return `import ${JSON.stringify(pathToFileURL(file).href)};\n`;
}
