import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'node:path';

/** A config file of an MCP client, written according to the client's public documentation. */
export interface ClientFixture {
  /** The id of the client. */
  readonly id: string;
  readonly text: string;
}

const FIXTURE_FOLDER = new URL('../fixtures/clients/', import.meta.url);

/** One file for each client. */
export const CLIENT_FIXTURES: readonly ClientFixture[] = readdirSync(FIXTURE_FOLDER).map((name) => ({
  id: parse(name).name,
  text: readFileSync(new URL(name, FIXTURE_FOLDER), 'utf8'),
}));
