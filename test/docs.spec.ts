import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { callerFaults } from '@app/auth';
import { findingsPage, routeFaults } from '@app/contract';
import { answerFaults } from '@app/serialization';
import { settingsPage } from '@app/service';
import { inputFaults } from '@app/validation';
import { adminSettings } from '../apps/admin/src/admin.settings';
import { apiSettings } from '../apps/api/src/api.settings';

const root = join(__dirname, '..');
const pages = [
  '.',
  'docs',
  'docs/decisions',
  'docs/reference',
  ...folders('libs'),
  ...folders('apps'),
].flatMap((folder) =>
  readdirSync(join(root, folder)).flatMap((file) => (file.endsWith('.md') ? join(folder, file) : [])),
);

const settingsHead = `# Settings

Read from the environment once, when a program starts. Every problem is told at once, and ends the start. The same for
every program of the workspace; this page is made from their declarations by \`npm run docs\`.
`;

const contractHead = `# The contract

What an application takes in, sends, and whom it lets in, is declared on its classes and controllers. Every route is
looked at before the first request; whatever is left open ends the start, all of it told at once, each with its code, the
file and the line, and what mends it. \`npm run contract:check\` tells the same without starting anything. This page is
made from the code by \`npm run docs\`.
`;

const chapters = {
  'What comes in': inputFaults,
  'What goes out': answerFaults,
  'Who may call': callerFaults,
  Routes: routeFaults,
};

function folders(parent: string): string[] {
  return readdirSync(join(root, parent)).map((name) => join(parent, name));
}

describe('the pages', () => {
  it('tell the settings as they are declared (`npm run docs` writes them anew)', async () => {
    const page = `${settingsHead}\n${settingsPage({ ...apiSettings, ...adminSettings })}`;
    await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/settings.md'));
  });

  it('tell the codes of the contract as they are (`npm run docs` writes them anew)', async () => {
    const page = `${contractHead}\n${findingsPage(chapters)}`;
    await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/contract.md'));
  });

  it.each(pages)('link to what is there: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)].map(
      ([, target]) => target,
    );
    const broken = targets.filter((target) => !existsSync(join(root, dirname(page), target)));
    expect(broken).toEqual([]);
  });

  it.each(pages)('name only commands that there are: %s', (page) => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/npm run ([a-z][a-z:-]*[a-z])/g)].map(([, name]) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });

  it.each(pages)('name only files that there are: %s', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    const named = [...text.matchAll(/`((?:apps|libs|test|docs|scripts)\/[^`*<>\s]+)`/g)].map(
      ([, path]) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('introduce every library', () => {
    for (const folder of folders('libs')) expect(pages).toContain(relative('.', join(folder, 'README.md')));
  });
});
