import { SignUp } from '@app/accounts';
import { newEmail } from '@app/service/testing';
import { staff, StaffController } from '../../docs/guides/who-may-call.md';
import { bootGuide } from './boot-guide';

const password = 'correct horse battery staple';

describe('docs/guides/who-may-call.md', () => {
  const program = bootGuide({ controllers: [StaffController] });

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
  });
});
