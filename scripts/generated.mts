import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exposure } from '@app/contract';
import openapiTS, { astToString } from 'openapi-typescript';
import { format, resolveConfig } from 'prettier';
import { lockFile } from './exposures.mts';
import { readProgram, withProgram } from './programs.mts';
import { listApplications, root } from './workspace.mts';

/** What writes every generated file; each test that finds a stale one names it. */
export const command = 'npm run generate';

/** A file that is made from the code; `path` is relative to the workspace. */
export interface GeneratedFile {
  readonly path: string;
  readonly text: string;
}

const clientHead = `/**
 * What api takes in and sends, as types.
 *
 * Made from apps/api/openapi.json by \`${command}\`; a change by hand does not last.
 */

`;

const settingsHead = `# Settings

Read from the environment once, when a program starts. Every problem is told at once, and ends the start. The same for
every program of the workspace; this page is made from their declarations by \`${command}\`.

`;

const contractHead = `# The contract

What an application takes in, sends, and whom it lets in, is declared on its classes and controllers. Every route is
looked at before the first request; whatever is left open ends the start, all of it told at once, each with its code, the
file and the line, and what mends it. \`npm run contract:check\` tells the same without starting anything. This page is
made from the code by \`${command}\`.

`;

/** Makes every file that follows the code: the lock, the descriptions, the client's types, the pages. */
export async function makeGeneratedFiles(): Promise<readonly GeneratedFile[]> {
  const { describeApi, describeRoutes, settingsPage } = await import('@app/service');
  const { exposureOf, findingsPage } = await import('@app/contract');
  const exposures: Record<string, Exposure> = {};
  const descriptions: Record<string, string> = {};
  const declarations = {};
  for (const application of listApplications()) {
    Object.assign(declarations, (await readProgram(application)).declarations);
    await withProgram(application, (app) => {
      exposures[application] = exposureOf(describeRoutes(app));
      descriptions[application] = `${JSON.stringify(describeApi(app), undefined, 2)}\n`;
    });
  }
  return [
    { path: lockFile, text: await formatted(lockFile, JSON.stringify(exposures)) },
    ...Object.entries(descriptions).map(([name, text]) => ({ path: `apps/${name}/openapi.json`, text })),
    { path: 'libs/client/src/api.ts', text: clientHead + (await typesOf(descriptions['api'] ?? '')) },
    { path: 'docs/reference/settings.md', text: settingsHead + settingsPage(declarations) },
    { path: 'docs/reference/contract.md', text: contractHead + findingsPage(await readFaults()) },
  ];
}

/** @returns those that are not on the disk as they should be */
export function staleFiles(files: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return files.filter(({ path, text }) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
}

/** Writes one, in place of what was there. */
export function writeGenerated({ path, text }: GeneratedFile): void {
  writeFileSync(join(root, path), text);
}

/** Every fault that the contract knows, by the chapters of its page. */
async function readFaults(): Promise<Parameters<typeof import('@app/contract').findingsPage>[0]> {
  const [input, answer, caller, route] = await Promise.all([
    import('@app/validation'),
    import('@app/serialization'),
    import('@app/auth'),
    import('@app/contract'),
  ]);
  return {
    'What comes in': input.inputFaults,
    'What goes out': answer.answerFaults,
    'Who may call': caller.callerFaults,
    Routes: route.routeFaults,
  };
}

async function typesOf(description: string): Promise<string> {
  return astToString(await openapiTS(description));
}

async function formatted(path: string, text: string): Promise<string> {
  const file = join(root, path);
  return format(text, { ...(await resolveConfig(file)), filepath: file });
}
