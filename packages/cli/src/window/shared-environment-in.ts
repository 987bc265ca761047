// A separate module, so that the bundle of the relay contains only this part of the package. A dynamic import of the
// package itself would include all of it.
export { sharedEnvironmentIn } from '@mcpmux/config';
