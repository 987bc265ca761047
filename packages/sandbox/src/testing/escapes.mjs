// Tries to leave a sandbox, and prints what happened to each attempt as JSON: "escaped", or why it was refused. Every
// attempt is harmless where it succeeds: nothing is written into a file that has another purpose.
//
// usage: node escapes.mjs TARGETS (a JSON object: the places and processes outside; "only" names the attempts to make)
import { execFileSync } from 'node:child_process';
import dgram from 'node:dgram';
import dns from 'node:dns/promises';
import * as fs from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import process from 'node:process';

const targets = JSON.parse(process.argv[2] ?? '{}');
const { home, outside, pid, port, address, shared, abstract, sockets, only } = targets;
const here = process.cwd();

const reads = (path) => () => {
  if (fs.readFileSync(path, 'utf8') === '') throw new Error('empty');
};
/** Opens for writing, and writes nothing. */
const opens = (path) => () => fs.closeSync(fs.openSync(path, fs.constants.O_WRONLY));
const creates = (path) => () => {
  fs.writeFileSync(path, 'x');
  fs.rmSync(path);
};
const runs =
  (command, ...args) =>
  () =>
    execFileSync(command, args, { stdio: 'ignore', timeout: 5000 });
const connects = (options) => () =>
  new Promise((resolve, reject) => {
    const socket = net.connect(options);
    socket.setTimeout(2000, () => reject(new Error('no answer')));
    socket.on('error', reject);
    socket.on('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
  });
const python = (script) => runs('python3', '-c', script);
const libc = 'import ctypes,sys; c=ctypes.CDLL(None,use_errno=True);';

const attempts = {
  // Writes outside.
  'create a file in the home folder': creates(join(home, '.profile-of-a-server')),
  'create a file beside the working directory': creates(join(outside, 'new')),
  'create a file in /etc': creates('/etc/mcpmux-escape'),
  'create a file in /usr/local/bin': creates('/usr/local/bin/mcpmux-escape'),
  'append to a file outside': opens(join(outside, 'file')),
  'delete a file outside': () => {
    fs.rmSync(join(outside, 'deleted'));
    fs.writeFileSync(join(outside, 'deleted'), 'x');
  },
  'move a file outside': () => {
    fs.renameSync(join(outside, 'file'), join(outside, 'moved'));
    fs.renameSync(join(outside, 'moved'), join(outside, 'file'));
  },
  'change the mode of a file outside': () => fs.chmodSync(join(outside, 'file'), 0o644),
  'write through a link of its own': () => {
    fs.symlinkSync(join(outside, 'file'), join(here, 'link-out'));
    opens(join(here, 'link-out'))();
  },
  'link a file outside into its folder': () => fs.linkSync(join(outside, 'file'), join(here, 'linked')),
  // What other programs run.
  'write a hook of git': creates(join(here, '.git/hooks/post-checkout')),
  'write the settings of git': opens(join(here, '.git/config')),
  'write a task of an editor': creates(join(here, '.vscode/tasks-of-a-server.json')),
  'move .git away, with what is protected in it': () => {
    fs.renameSync(join(here, '.git'), join(here, '.git-moved'));
    fs.renameSync(join(here, '.git-moved'), join(here, '.git'));
  },
  // Secrets.
  'read a key of ssh': reads(join(home, '.ssh/id_ed25519')),
  'read the keys of a cloud': reads(join(home, '.aws/credentials')),
  'read a keyring': reads(join(home, '.local/share/keyrings/login.keyring')),
  'read keys of gpg': reads(join(home, '.gnupg/private')),
  'read tokens of npm': reads(join(home, '.npmrc')),
  'read what was typed in a shell': reads(join(home, '.bash_history')),
  'read the state of mcpmux': reads(join(home, '.local/state/mcpmux/logins.json')),
  'read the caches of another server': reads(join(home, '.local/state/mcpmux/sandbox/other/npm/x')),
  'read the config of a client': reads(join(home, '.cursor/mcp.json')),
  'read /etc/shadow': reads('/etc/shadow'),
  'read a secret through a link of its own': () => {
    fs.symlinkSync(join(home, '.ssh'), join(here, 'link-ssh'));
    reads(join(here, 'link-ssh/id_ed25519'))();
  },
  'list a folder of secrets': () => fs.readdirSync(join(home, '.ssh')),
  'read temporary files of others': reads(join(shared, 'file')),
  // Other processes.
  'read the environment of another process': reads(`/proc/${pid}/environ`),
  'read files by the root of another process': reads(`/proc/${pid}/root${home}/.ssh/id_ed25519`),
  'signal another process': () => process.kill(pid, 0),
  'trace another process': python(`${libc} sys.exit(c.ptrace(16, ${pid}, None, None) != 0)`),
  'read the memory of another process': () => fs.closeSync(fs.openSync(`/proc/${pid}/mem`, 'r')),
  'enter the namespaces of another process': runs('nsenter', '-t', String(pid), '-m', 'true'),
  // The kernel.
  'set the program that the kernel runs for a crash': opens('/proc/sys/kernel/core_pattern'),
  'change a setting of the kernel': opens('/proc/sys/kernel/hostname'),
  'press a magic key': opens('/proc/sysrq-trigger'),
  'change a setting in /sys': opens('/sys/kernel/mm/transparent_hugepage/enabled'),
  'open the memory of the machine': () => fs.closeSync(fs.openSync('/dev/mem', 'r')),
  'make a device': runs('mknod', join(here, 'device'), 'b', '7', '0'),
  // Mounts and namespaces.
  mount: runs('mount', '-t', 'tmpfs', 'none', here),
  'make the system writable': runs('mount', '-o', 'remount,rw,bind', '/'),
  'take the mask off a secret': runs('umount', join(home, '.ssh')),
  'take the mask off in a namespace of its own': runs('unshare', '-Urm', 'umount', join(home, '.ssh')),
  'make a namespace of its own': runs('unshare', '-Ur', 'true'),
  chroot: runs('chroot', '/', 'true'),
  // Rights.
  'become root by sudo': runs('sudo', '-n', 'true'),
  'have a capability': () => {
    if (/^CapEff:\s0+$/m.test(fs.readFileSync('/proc/self/status', 'utf8'))) throw new Error('none');
  },
  'gain rights by exec': () => {
    if (/^NoNewPrivs:\s1$/m.test(fs.readFileSync('/proc/self/status', 'utf8'))) throw new Error('none');
  },
  // Sockets and the network.
  ...Object.fromEntries(
    Object.entries(sockets).map(([name, path]) => [`connect to ${name}`, connects({ path })]),
  ),
  'connect to an abstract socket': connects({ path: `\0${abstract}` }),
  'connect to this computer by IP': connects({ host: '127.0.0.1', port }),
  'connect to this computer by its address': connects({ host: address, port }),
  'resolve a name': () => dns.resolve4('localhost.example.com'),
  'send a datagram': () =>
    new Promise((resolve, reject) => {
      const socket = dgram.createSocket('udp4');
      socket.on('error', reject);
      socket.send('x', 53, '192.0.2.1', (error) => {
        socket.close();
        if (error) reject(error);
        else resolve(undefined);
      });
    }),
  // What it was given.
  'use a descriptor of mcpmux': () => {
    const open = fs.readdirSync('/proc/self/fd').map((fd) => {
      try {
        return fs.readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        return '';
      }
    });
    if (!open.some((file) => file.startsWith(home))) throw new Error('none');
  },
  'write to the terminal': () => fs.closeSync(fs.openSync('/dev/tty', 'w')),
  'share memory with others': reads(`/dev/shm/${abstract}`),
};

const tooLong = () =>
  new Promise((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), 3000).unref();
  });
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  if (only !== undefined && !only.includes(name)) continue;
  try {
    await Promise.race([attempt(), tooLong()]);
    results[name] = 'escaped';
  } catch (error) {
    results[name] = `refused: ${error.code ?? error.message}`;
  }
}
process.stdout.write(JSON.stringify(results), () => process.exit());
