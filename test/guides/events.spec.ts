import { accounts, SignUp } from '@app/accounts';
import { Database } from '@app/persistence';
import { defineProgram } from '@app/service';
import { bootProgram, newEmail } from '@app/service/testing';
import { Payments, Shipping, shop, welcome } from '../../docs/guides/events.md';

describe('docs/guides/events.md', () => {
  const program = bootProgram(defineProgram({ name: 'shop', plugins: [accounts(), shop, welcome] }));

  it('delivers the event of a payment after its transaction', async () => {
    await program.app().get(Payments).pay(7);
    await vi.waitFor(() => expect(program.app().get(Shipping).sent).toEqual([7]), { timeout: 5000 });
    const left = () =>
      program.app().get(Database, { strict: false }).selectFrom('event').select('id').execute();
    await vi.waitFor(async () => expect(await left()).toEqual([]));
  });

  it('creates an account with a hook that adds an event without a handler', async () => {
    const signUp = program.app().get(SignUp, { strict: false });
    const { id } = await signUp.create({ email: newEmail(), password: 'correct horse battery staple' });
    expect(id).toBeGreaterThan(0);
  });
});
