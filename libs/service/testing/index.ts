export { administrator, newEmail } from './administrator';
export { type BootedProgram, bootProgram, type BootPlan } from './boot-program';
export { Client, type Reply } from './client';
export { gatherRateCounts } from './gather-rate-counts';
export { testDescription } from './test-description';
export { uncompiledInputs } from './uncompiled-inputs';
export { fieldNames, type Leak, LeakDetector, plainName } from './leak-detector';
export { LeakSweep, type SweepCaller, type SweepPlan, type Swept } from './leak-sweep';
