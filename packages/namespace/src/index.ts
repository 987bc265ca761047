export { decodeCursor, encodeCursor, type ListPosition } from './cursor.js';
export { NamespaceError, type NamespaceErrorCode } from './errors.js';
export { DEFAULT_NAME_BUDGET, fitName, MIN_NAME_BUDGET, type FitOptions } from './fitted-name.js';
export {
  qualify,
  splitQualifiedName,
  type LocalName,
  type QualifiedName,
  type QualifiedNameParts,
} from './qualified-name.js';
export { aliasUri } from './resource-alias.js';
export { SEPARATOR } from './separator.js';
export {
  foldServerName,
  isServerName,
  MAX_SERVER_NAME_LENGTH,
  parseServerName,
  type ServerName,
} from './server-name.js';
export { qualifyTaskId, splitTaskId, type TaskIdParts } from './task-id.js';
