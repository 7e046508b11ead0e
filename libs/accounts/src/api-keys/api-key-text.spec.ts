import { isKeyText, makeKeyText } from './api-key-text';

describe('the text of an API key', () => {
  it('has a prefix, 256 bits and a checksum', () => {
    const key = makeKeyText();
    expect(key).toMatch(/^sluice_[\w-]{49}$/);
    expect(isKeyText(key)).toBe(true);
    expect(makeKeyText()).not.toBe(key);
  });

  it('does not have its checksum after a change of any character', () => {
    const key = makeKeyText();
    for (let at = 0; at < key.length; at += 1) {
      const letter = key[at] === 'A' ? 'B' : 'A';
      expect(isKeyText(key.slice(0, at) + letter + key.slice(at + 1))).toBe(false);
    }
    for (const text of ['', key.slice(1), `${key}A`, ` ${key}`, key.slice(0, -6), `${key}\n`])
      expect(isKeyText(text)).toBe(false);
  });

  it('can be checked by others: CRC-32 of what precedes it', () => {
    expect(isKeyText(`sluice_${'A'.repeat(43)}vRLh4Q`)).toBe(true);
    expect(isKeyText(`sluice_${'A'.repeat(43)}vRLh4R`)).toBe(false);
  });
});
