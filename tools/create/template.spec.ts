import { fill } from './source/template.mts';

describe('a template', () => {
  it('has values in place of names', () => {
    expect(fill('class {{pascal}} { {{member}} }', { pascal: 'Task', member: 'id = 1;' })).toBe(
      'class Task { id = 1; }',
    );
  });

  it.each<[isOwned: string | boolean, text: string]>([
    [true, 'a\nowned\nb yes\n'],
    ['some', 'a\nowned\nb yes\n'],
    [false, 'a\nb no\n'],
    ['', 'a\nb no\n'],
  ])('keeps the parts that belong to a value: %j', (isOwned, text) => {
    const template =
      'a\n{{#isOwned}}\nowned\n{{/isOwned}}\nb {{#isOwned}}yes{{/isOwned}}{{^isOwned}}no{{/isOwned}}\n';
    expect(fill(template, { isOwned })).toBe(text);
  });

  it('may have parts within a part', () => {
    const template = '{{#outer}}\na\n{{^inner}}\nb\n{{/inner}}\n{{/outer}}\n';
    expect(fill(template, { outer: true, inner: false })).toBe('a\nb\n');
    expect(fill(template, { outer: true, inner: true })).toBe('a\n');
    expect(fill(template, { outer: false, inner: false })).toBe('');
  });

  it.each(['{{name}}', '{{#name}}a{{/name}}'])('names what it has no value for: %s', (template) => {
    expect(() => fill(template, {})).toThrow('a template has no value for name');
  });
});
