// Finds configs and derives server names without loading the config reader, for programs that must start fast.
export {
  type ConfigFound,
  type ConfigLocation,
  type ConfigOrigin,
  type ConfigSearch,
  countsProjects,
  type FileKind,
  findConfig,
  searchOrder,
} from './find-config.js';
export { OWN_NAME } from './own-name.js';
export { serverNameOf } from './server-name.js';
export { didYouMean, suggest } from './suggest.js';
