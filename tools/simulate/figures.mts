import type { Figures } from './kernel/figures.mts';

/**
 * The measurements of the test PostgreSQL server with `fsync` on two busy cores: 20,000 commits by eight programs at once, and
 * 5,000 notifications meanwhile (`npm run bench -- commits`, 25 November 2026). A server with free cores is faster.
 */
export const figures: Figures = {
  commitMs: [
    [0.5, 5.03],
    [0.9, 19.82],
    [0.99, 52.18],
    [0.999, 128.61],
    [1, 305.46],
  ],
  notificationMs: [
    [0.5, 0.23],
    [0.9, 7.62],
    [0.99, 33.14],
    [0.999, 124.74],
    [1, 188.8],
  ],
};
