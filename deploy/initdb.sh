#!/bin/sh
# Run by the image of PostgreSQL when it makes the database: the two users of roles.sql, with passwords from secrets.
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --no-psqlrc <<'SQL'
\set owner_password `cat /run/secrets/owner_password`
\set server_password `cat /run/secrets/server_password`
\i /etc/tolem/roles.sql
SQL
