import { createHmac } from 'node:crypto';
import { Database } from '@app/persistence';
import { sql } from 'kysely';
import { payments } from '../../docs/guides/webhooks.md';
import { bootGuide } from './boot-guide';

const secret = 'whsec_c2VjcmV0IG9mIHRoZSBlbmRwb2ludA';

describe('docs/guides/webhooks.md', () => {
  const program = bootGuide({ plugins: [payments], env: { STRIPE_WEBHOOK_SECRET: secret } });

  it('records a payment once, and only if Stripe signed it', async () => {
    const db = program.app().get(Database, { strict: false });
    await sql`create table shop_order (payment_id text, is_paid integer)`.execute(db);
    await sql`insert into shop_order values ('pi_1', 0)`.execute(db);
    const event = { id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1' } } };
    const at = Math.floor(Date.now() / 1000);
    const digest = createHmac('sha256', secret)
      .update(`${at}.${JSON.stringify(event)}`)
      .digest('hex');
    const stripe = program().with({ 'Stripe-Signature': `t=${at},v1=${digest}` });
    const forged = await stripe.post('/payments/events', { ...event, id: 'evt_2' });
    expect(forged.status).toBe(400);
    expect((await stripe.post('/payments/events', event)).status).toBe(204);
    const again = await stripe.post('/payments/events', event);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([204, 'true']);
    const { rows } = await sql<{ isPaid: unknown }>`select is_paid from shop_order`.execute(db);
    // A number on PostgreSQL, and a boolean on SQLite.
    expect(rows.map(({ isPaid }) => Number(isPaid))).toEqual([1]);
  });
});
