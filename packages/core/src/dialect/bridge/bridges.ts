import type { Bridge, FindBridge } from '../../downstream/request/crossing.js';
import type { Era } from '../era.js';
import { modernOnLegacy } from './modern-on-legacy.js';

/** The bridges by the era of the client, then of the server. */
const CELLS: Readonly<Record<Era, Partial<Record<Era, Bridge>>>> = {
  legacy: {},
  modern: { legacy: modernOnLegacy },
};

/** Finds the bridge between two eras. Within the legacy era bytes pass as they are. */
export const bridges: FindBridge = (client, server) => CELLS[client][server];
