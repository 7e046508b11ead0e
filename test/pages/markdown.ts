/** A code block in a page. */
export interface Fence {
  /** The text after the backticks, or an empty string. */
  readonly language: string;
  readonly text: string;
}

/** Returns the code blocks in a page, including blocks in lists. */
export function fencesOf(page: string): Fence[] {
  return [...page.matchAll(/^( *)```(.*)\n([^]*?)^\1```$/gm)].map(([, , language = '', text = '']) => ({
    language,
    text,
  }));
}

/** Returns the anchors that GitHub gives to the headings in a page. */
export function headingAnchors(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const withoutBlocks = page.replaceAll(/^( *)```.*\n[^]*?^\1```$/gm, '');
  for (const [, heading = ''] of withoutBlocks.matchAll(/^#+ (.+)$/gm)) {
    const anchor = anchorOf(heading);
    const repeated = [...anchors].filter((candidate) => candidate.replace(/-\d+$/, '') === anchor).length;
    anchors.add(repeated === 0 ? anchor : `${anchor}-${repeated}`);
  }
  return anchors;
}

/** Returns a heading in lower case with hyphens between words, stripped of punctuation, link markup and code markup. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}
