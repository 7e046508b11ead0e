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

/** The content security policy of these pages, which allows only their own style. */
export const problemPagePolicy =
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Returns the HTML page for a kind of error. */
export function problemPage(problem: ProblemType, rules: RuleCodes): string {
  const { code, status, title, remedy, params = {} } = problem;
  const facts = Object.entries(params).map(([name, type]) => [inCode(name), type]);
  const isInvalid = code === InvalidInputError.problem.code;
  return htmlPage(
    title,
    `<h1>${inHtml(title)}</h1>
<p>${inCode(code)}, status ${status} (${STATUS_CODES[status] ?? 'Error'})</p>
<h2>What to do</h2>
<p>${inHtml(remedy)}</p>
${facts.length === 0 ? '' : `<h2>Facts in <code>params</code></h2>\n${table(facts)}`}${isInvalid ? rulesTable(rules) : ''}`,
  );
}

/** Returns the HTML list of all error kinds. */
export function problemList(problems: readonly ProblemType[]): string {
  const rows = problems.map(({ code, status, title }) => [
    String(status),
    `<a href="problems/${code}">${code}</a>`,
    inHtml(title),
  ]);
  return htmlPage('Errors', `<h1>Errors</h1>\n${table(rows, ['status', 'code', 'what is wrong']).trimEnd()}`);
}

function rulesTable(rules: RuleCodes): string {
  const rows = Object.entries(rules).map(([code, params]) => {
    const facts = Object.entries(params).map(([name, type]) => `${inCode(name)} (${type})`);
    return [inCode(inHtml(code)), facts.join(', ')];
  });
  return `<h2>Rules in <code>errors</code></h2>\n${table(rows, ['code', 'arguments'])}`;
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

function table(rows: readonly (readonly string[])[], head: readonly string[] = []): string {
  const body = rows.map((cells) => row(cells, 'td')).join('');
  return `<table>\n${head.length === 0 ? '' : row(head, 'th')}${body}</table>\n`;
}

function row(cells: readonly string[], tag: string): string {
  return `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>\n`;
}

const inCode = (html: string) => `<code>${html}</code>`;

/** Converts text to HTML. Text between backticks becomes code. */
function inHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
