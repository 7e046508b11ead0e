import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { InvalidInputError, type RuleCodes } from '@app/contract';
import type { ProblemType } from '@app/http-errors';

const style = `
:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 sans-serif; }
table { border-collapse: collapse; }
th, td { padding: .2rem 1rem .2rem 0; text-align: left; vertical-align: top; }
`;

/** The content security policy of these pages: their own style, and nothing else. */
export const problemPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page of one kind of error, as HTML. */
export function problemPage(problem: ProblemType, rules: RuleCodes): string {
  const { code, status, title, remedy, params = {} } = problem;
  return htmlPage(
    title,
    `<h1>${inHtml(title)}</h1>
<p><code>${code}</code>, status ${status} (${STATUS_CODES[status] ?? 'Error'})</p>
<h2>What to do</h2>
<p>${inHtml(remedy)}</p>
${factsTable('Facts in <code>params</code>', params)}${code === InvalidInputError.problem.code ? rulesTable(rules) : ''}`,
  );
}

/** The list of all kinds of errors, as HTML. */
export function problemList(problems: readonly ProblemType[]): string {
  const rows = problems.map(
    ({ code, status, title }) =>
      `<tr><td>${status}</td><td><a href="problems/${code}">${code}</a></td><td>${inHtml(title)}</td></tr>`,
  );
  const head = '<tr><th>status</th><th>code</th><th>what is wrong</th></tr>';
  return htmlPage('Errors', `<h1>Errors</h1>\n<table>\n${[head, ...rows].join('\n')}\n</table>`);
}

function htmlPage(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${inHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`;
}

function factsTable(caption: string, facts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(facts).map(
    ([name, type]) => `<tr><td><code>${name}</code></td><td>${type}</td></tr>`,
  );
  return rows.length === 0 ? '' : `<h2>${caption}</h2>\n<table>\n${rows.join('\n')}\n</table>\n`;
}

function rulesTable(rules: RuleCodes): string {
  const rows = Object.entries(rules).map(([code, params]) => {
    const facts = Object.entries(params).map(([name, type]) => `<code>${name}</code> (${type})`);
    return `<tr><td><code>${inHtml(code)}</code></td><td>${facts.join(', ')}</td></tr>`;
  });
  const head = '<tr><th>code</th><th>arguments</th></tr>';
  return `<h2>Rules in <code>errors</code></h2>\n<table>\n${[head, ...rows].join('\n')}\n</table>\n`;
}

/** Text between backticks is code. */
function inHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
