import { leases } from './leases.mts';
import { revocations } from './revocations.mts';
import type { Subject } from './subject.mts';

/** What is simulated. */
export const subjects: readonly Subject[] = [revocations, leases];
