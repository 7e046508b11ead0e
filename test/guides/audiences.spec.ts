import { SignUp } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { NewStaffController, staff, StaffController } from '../../docs/guides/who-may-call.md';
import { bootGuide } from './boot-guide';

const password = 'correct horse battery staple';

describe('docs/guides/who-may-call.md', () => {
  const program = bootGuide({ controllers: [StaffController, NewStaffController] });

  async function account() {
    const email = newEmail();
    const { id } = await program.app().get(SignUp).create({ email, password });
    return { id, client: await program().signIn(email, password) };
  }

  it('sends a field to its audiences only', async () => {
    const { id, client } = await account();
    const [first, second] = staff;
    if (first) first.accountId = id;
    if (second) second.accountId = id + 1;
    const [own, foreign] = [
      { name: 'Ada', phone: '+44 1' },
      { name: 'Joan', phone: '+44 2' },
    ];
    expect((await client.get('/staff')).json).toEqual([own, { name: 'Joan' }]);
    const operator = await program.administrator();
    expect((await operator.get('/staff')).json).toEqual([
      { ...own, salary: 100 },
      { ...foreign, salary: 90 },
    ]);
  });

  it('accepts a field from its audience, and refuses it as an unknown field from others', async () => {
    const { client } = await account();
    const body = { extra: 1, name: '', salary: 1 };
    const refused = await client.post('/new-staff', body);
    expect([refused.status, refused.json.message]).toEqual([
      400,
      [
        'property extra should not exist',
        'property salary should not exist',
        'name must be longer than or equal to 1 characters',
      ],
    ]);
    const problems = client.with({ accept: 'application/problem+json' });
    expect((await problems.post('/new-staff', body)).json.errors.slice(0, 2)).toMatchObject([
      { pointer: '/extra', code: 'unknownField', detail: 'property extra should not exist' },
      { pointer: '/salary', code: 'unknownField', detail: 'property salary should not exist' },
    ]);
    expect((await client.post('/new-staff', { name: 'Ada' })).status).toBe(204);
    const operator = await program.administrator();
    expect((await operator.post('/new-staff', { name: 'Ada', salary: 1 })).status).toBe(204);
    expect((await operator.post('/new-staff', { name: 'Ada', salary: -1 })).json.message).toEqual([
      'salary must not be less than 0',
    ]);
  });

  it('describes the audiences', async () => {
    const { components } = (await program().get('/openapi.json')).json;
    expect(components.schemas.StaffPage).toMatchObject({
      properties: {
        name: { type: 'string' },
        phone: {
          description: 'Sent to callers with the role `admin` or the account itself only.',
          'x-audiences': ['admin', 'self'],
        },
      },
      required: ['name'],
    });
    expect(components.schemas.NewStaff).toMatchObject({
      properties: {
        salary: {
          description: 'Accepted from callers with the role `admin` only.',
          'x-audiences': ['admin'],
        },
      },
      required: ['name'],
    });
  });
});
