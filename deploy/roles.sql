-- Two users of the database: `tolem_owner` owns the tables and is for `tolem migrate` alone; `tolem_server` is for servers
-- and all other commands: it reads and writes rows, and can neither change the schema nor take the triggers away that
-- close the audit log. Run it once, before the first migration, as a superuser, in the database that is meant:
--
--   psql "$DATABASE" -v owner_password="$OWNER" -v server_password="$SERVER" -f deploy/roles.sql
--
-- Addresses then name the schema: postgres://tolem_server:PASSWORD@HOST:5432/DATABASE?schema=tolem

create role tolem_owner login password :'owner_password';
create role tolem_server login password :'server_password';

-- Nobody else gets in, and nobody makes temporary tables.
revoke all on database :"DBNAME" from public;
grant connect on database :"DBNAME" to tolem_owner, tolem_server;

create schema tolem authorization tolem_owner;
grant usage on schema tolem to tolem_server;
-- For what every migration makes from now on.
alter default privileges for role tolem_owner in schema tolem
  grant select, insert, update, delete on tables to tolem_server;

-- For searches by a part of a text. Leave it out where it cannot be had.
create extension if not exists pg_trgm;
