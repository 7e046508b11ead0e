import { preferredType, prefersProblem } from './preferred-type';

describe('the form of an error', () => {
  it.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/*',
    'application/problem+json;q=0',
    'application/problem+json;q=0.5, application/json',
    'application/problem+json; q=0.5, */*',
    'application/json, application/problem+json',
    'application/problem+json;q=nonsense',
    'text/problem+json',
  ])('is the usual one for Accept: %s', (accept) => {
    expect(prefersProblem(accept)).toBe(false);
  });

  it.each([
    'application/problem+json',
    'Application/Problem+JSON',
    'application/problem+json, application/json;q=0.9',
    'application/json;q=0.9, application/problem+json',
    'application/problem+json, application/json',
    'application/problem+json, */*',
    '*/*, application/problem+json',
    'text/html, application/problem+json;q=0.1',
    'application/problem+json;charset=utf-8',
  ])('is that of RFC 9457 for Accept: %s', (accept) => {
    expect(prefersProblem(accept)).toBe(true);
  });
});

describe('the preferred type', () => {
  it('is the first that is offered if none is accepted', () => {
    expect(preferredType('image/png', ['application/json', 'text/html'])).toBe('application/json');
    expect(preferredType('application/json;q=0', ['application/json', 'text/html'])).toBe('application/json');
  });

  it('is HTML for browsers', () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    expect(preferredType(browser, ['application/json', 'text/html'])).toBe('text/html');
  });
});
