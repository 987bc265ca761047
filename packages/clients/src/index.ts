export {
  ClientFileError,
  type ClientFileErrorCode,
  clientPath,
  clientServers,
  isInstalled,
  openClientFile,
  withEntry,
  type ClientFile,
  type ClientServer,
} from './client/client-file.js';
export { CLIENTS } from './client/client-list.js';
export { passedEnvironment } from './client/passed-environment.js';
export type { ClientEnvironment } from './environment/client-environment.js';
export type { Client, ClientPlaces, ClientScope } from './client/client.js';
export type { ClientId } from './client/client-ids.js';
export type { Dialect, Exported, Imported } from './dialect/dialect.js';
export { endpointOf } from './dialect/endpoint.js';
export { isPlaceholder, NO_VARIABLES } from './dialect/placeholders.js';
export { decodedText } from './document/decoded-text.js';
export type { DocumentEditor, DocumentFormat } from './document/document-editor.js';
export { DocumentError, positionAt, type Position } from './document/document-error.js';
export { editDocument } from './document/edit-document.js';
export { documentEditor } from './document/editor-of.js';
export { jsonEditor } from './document/json-editor.js';
export { defined, isObject, mapEntry, valueAt, withValue, type JsonObject } from './json/json-object.js';
