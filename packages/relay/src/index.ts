export { Relay, type RelayEnd, type RelayParts, type WindowState } from './relay.js';
export { readWindowLine, windowLine, type WindowLine } from './window-line.js';
