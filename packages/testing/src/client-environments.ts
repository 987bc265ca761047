import { readdirSync, readFileSync } from 'node:fs';

const ENVIRONMENT_FOLDER = new URL('../fixtures/environments/', import.meta.url);

/** The recorded environments of two windows of one client, with invented values. Each window has a different folder. */
export interface ClientEnvironments {
  readonly client: string;
  readonly windows: readonly [Environment, Environment];
}

type Environment = Readonly<Record<string, string>>;

/** Returns the recorded environments of all clients. */
export function clientEnvironments(): readonly ClientEnvironments[] {
  return readdirSync(ENVIRONMENT_FOLDER).map((file) => {
    const { windows } = JSON.parse(readFileSync(new URL(file, ENVIRONMENT_FOLDER), 'utf8')) as Pick<
      ClientEnvironments,
      'windows'
    >;
    return { client: file.replace('.json', ''), windows };
  });
}
