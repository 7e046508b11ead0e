import { Program } from './program.mts';
import type { Machine, World } from './world.mts';

/** The running programs, each on its own machine. */
export class Fleet {
  private readonly programs = new Map<Machine, Program>();

  /** Starts a fleet. @param begin the function that runs a program from its start */
  constructor(
    private readonly world: World,
    private readonly begin: (program: Program) => void,
  ) {
    for (const machine of world.machines)
      world.events.after(world.random.between(0, 5_000), () => this.start(machine));
  }

  programOf(machine: Machine): Program | undefined {
    return this.programs.get(machine);
  }

  /** The programs that run and are not suspended. */
  get running(): Program[] {
    return [...this.programs.values()].filter(({ isPaused }) => !isPaused);
  }

  start(machine: Machine): void {
    if (this.programs.has(machine)) return;
    const program = new Program(this.world, machine);
    this.programs.set(machine, program);
    this.begin(program);
  }

  kill(machine: Machine): void {
    this.programs.get(machine)?.kill();
    this.programs.delete(machine);
  }
}
