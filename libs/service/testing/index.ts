export { administrator, newEmail } from './administrator';
export { type BootedProgram, bootProgram, type BootPlan } from './boot-program';
export { Client, type Reply } from './client';
