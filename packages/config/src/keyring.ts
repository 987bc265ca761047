import { createRequire } from 'node:module';

/** Stores this user's secrets by name. */
export interface Keyring {
  /** @throws Error if the keyring cannot be used */
  get(name: string): string | undefined;
  /** @throws Error if the keyring cannot be used */
  set(name: string, value: string): void;
  /** Returns false if the secret does not exist. @throws Error if the keyring cannot be used */
  remove(name: string): boolean;
  /** @throws Error if the keyring cannot be used */
  listNames(): readonly string[];
}

const SERVICE_NAME = 'mcpmux';
const PACKAGE_NAME = '@napi-rs/keyring';

/** The part of `@napi-rs/keyring` that mcpmux uses. */
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

/** The system keyring. Loads its optional package on first use, because most configs use no secrets. */
export const systemKeyring: Keyring = {
  get: (name) => new (loadPackage().Entry)(SERVICE_NAME, name).getPassword() ?? undefined,
  set: (name, value) => new (loadPackage().Entry)(SERVICE_NAME, name).setPassword(value),
  remove: (name) => new (loadPackage().Entry)(SERVICE_NAME, name).deletePassword(),
  listNames: () =>
    loadPackage()
      .findCredentials(SERVICE_NAME)
      .map(({ account }) => account)
      .toSorted(),
};

function loadPackage(): KeyringPackage {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the package has no other form
    return createRequire(import.meta.url)(PACKAGE_NAME) as KeyringPackage;
  } catch {
    throw new Error(`the optional package ${PACKAGE_NAME} is not installed`);
  }
}
