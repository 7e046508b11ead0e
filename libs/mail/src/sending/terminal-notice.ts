import type { Outbox } from '../outbox/outbox';

/** Shows the links of new mails in a terminal, for a program without a mail server. */
export class TerminalNotice {
  /** The last id; `undefined` before the first read. */
  private lastId: number | undefined;

  constructor(
    private readonly outbox: Outbox,
    private readonly write: (text: string) => void,
  ) {}

  /** Shows the mails added since the last call. The first call shows no mail. */
  async showNew(): Promise<void> {
    if (this.lastId === undefined) {
      this.lastId = await this.outbox.lastId();
      return;
    }
    for (const { id, recipient, text } of await this.outbox.listSince(this.lastId)) {
      this.lastId = id;
      if (text !== undefined)
        this.write(`\n  mail    ${plain(recipient)}: ${plain(text.subject)}\n${linkLine(text.link)}\n`);
    }
  }
}

/** Removes control and format characters, such as text direction marks, which a terminal would obey. */
function plain(text: string): string {
  return text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

function linkLine(link: string | undefined): string {
  return link === undefined ? '' : `          ${link}\n`;
}
