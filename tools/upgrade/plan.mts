import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gt } from 'semver';
import { memberOf, mergeJson, readObject } from './merge-json.mts';
import { type Merged, mergeText } from './merge-text.mts';
import type { Manifest, Release } from './release.mts';
import { releaseBefore, type Step, stepsBetween } from './steps.mts';
import { storeLines } from './store.mts';

/** A workspace, and the releases between which it moves. */
export interface Move {
  /** The folder of the workspace. */
  readonly root: string;
  /** The files of the team that codemods may change, relative to the workspace. */
  readonly sources: readonly string[];
  readonly from: Release;
  readonly to: Release;
  /** What `package.json` has as the version of a package of ours. */
  readonly placeOf: (name: string) => string;
}

/** Everything that an upgrade changes; nothing is written before all of it is known. */
export interface Plan {
  /** Texts by path; `undefined` for a file that is deleted. */
  readonly writes: ReadonlyMap<string, string | undefined>;
  /** What it does, and what it leaves as it is. */
  readonly lines: readonly string[];
}

/**
 * Says what an upgrade, or a rollback, changes.
 *
 * @param steps of the newer release
 * @throws Error for a rollback over more than one release
 */
export function planOf(move: Move, steps: readonly Step[]): Plan {
  const { from, to } = move;
  assertOneBack(steps, from.version, to.version);
  const managed = [['package.json', manifestOf(move)] as const, ...managedFiles(move)];
  const written = new Map(managed.map(([path, { text }]) => [path, text]));
  const changed = codemodsOf(move, steps);
  for (const [path, text] of changed.texts) if (!written.has(path)) written.set(path, text);
  const isChanged = ([path, text]: [string, string | undefined]) => text !== read(move.root, path);
  return {
    writes: new Map([...written].filter(isChanged)),
    lines: [...managed.flatMap(([, { lines }]) => lines), ...changed.lines, ...storeLines(from, to)],
  };
}

function assertOneBack(steps: readonly Step[], from: string, to: string): void {
  const before = releaseBefore(steps, from);
  if (!gt(from, to) || before === to) return;
  const allowed = before === undefined ? 'It has no release before it' : `It can be rolled back to ${before}`;
  throw new Error(`This workspace is at ${from}, and cannot go back to ${to}. ${allowed}.`);
}

/** The versions of our packages are those of the release in any case; a tarball may have been in their place. */
function manifestOf({ root, from, to, placeOf }: Move): Merged {
  const text = read(root, 'package.json') ?? '{}';
  const base = withOurs(from.manifest, (name, kind) => memberOf(readObject(text)?.[kind], name));
  const merged = mergeJson('package.json', base, text, withOurs(to.manifest, placeOf));
  if (merged === undefined) throw new Error('package.json is no JSON object.');
  return merged;
}

const kinds = ['dependencies', 'devDependencies'] as const;

function withOurs(manifest: Manifest, placeOf: (name: string, kind: string) => unknown): Manifest {
  const placed = kinds.map((kind) => {
    const entries = Object.entries(manifest[kind]);
    return [
      kind,
      Object.fromEntries(
        entries.map(([name, one]) => [name, name.startsWith('@sluice/') ? placeOf(name, kind) : one]),
      ),
    ];
  });
  return { ...manifest, ...Object.fromEntries(placed) };
}

function managedFiles({ root, from, to }: Move): [string, Merged][] {
  return [...new Set([...from.files.keys(), ...to.files.keys()])].map((path) => {
    const [base, ours, theirs] = [from.files.get(path), read(root, path), to.files.get(path)];
    return [path, mergeMembers(path, base, ours, theirs) ?? mergeText(path, base, ours, theirs)];
  });
}

function mergeMembers(path: string, base?: string, ours?: string, theirs?: string): Merged | undefined {
  if (!path.endsWith('.json') || ours === undefined) return undefined;
  const [was, will] = [base, theirs].map((text) => text && readObject(text));
  return was && will ? mergeJson(path, was, ours, will) : undefined;
}

/** What codemods make of the sources. */
interface Changed {
  readonly texts: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
}

/** Upwards the codemods are applied in the order of releases, downwards undone in the other. */
function codemodsOf({ root, sources, from, to }: Move, steps: readonly Step[]): Changed {
  const isBack = gt(from.version, to.version);
  const between = isBack
    ? stepsBetween(steps, to.version, from.version).toReversed()
    : stepsBetween(steps, from.version, to.version);
  const texts = new Map<string, string>();
  const lines: string[] = [];
  for (const codemod of between.flatMap(({ codemods }) => (isBack ? codemods.toReversed() : codemods))) {
    const changed = sources.filter((path) => {
      if (!codemod.files.test(path)) return false;
      const before = texts.get(path) ?? read(root, path) ?? '';
      const after = isBack ? codemod.undo(before, path) : codemod.apply(before, path);
      texts.set(path, after);
      return before !== after;
    });
    lines.push(...changed.map((path) => `${path}: ${isBack ? 'undone: ' : ''}${codemod.changes}`));
  }
  return { texts, lines };
}

function read(root: string, path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
