#!/bin/sh
# Makes an authority and a certificate for the database's name, for ten years, in deploy/tls beside compose.yaml.
# The authority's key is thrown away: it signs this one certificate. To replace both, run it again and restart all.
#
#   sh deploy/certificates.sh [NAME [FOLDER]]
set -eu
name=${1:-postgres}
folder=${2:-$(dirname "$0")/tls}
umask 077
mkdir -p "$folder"
cd "$folder"
trap 'rm -f ca.key' EXIT
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
openssl req -x509 $key -days 3650 -subj "/CN=Authority of $name" -keyout ca.key -out ca.crt \
  -addext "keyUsage=critical,keyCertSign"
openssl req -x509 $key -days 3650 -subj "/CN=$name" -keyout server.key -out server.crt -CA ca.crt -CAkey ca.key \
  -addext "subjectAltName=DNS:$name" -addext "basicConstraints=critical,CA:FALSE"
# Servers read the authority as users of their own. The key is for this user and for root in the container.
chmod 755 .
chmod 644 ca.crt server.crt
chmod 600 server.key
