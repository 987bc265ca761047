// src/programs/byte-pipe.ts
import { spawn } from "child_process";
import process from "process";
var [command = "", ...args] = process.argv.slice(2);
var server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(server.stdin);
server.stdout.pipe(process.stdout);
//# sourceMappingURL=byte-pipe.js.map