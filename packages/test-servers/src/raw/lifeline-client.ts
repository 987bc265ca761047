import { connect } from 'node:net';
import process from 'node:process';

/**
 * Connects to the test's lifeline if the environment names it, and sends the role of this process. The connection does
 * not keep the process alive, but the process ends when the connection closes.
 */
export function connectLifeline(role: string): void {
  const address = process.env['LIFELINE'];
  if (address === undefined) return;
  const [host = '', port] = address.split(':');
  const socket = connect({ host, port: Number(port) });
  socket.write(`${JSON.stringify({ role, pid: process.pid })}\n`);
  socket.on('error', () => process.exit(0));
  socket.on('close', () => process.exit(0));
  socket.resume();
  socket.unref();
}
