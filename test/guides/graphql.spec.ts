import { Public } from '@app/auth';
import type { Client } from '@app/service/testing';
import { Int, Query, Resolver } from '@nestjs/graphql';
import { BooksResolver, graphql } from '../../docs/guides/graphql.md';
import { bootGuide } from './boot-guide';

@Resolver()
class OtherResolver {
  @Query(() => String)
  @Public()
  motto(): string {
    return 'read';
  }

  @Query(() => String)
  fails(): string {
    throw new Error('password of the store');
  }

  @Query(() => Int)
  unfit(): unknown {
    return 'password of the store';
  }
}

describe('docs/guides/graphql.md', () => {
  const program = bootGuide({ imports: [graphql], providers: [BooksResolver, OtherResolver] });

  async function ask(as: Client, query: unknown, variables?: object) {
    const { status, json } = await as.post('/graphql', { query, variables });
    return [status, json];
  }

  const failed = (path: string[], message: string, extensions: object) => [
    200,
    {
      data: null,
      errors: [
        {
          message,
          path,
          locations: expect.any(Array),
          extensions: { instance: expect.stringMatching(/^urn:uuid:/), ...extensions },
        },
      ],
    },
  ];
  const refused = (message: string) => [
    400,
    {
      errors: [
        expect.objectContaining({
          message: expect.stringContaining(message),
          extensions: { code: 'bad-request', status: 400 },
        }),
      ],
    },
  ];

  it('refuses who is nobody, in the form of the program', async () => {
    for (const reply of [
      await program().post('/graphql', { query: '{ whoami }' }),
      await program().get('/graphql'),
    ]) {
      expect([reply.status, reply.json]).toEqual([401, { statusCode: 401, message: 'Unauthorized' }]);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  it('answers callers with the declared fields', async () => {
    const as = await program.newcomer();
    const { username } = (await as.get('/auth/profile')).json;
    expect(await ask(as, '{ books(first: 1) { id title } whoami }')).toEqual([
      200,
      { data: { books: [{ id: 1, title: 'Emma' }], whoami: username } },
    ]);
    expect((await as.get('/graphql?query={whoami}')).json).toEqual({ data: { whoami: username } });
  });

  it('has the roles of queries, mutations and fields', async () => {
    const add = 'mutation { addBook(book: { title: "Persuasion" }) { title paid } }';
    const message = 'only a caller with the role admin may do this';
    const forbidden = { code: 'forbidden', status: 403 };
    const user = await program.newcomer();
    expect(await ask(user, add)).toEqual(failed(['addBook'], message, forbidden));
    expect(await ask(user, '{ book(id: 1) { paid } }')).toEqual(failed(['book', 'paid'], message, forbidden));
    expect(await ask(await program.administrator(), add)).toEqual([
      200,
      { data: { addBook: { title: 'Persuasion', paid: 0 } } },
    ]);
  });

  it('says by our codes what is wrong with arguments, and what is not there', async () => {
    const as = await program.administrator();
    const add = 'mutation ($book: AddBook!) { addBook(book: $book) { id } }';
    const tooShort = 'title must be longer than or equal to 1 characters';
    expect(await ask(as, add, { book: { title: '' } })).toEqual(
      failed(['addBook'], tooShort, {
        code: 'invalid-input',
        status: 400,
        errors: [
          {
            in: 'body',
            pointer: '/book/title',
            code: 'isLength',
            params: { min: 1, max: 200 },
            detail: tooShort,
          },
        ],
      }),
    );
    expect(await ask(as, '{ books(first: 101) { id } }')).toMatchObject([
      200,
      { errors: [{ extensions: { code: 'invalid-input' } }] },
    ]);
    expect(await ask(as, '{ book(id: 7) { id } }')).toEqual(
      failed(['book'], 'there is no book 7', { code: 'not-found', status: 404 }),
    );
  });

  it('tells nothing of an unhandled error, nor of a value that does not fit', async () => {
    const as = await program.newcomer();
    const unhandled = { code: 'internal-server-error', status: 500 };
    expect(await ask(as, '{ fails }')).toEqual(failed(['fails'], 'Internal server error', unhandled));
    expect(await ask(as, '{ unfit }')).toEqual(
      failed(['unfit'], 'Internal server error', { ...unhandled, instance: undefined }),
    );
  });

  const fields = (count: number, inner = '') =>
    Array.from({ length: count }, (_, at) => `a${at}: ${inner}`).join(' ');
  it.each([
    ['fields that are unknown', '{ nothing }', 'Cannot query field "nothing"'],
    ['what is no GraphQL', '{ ', 'Syntax Error'],
    ['no query', undefined, 'Unknown query'],
    ['a syntax tree', JSON.stringify({ kind: 'Document', definitions: [] }), 'the query is not GraphQL'],
    ['JSON', '1', 'the query is not GraphQL'],
    ['introspection', '{ __schema { __typename } }', 'GraphQL introspection has been disabled'],
    ['many aliases', `{ ${fields(101, 'whoami')} }`, 'a query has at most 100 fields'],
    [
      'fields of fragments, as often as they are spread',
      `{ ${fields(20, 'book(id: 1) { ...f }')} } fragment f on Book { ${fields(5, 'id')} }`,
      'a query has at most 100 fields',
    ],
    [
      'fragments that spread themselves',
      '{ ...f } fragment f on Query { ...f }',
      'Cannot spread fragment "f" within itself',
    ],
    ['long queries', `{ ${'whoami '.repeat(1000)} }`, 'tokens'],
    ['a value that does not fit its argument', '{ book(id: "x") { id } }', 'Int cannot represent'],
    [
      'deep queries',
      '{ __typename ...on Query { ...on Query { ...on Query { ...on Query { ...on Query { whoami }}}}}}',
      'depth',
    ],
  ])('refuses %s', async (_, query, message) => {
    expect(await ask(await program.newcomer(), query)).toEqual(refused(message));
  });

  it('refuses batches, and mutations by GET', async () => {
    const as = await program.newcomer();
    const batch = await as.post('/graphql', [{ query: '{ whoami }' }]);
    expect([batch.status, batch.json]).toEqual(refused('body must be object'));
    const mutation = encodeURIComponent('mutation { addBook(book: { title: "x" }) { id } }');
    const byGet = await as.get(`/graphql?query=${mutation}`);
    expect([byGet.status, byGet.json]).toEqual(refused('GET request'));
  });
});

describe('docs/guides/graphql.md, with a public route', () => {
  const program = bootGuide({
    imports: [graphql],
    providers: [BooksResolver, OtherResolver],
    moduleRoutes: { '/graphql': 'public' },
  });

  it('requires a caller for what is not public', async () => {
    const query = { query: '{ motto }' };
    expect((await program().post('/graphql', query)).json).toEqual({ data: { motto: 'read' } });
    const closed = { query: '{ whoami motto }' };
    expect((await program().post('/graphql', closed)).json).toMatchObject({
      data: null,
      errors: [
        { path: ['whoami'], message: 'Unauthorized', extensions: { code: 'unauthorized', status: 401 } },
      ],
    });
    const as = await program.newcomer();
    expect((await as.post('/graphql', closed)).json).toMatchObject({ data: { motto: 'read' } });
  });
});
