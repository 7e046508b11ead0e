/** The example values by member name, most specific first. Values with the wrong type or format are skipped. */
export const samples: readonly (readonly [name: RegExp, ...values: readonly (string | number)[]])[] = [
  [/email$|^recipient$/, 'ada@example.com'],
  [/^username$|^login$/, 'ada@example.com', 'ada.lovelace', 'ada'],
  [/^firstname$|^givenname$/, 'Ada'],
  [/^lastname$|^surname$|^familyname$/, 'Lovelace'],
  [/fullname$|^displayname$|^contact$/, 'Ada Lovelace'],
  [/^password$/, 'correct horse battery staple'],
  [/accesstoken$|^jwt$/, 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.8nYV1M0kYk4'],
  [/token$|secret$/, 'k7Qm2xVtR9sYbNcLwE4uHj'],
  [/apikey$/, '7K***f2', 'k7Qm2xVtR9sYbNcLwE4uHj'],
  [/slug$/, 'what-i-learnt', 'notes'],
  [/sku$/, 'TEA-100', 'tea-100'],
  [/isbn$/, '978-0-14-103614-4', '9780141036144'],
  [/iban$|^account$/, 'GB33BUKB20201555555555'],
  [/code$|reference$/, 'A-1024', 'a-1024', 'A1024'],
  [/country$/, 'GB', 'United Kingdom'],
  [/currency$/, 'EUR'],
  [/language$|locale$/, 'en-GB', 'en'],
  [/timezone$/, 'Europe/London'],
  [/city$|town$/, 'London'],
  [/street$|address$/, '12 Riverside Walk'],
  [/zip$|postcode$|postalcode$/, 'SW1Y 4JH', '10115'],
  [/phone$|mobile$/, '+44 20 7946 0123', '+442079460123'],
  [/ip$|ipaddress$/, '192.0.2.1'],
  [/host$|domain$/, 'example.com'],
  [/url$|website$|link$|href$/, 'https://example.com/'],
  [/colou?r$/, '#1f6feb', 'blue'],
  [/version$/, '1.4.0', 3],
  [/hash$|digest$|checksum$|^head$/, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
  [/title$|subject$/, 'What I learnt this year'],
  [/note$|comment$|remark$/, 'Please ring the bell.'],
  [/description$|summary$/, 'Loose leaves, 100 g.'],
  [/text$|content$|body$|message$/, 'The first order arrived today.'],
  [/price$|amount$|total$|cost$|balance$|fee$/, 1999, '19.99'],
  [/quantity$|count$|units$|seats$|pieces$/, 2, '2'],
  [/page$/, 1, 2],
  [/limit$/, 10],
  [/percent$|discount$/, 20],
  [/age$/, 36],
  [/year$/, 2026, '2026'],
  [/month$/, 1],
  [/day$|days$/, 30],
  [/minutes$|seconds$/, 60],
  [/weight$|grams$/, 250, '0.25'],
  [/latitude$/, 51.5074],
  [/longitude$/, -0.1278],
  [/bytes$|size$/, 48_213, 'medium'],
  [/(?:^|[a-z])id$/, 42, '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a'],
  [/date$|on$/, '2026-01-31'],
];

/** The names of times that must be later than the other times in the same object. */
export const laterNames = /(?:expires|due|until|ends|deadline)(?:at|on)?$/;

/** An example for each format of such a moment. */
export const laterSamples: Readonly<Record<string, string>> = {
  'date-time': '2026-03-31T12:00:00.000Z',
  date: '2026-03-31',
};

/** An example for each format. */
export const formatSamples: Readonly<Record<string, string>> = {
  email: 'ada@example.com',
  'date-time': '2026-01-31T12:00:00.000Z',
  date: '2026-01-31',
  time: '12:00:00Z',
  uuid: '7f0d4d0e-1bb1-4c66-9c4c-0e3a8f3a8f3a',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
};

/** The examples for patterns without a matching member sample: numbers and codes in common formats. */
export const patternSamples: readonly string[] = [
  '12.50',
  '2026-01-31',
  '12:30',
  'tea',
  'TEA',
  'green-tea',
  'TEA-100',
  'tea_100',
  '42',
  '0',
  'a',
  'A',
];
