import type { DocumentEditor, DocumentFormat } from './document-editor.js';

/** Loads a format's editor on demand. */
export async function documentEditor(format: DocumentFormat): Promise<DocumentEditor> {
  switch (format) {
    case 'json':
      return (await import('./json-editor.js')).jsonEditor;
    case 'toml':
      return (await import('./toml-editor.js')).tomlEditor;
    case 'yaml':
      return (await import('./yaml-editor.js')).yamlEditor;
  }
}
