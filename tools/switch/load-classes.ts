import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { hasDecorators, type LoadedClass } from './class-report';

/** The classes of a program, and the files that could not be loaded. */
export interface LoadedClasses {
  readonly classes: readonly LoadedClass[];
  readonly failures: readonly string[];
}

/**
 * Loads the compiled files in a folder that import class-validator or class-transformer, and finds the exported classes with
 * decorators. Skips tests and files that start a Nest program.
 */
export async function loadClasses(folder: string): Promise<LoadedClasses> {
  loadReflection(folder);
  const classes = new Set<LoadedClass>();
  const failures: string[] = [];
  for (const file of compiledFiles(folder)) {
    try {
      for (const type of classesIn(await import(pathToFileURL(file).href))) classes.add(type);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      failures.push(`${relative(folder, file)}: ${reason.split('\n', 1)[0]}`);
    }
  }
  return { classes: [...classes], failures };
}

/** Loads the reflection library for `@Type`. A program imports it in its first file, which the command does not load. */
function loadReflection(folder: string): void {
  try {
    createRequire(join(folder, 'any.js'))('reflect-metadata');
  } catch {
    // A program without it has no such decorators.
  }
}

function compiledFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : compiledFiles(path);
    return /(?<!\.(?:spec|test))\.[cm]?js$/.test(entry.name) && isOfClasses(readFileSync(path, 'utf8'))
      ? path
      : [];
  });
}

function isOfClasses(text: string): boolean {
  return /["']class-(?:validator|transformer)["']/.test(text) && !text.includes('NestFactory');
}

/** A CommonJS module has its exports as `default`, too. */
function classesIn(module: Readonly<Record<string, unknown>>): LoadedClass[] {
  const { default: whole } = module;
  const values: unknown[] = [...Object.values(module), ...Object.values(Object(whole))];
  return values.filter(isClass).filter(hasDecorators);
}

function isClass(value: unknown): value is LoadedClass {
  return typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value));
}
