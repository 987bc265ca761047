// Loaded before a program whose memory is measured: on a signal it collects its garbage.
//
// usage: node --expose-gc --import collect-garbage PROGRAM
import process from 'node:process';

process.on('SIGUSR2', () => globalThis.gc?.());
