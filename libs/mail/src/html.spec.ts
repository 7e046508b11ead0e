import { html } from './html';

describe('HTML of a mail', () => {
  it('escapes its values', () => {
    expect(html`<a href="${`"><script>'`}">${'Ada & Co'} ${7}</a>`).toBe(
      '<a href="&quot;&gt;&lt;script&gt;&#39;">Ada &amp; Co 7</a>',
    );
  });
});
