import type { Figures } from './kernel/figures.mts';

/** Placeholders until measured. */
export const figures: Figures = {
  commitMs: [
    [0.5, 0.5],
    [0.99, 3],
    [1, 30],
  ],
  notificationMs: [
    [0.5, 0.3],
    [0.99, 2],
    [1, 20],
  ],
};
