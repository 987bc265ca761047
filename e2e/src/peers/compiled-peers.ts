import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const BUILT = fileURLToPath(new URL('../../../node_modules/.cache/peers/', import.meta.url));

/** A server and a client in a language that is compiled. */
export interface CompiledPeer {
  /** As test titles name its SDK. */
  readonly sdk: string;
  readonly command: string;
  /** The modes of its client, with the revision that each negotiates. */
  readonly modes: Readonly<Record<string, string>>;
  readonly compiler: readonly [command: string, ...args: string[]];
  /** Why it is not built, unless it is asked for. */
  readonly leftOut?: string | undefined;
}

function sources(language: string): string {
  return fileURLToPath(new URL(language, import.meta.url));
}

const GO = join(BUILT, 'go');
const RUST = join(BUILT, 'rust');
const AT = ['--manifest-path', join(sources('rust'), 'Cargo.toml'), '--target-dir', RUST];
const isRustWanted = process.env['E2E_RUST'] === '1';

export const COMPILED_PEERS: readonly CompiledPeer[] = [
  {
    sdk: 'go-sdk 1.8.0',
    command: join(GO, 'peer'),
    modes: { '2026-07-28': '2026-07-28', '2025-11-25': '2025-11-25' },
    compiler: ['go', 'build', '-C', sources('go'), '-o', join(GO, 'peer')],
  },
  {
    sdk: 'rmcp 3.11.0',
    command: join(RUST, 'debug', 'peer'),
    modes: { auto: '2026-07-28', pinned: '2026-07-28', legacy: '2025-11-25' },
    compiler: ['cargo', 'build', '--quiet', '--locked', ...AT],
    leftOut: isRustWanted ? undefined : 'its build takes a minute or more: set E2E_RUST=1',
  },
];

/** Whether the peer was built: not every machine has its compiler. */
export function isBuilt({ command }: CompiledPeer): boolean {
  return existsSync(command);
}

/** Builds what is not yet built, or tells why not. */
export function buildPeers(): void {
  for (const peer of COMPILED_PEERS) {
    const reason = peer.leftOut ?? failureOf(peer);
    if (reason === undefined) continue;
    rmSync(peer.command, { force: true });
    process.stderr.write(`The peers on ${peer.sdk} are not run: ${reason}\n`);
  }
}

function failureOf({ compiler: [command, ...args] }: CompiledPeer): string | undefined {
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    return undefined;
  } catch (error) {
    return String(error);
  }
}
