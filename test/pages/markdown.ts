/** A block of a page. */
export interface Fence {
  /** What follows the backticks; empty for none. */
  readonly language: string;
  readonly text: string;
}

/** The blocks of a page, also those of lists. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^( *)```(.*)\n([^]*?)^\1```$/gm)].map(([, , language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The anchors that GitHub gives to the headings of a page. */
export function headingAnchors(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const withoutBlocks = page.replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '');
  for (const [, heading = ''] of withoutBlocks.matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading);
    const repeated = [...anchors].filter((other) => other.replace(/-\d+$/, '') === anchor).length;
    anchors.add(repeated === 0 ? anchor : `${anchor}-${repeated}`);
  }
  return anchors;
}

/** Lower case, words joined by hyphens, without punctuation and the markup of links and code. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
