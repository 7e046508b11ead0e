/** Upper bounds in seconds of the buckets of what a request waits for: from 0.5 ms to 10 s. */
export const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
