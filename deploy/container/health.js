// The health check of the image: exits with 0 if the program answers. Readiness, which depends on the store, is for proxies.
const { PORT = '3000' } = process.env;

fetch(`http://127.0.0.1:${PORT}/health/live`).then(
  ({ ok }) => process.exit(ok ? 0 : 1),
  () => process.exit(1),
);
