import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';

const SERVERS = ['echo', 'progress', 'hold-calls', 'interactive'];

/** A built command that serves over HTTP, with fixture servers behind it. */
export class Front {
  static async start(repository) {
    const folder = mkdtempSync(join(tmpdir(), 'mcpmux-differential-'));
    const config = join(folder, 'config.json');
    const fixture = (name) => join(resolve(repository), 'packages', 'test-servers', 'dist', `${name}.js`);
    const servers = SERVERS.map((name) => [name[0], { command: process.execPath, args: [fixture(name)] }]);
    writeFileSync(config, JSON.stringify({ mcpServers: Object.fromEntries(servers) }));
    const cli = join(resolve(repository), 'packages', 'cli', 'bin', 'mcpmux.cjs');
    const flags = [
      '--http',
      '0',
      '--no-socket',
      '--max-sessions',
      '1000',
      '--allow-origin',
      'https://a.example',
    ];
    const child = spawn(process.execPath, [cli, 'serve', '--config', config, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_STATE_HOME: folder },
    });
    let said = '';
    while (!/http:\S+\/mcp/.test(said)) said += String((await once(child.stderr, 'data'))[0]);
    child.stderr.resume();
    const front = new Front(child, folder, new URL(/http:\S+\/mcp/.exec(said)[0]));
    await front.ready();
    return front;
  }

  constructor(child, folder, url) {
    Object.assign(this, { child, folder, url });
  }

  async ready() {
    const answer = await fetch(new URL('/readyz', this.url));
    if (answer.status === 200) return;
    await new Promise((done) => setTimeout(done, 50));
    await this.ready();
  }

  /** Sends a request. Resolves when its response has begun. */
  send(method, headers, body) {
    return new Promise((done, fail) => {
      const outgoing = request(this.url, { method, headers, agent: false });
      outgoing.on('response', done).on('error', fail);
      outgoing.end(body);
    });
  }

  async stop() {
    const exited = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await exited;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
