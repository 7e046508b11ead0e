import type { Row } from './report.mts';
import { routes } from './routes.mts';
import { ours, subjects } from './subjects.mts';

const width = 880;
const panel = { width: 280, left: 20, gap: 10, bar: 15, step: 19, head: 26 };

/** Draws CPU per request as a bar chart with a panel for each route, for light and dark backgrounds. */
export function drawBars(rows: readonly Row[], caption: string): string {
  const panels = routes.map(({ key, title }, at) => {
    const bars = subjects.flatMap(({ name }) =>
      rows.filter((row) => row.case === key && row.subject === name),
    );
    const x = panel.left + (at % 3) * (panel.width + panel.gap);
    const y = 40 + Math.floor(at / 3) * (panel.head + bars.length * panel.step + 24);
    return drawPanel(`${key} · ${title}`, bars, x, y);
  });
  const height = 40 + 2 * (panel.head + subjects.length * panel.step + 24) + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="10" role="img">
<title>CPU per request, in microseconds: less is better</title>
<style>text{fill:#57606a}.ours{fill:#1a7f64}.peer{fill:#8c959f}.head{font-size:13px;font-weight:600}@media(prefers-color-scheme:dark){text{fill:#adbac7}.ours{fill:#3fb68b}.peer{fill:#636e7b}}</style>
<text class="head" x="${panel.left}" y="22">CPU per request, in microseconds: less is better</text>
${panels.join('\n')}
<text x="${panel.left}" y="${height - 8}" font-size="8">${escaped(caption)}</text>
</svg>
`;
}

function drawPanel(title: string, rows: readonly Row[], x: number, y: number): string {
  const most = Math.max(...rows.map(({ value }) => value));
  const bars = rows.map((row, at) => drawBar(row, most, x, y + panel.head + at * panel.step));
  return `<text class="head" x="${x}" y="${y + 14}" font-size="11">${escaped(title)}</text>\n${bars.join('\n')}`;
}

function drawBar({ subject, value }: Row, most: number, x: number, y: number): string {
  const labels = 150;
  const length = Math.max(1, (value / most) * (panel.width - labels - 34));
  const kind = subject.startsWith(ours) ? 'ours' : 'peer';
  const name = subjects.find((candidate) => candidate.name === subject)?.label ?? subject;
  return [
    `<text x="${x + labels - 4}" y="${y + 11}" text-anchor="end">${escaped(name)}</text>`,
    `<rect class="${kind}" x="${x + labels}" y="${y}" width="${length.toFixed(1)}" height="${panel.bar}"/>`,
    `<text x="${(x + labels + length + 4).toFixed(1)}" y="${y + 11}">${value.toFixed(1)}</text>`,
  ].join('');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
