// A module of its own, so that the bundle of the relay has no more of the package than this: a dynamic import of the
// package itself would bring all of it.
export { sharedEnvironmentIn } from '@mcpmux/config';
