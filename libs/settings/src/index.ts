export { closestName } from './closest-name';
export { commandLine } from './command-line';
export { type Declarations, declared, type EnvironmentOf, isSecret, type SettingsOf } from './declaration';
export { family, findSets, type Named, withMembers } from './family';
export { readDuration } from './duration';
export { count, milliseconds, onOrOff, orOff, rate, seconds, type Setting, setting } from './grammar';
export { type Rate, rateText, readRate } from './rate';
export { isFirstWorker, workerNumber, workerNumberVariable } from './worker-number';
