import { leases } from './leases.mts';
import { limits } from './limits.mts';
import { mails } from './mails.mts';
import { replicas } from './replicas.mts';
import { revocations } from './revocations.mts';
import type { Subject } from './subject.mts';

/** The simulated subjects. */
export const subjects: readonly Subject[] = [revocations, leases, limits, mails, replicas];
