import type { Machine, World } from './world.mts';
import type { Fleet } from './fleet.mts';

/** The bounds for machine clocks in milliseconds, as the product states them. */
const MACHINE_CLOCK = [-60_000, 5_000] as const;
const SERVER_CLOCK_MS = 20_000;

/**
 * Disturbs machines, network and server at random times until the simulation ends. Several disturbances can overlap. Some worlds
 * always have a fault, and other worlds rarely have a fault.
 *
 * @param least the lower bound for the mean time between faults, in milliseconds
 */
export function disturb(world: World, fleet: Fleet, least: number, most: number): void {
  const { events, random } = world;
  const meanMs = least * (most / least) ** random.next();
  const next = (): void =>
    events.after(random.exponential(meanMs), () => {
      world.faults += 1;
      random.pick(faults)(world, fleet);
      next();
    });
  next();
}

type Fault = (world: World, fleet: Fleet) => void;

const faults: [Fault, ...Fault[]] = [
  cutMachine,
  cutMachine,
  cutRegion,
  restartServer,
  failOver,
  stallCommits,
  restartProgram,
  restartProgram,
  pauseProgram,
  setClock,
];

function cutMachine(world: World): void {
  const machine = anyOf(world);
  if (machine.isCut) return;
  machine.isCut = true;
  lasts(world, [machine], `${machine.name} is cut off`, world.random.exponential(20_000), () => {
    machine.isCut = false;
  });
}

function cutRegion(world: World): void {
  const region = world.random.below(3);
  if (world.cutRegions.has(region)) return;
  world.cutRegions.add(region);
  const machines = world.machines.filter((machine) => machine.region === region);
  lasts(world, machines, `region ${region} is cut off`, world.random.exponential(15_000), () => {
    world.cutRegions.delete(region);
  });
}

function restartServer(world: World): void {
  stopServer(world, 'the server restarts', world.random.between(200, 5_000));
}

/** A synchronous standby has all that was committed; its clock differs. */
function failOver(world: World): void {
  if (world.server.isUp) world.server.timeline += 1;
  world.server.clockOffsetMs = world.random.between(-SERVER_CLOCK_MS, SERVER_CLOCK_MS);
  stopServer(world, 'a standby takes over', world.random.between(1_000, 30_000));
}

function stopServer(world: World, what: string, ms: number): void {
  const { server } = world;
  if (!server.isUp) return;
  server.isUp = false;
  server.epoch += 1;
  lastsOnServer(world, what, ms, () => {
    server.isUp = true;
  });
}

function stallCommits(world: World): void {
  const { server, random } = world;
  if (server.stallMs > 0) return;
  server.stallMs = random.between(200, 4_000);
  lastsOnServer(
    world,
    `commits take ${Math.round(server.stallMs)} ms longer`,
    random.exponential(10_000),
    () => {
      server.stallMs = 0;
    },
  );
}

function restartProgram(world: World, fleet: Fleet): void {
  const machine = anyOf(world);
  world.note(`${machine.name} is killed`);
  fleet.kill(machine);
  lasts(world, [machine], `${machine.name} is down`, world.random.exponential(5_000), () =>
    fleet.start(machine),
  );
}

function pauseProgram(world: World, fleet: Fleet): void {
  const machine = anyOf(world);
  const ms = world.random.exponential(world.random.chance(0.5) ? 120_000 : 5_000);
  fleet.programOf(machine)?.pauseFor(ms);
  lasts(world, [machine], `${machine.name} is suspended`, ms, () => {});
}

function setClock(world: World): void {
  const machine = anyOf(world);
  const offset = world.random.between(...MACHINE_CLOCK);
  world.note(`the clock of ${machine.name} is set to ${Math.round(offset)} ms`);
  machine.clockOffsetMs = offset;
  machine.clockSetAt = world.events.now;
}

function anyOf({ random, machines, focus }: World): Machine {
  if (focus !== undefined && random.chance(0.5)) return focus;
  const [first, ...rest] = machines;
  if (first === undefined) throw new TypeError('there is no machine');
  return random.pick([first, ...rest]);
}

function lasts(world: World, machines: readonly Machine[], what: string, ms: number, end: () => void): void {
  world.note(`${what} for ${Math.round(ms)} ms`);
  for (const { trouble } of machines) trouble.begin();
  world.events.after(ms, () => {
    end();
    for (const { trouble } of machines) trouble.end(world.events.now);
  });
}

function lastsOnServer(world: World, what: string, ms: number, end: () => void): void {
  const { trouble } = world.server;
  world.note(`${what} for ${Math.round(ms)} ms`);
  trouble.begin();
  world.events.after(ms, () => {
    end();
    trouble.end(world.events.now);
  });
}
