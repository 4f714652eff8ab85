#!/bin/sh
# Starts the image of PostgreSQL with TLS. It refuses a key that others can read or that another user owns, and a
# secret keeps the owner that its file has outside: so the database's user gets copies.
set -eu
tls=/etc/tolem/tls
install -d -o postgres -g postgres -m 700 "$tls"
install -o postgres -g postgres -m 600 /run/secrets/database_certificate "$tls/server.crt"
install -o postgres -g postgres -m 600 /run/secrets/database_key "$tls/server.key"
exec docker-entrypoint.sh postgres -c ssl=on -c ssl_min_protocol_version=TLSv1.3 \
  -c ssl_cert_file="$tls/server.crt" -c ssl_key_file="$tls/server.key"
