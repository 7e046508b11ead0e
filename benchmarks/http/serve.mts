/** What a server is told by the one who starts it. */
export const port = Number(process.env.PORT);
export const secret = String(process.env.JWT_SECRET);
/** The answer to `GET /`. */
export const about = String(process.env.ABOUT);

/** What a server has used so far. */
export interface Usage {
  /** Of all its threads, in microseconds. */
  readonly cpu: number;
  /** Resident, in bytes. */
  readonly memory: number;
}

// Whoever started this server asks it before and after a measurement, and never during one.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const usage: Usage = { cpu: user + system, memory: process.memoryUsage.rss() };
  process.send?.(usage);
});
