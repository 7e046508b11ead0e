// The stories of PostgreSQL may be told in the same run; these are told on SQLite whatever the environment says.
delete process.env.TEST_DATABASE_URL;
