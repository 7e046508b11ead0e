import { readCorsOrigins } from './cors-origins';

describe('the origins of CORS', () => {
  it.each([
    ['off', false],
    ['*', '*'],
    ['https://app.example.com', ['https://app.example.com']],
    ['https://a.example, http://localhost:5173', ['https://a.example', 'http://localhost:5173']],
  ])('can be %s', (text, origins) => {
    expect(readCorsOrigins(text)).toEqual(origins);
  });

  it.each([
    'null',
    '',
    'app.example.com',
    'https://app.example.com/',
    'https://app.example.com:443',
    'https://APP.example.com',
    'https://*.example.com',
    'file:///index.html',
    'https://a.example,*',
    'https://a.example,',
  ])('cannot be %j', (text) => {
    expect(readCorsOrigins(text)).toBeUndefined();
  });
});
