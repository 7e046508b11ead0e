import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';

/**
 * Takes the indentation, and the spaces around operators, out of the texts of generated code. Lines stay lines, so that
 * what is generated can be read; names, strings and everything that is inserted stay as they are.
 */
export const shorterCode: Plugin = {
  name: 'shorter-code',
  transform: {
    filter: { id: /\.ts$/, code: 'code`' },
    handler(text, id, { magicString }) {
      if (!magicString) throw new Error('shorter-code needs experimental.nativeMagicString.');
      for (const { start, raw } of textsOf(text, id)) {
        const short = withoutSpaces(raw);
        if (short !== raw) magicString.update(start, start + raw.length, short);
      }
      return { code: magicString.toString(), map: magicString.generateMap({ hires: true }).toString() };
    },
  },
};

/** The texts of the `code` templates of a file, between what is inserted, and where they are. */
function textsOf(text: string, id: string): { start: number; raw: string }[] {
  const found: { start: number; raw: string }[] = [];
  new Visitor({
    TaggedTemplateExpression: ({ tag, quasi: { quasis } }) => {
      if (tag.type !== 'Identifier' || tag.name !== 'code') return;
      // The place of an element includes the sign before it: a backtick or a brace.
      for (const { start, value } of quasis)
        if (value.raw !== '') found.push({ start: start + 1, raw: value.raw });
    },
  }).visit(parseSync(id, text).program);
  return found;
}

/** A string, or spaces that separate no words; `a - -1` and `a / b` keep theirs. */
const SPACES =
  /('[^'\n]*')|(?:(?<=\n|\\n) +| +(?=[=!<>&|?:(){}[\],;*%])|(?<=[=!<>&|?:(){}[\],;*%]) +)|( ) +/g;

/** @param text as it is in the source, with its escapes */
export function withoutSpaces(text: string): string {
  return text.replaceAll(SPACES, (_, string = '', one = '') => string + one);
}
