/** A server's settings. */
export const port = Number(process.env.PORT);
export const secret = String(process.env.JWT_SECRET);
/** The response to `GET /`. */
export const about = String(process.env.ABOUT);

/** The resources that a server has used. */
export interface Usage {
  /** The CPU time of all threads, in microseconds. */
  readonly cpu: number;
  /** The resident memory in bytes. */
  readonly memory: number;
}

// Requested before and after a measurement, never during one.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, memory: process.memoryUsage.rss() };
  process.send?.(usage);
});
