/** The password of every seeded account. */
const password = 'correct horse battery staple';

/** The e-mail and password of the administrator. */
export const seedAdministrator = { email: 'admin@example.com', password };

/** The users, with the posts that they write and the orders that they place. An order maps each SKU to a quantity. */
export const seedUsers = [
  {
    email: 'ada@example.com',
    password,
    posts: ['how-i-brew-oolong', 'water-below-boiling'],
    orders: [{ 'TEA-OOL-100': '2', 'CUP-CEL-02': '1' }, { 'TEA-SEN-050': '1' }],
  },
  {
    email: 'grace@example.com',
    password,
    posts: ['a-kettle-for-twenty-years'],
    orders: [{ 'KET-GOO-10': '1', 'TEA-ASS-250': '1', 'STR-BAM-01': '2' }],
  },
  { email: 'barbara@example.com', password, posts: [], orders: [{ 'POT-YIX-03': '1', 'TEA-PUE-357': '1' }] },
  { email: 'margaret@example.com', password, posts: ['tea-for-night-shifts'], orders: [] },
] as const;

/** The items, with prices in cents. */
export const seedItems = [
  { sku: 'TEA-OOL-100', name: 'Oolong, Tie Guan Yin, 100 g', price: 1450 },
  { sku: 'TEA-SEN-050', name: 'Sencha, first flush, 50 g', price: 1290 },
  { sku: 'TEA-ASS-250', name: 'Assam, second flush, 250 g', price: 1180 },
  { sku: 'TEA-DAR-100', name: 'Darjeeling, first flush, 100 g', price: 1690 },
  { sku: 'TEA-PUE-357', name: 'Pu-erh, cake of 2019, 357 g', price: 4900 },
  { sku: 'TEA-ROO-250', name: 'Rooibos, 250 g', price: 790 },
  { sku: 'CUP-CEL-02', name: 'Two cups, celadon', price: 2400 },
  { sku: 'POT-YIX-03', name: 'Teapot, Yixing clay, 0.3 l', price: 6800 },
  { sku: 'KET-GOO-10', name: 'Gooseneck kettle, 1.0 l', price: 8900 },
  { sku: 'STR-BAM-01', name: 'Strainer, bamboo', price: 650 },
  { sku: 'TIN-COP-100', name: 'Tea tin, copper, 100 g', price: 3200 },
  { sku: 'SCA-POC-01', name: 'Pocket scale, 0.1 g', price: 2150 },
] as const;
