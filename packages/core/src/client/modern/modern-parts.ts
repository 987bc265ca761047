import type { Clock } from '@mcpmux/kit';
import type { GuardList } from '../../guards/guard-list.js';
import type { Listeners } from '../methods/listeners.js';
import type { ClientRoots } from './client-roots.js';
import type { LegacyTasks } from './legacy-tasks.js';
import type { ModernPrimaries } from './modern-primaries.js';
import type { OwnAnswerCompleter } from './own-answers.js';
import type { ParkingLot } from './parking-lot.js';
import type { UrlWaits } from './url-waits.js';

/** The dependencies that all modern requests share. */
export interface ModernParts {
  readonly clock: Clock;
  readonly guards: Pick<GuardList, 'hasHandlers'>;
  readonly lot: ParkingLot;
  readonly roots: ClientRoots;
  readonly primaries: ModernPrimaries;
  readonly urlWaits: UrlWaits;
  readonly completer: OwnAnswerCompleter;
  readonly listeners: Listeners;
  readonly legacyTasks: LegacyTasks;
}
