// The project "postgres" may be part of the same run; this one uses SQLite whatever the environment.
delete process.env.TEST_DATABASE_URL;
