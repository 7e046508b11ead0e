export { Repeat } from './repeat';
export { systemTiming, type Timing } from './timing';
