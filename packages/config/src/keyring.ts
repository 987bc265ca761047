import { createRequire } from 'node:module';

/** Named secrets of this user. */
export interface Keyring {
  /** @throws Error when the keyring cannot be used */
  get(name: string): string | undefined;
  /** @throws Error when the keyring cannot be used */
  set(name: string, value: string): void;
  /** False when there is no such secret. @throws Error when the keyring cannot be used */
  remove(name: string): boolean;
  /** @throws Error when the keyring cannot be used */
  names(): readonly string[];
}

const SERVICE = 'mcpmux';
const PACKAGE = '@napi-rs/keyring';

/** As much of the package as mcpmux uses. */
interface KeyringPackage {
  readonly Entry: new (
    service: string,
    account: string,
  ) => {
    getPassword(): string | null;
    setPassword(value: string): void;
    deletePassword(): boolean;
  };
  findCredentials(service: string): readonly { readonly account: string }[];
}

/** The keyring of the system. Its code is loaded for the first secret: most configs have none. */
export const systemKeyring: Keyring = {
  get: (name) => new (load().Entry)(SERVICE, name).getPassword() ?? undefined,
  set: (name, value) => new (load().Entry)(SERVICE, name).setPassword(value),
  remove: (name) => new (load().Entry)(SERVICE, name).deletePassword(),
  names: () =>
    load()
      .findCredentials(SERVICE)
      .map(({ account }) => account)
      .toSorted(),
};

function load(): KeyringPackage {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package has no other form
    return createRequire(import.meta.url)(PACKAGE) as KeyringPackage;
  } catch {
    throw new Error(`the optional package ${PACKAGE} is not installed`);
  }
}
