#!/bin/sh
# Makes the certificates of the tests of outbound calls: an authority that nobody trusts, and five server certificates
# with one key. They last a hundred years, so run this only to change them. Needs OpenSSL 3.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }

new_key "$work/ca.key"
openssl req -x509 -new -key "$work/ca.key" -days 36500 -subj '/CN=Throw-away test authority' -out ca.pem
new_key server.key
openssl req -x509 -new -key server.key -days 36500 -subj '/CN=app.test' -addext 'subjectAltName=DNS:app.test,IP:127.0.0.1' -out self-signed.pem

# $1 file, $2 names, $3 first and $4 last moment
sign() {
  openssl req -new -key server.key -subj '/CN=Test server' -out "$work/server.csr"
  : > "$work/index"
  printf 'subjectAltName=%s\n' "$2" > "$work/extensions"
  printf '[ca]\ndefault_ca=it\n[it]\ndatabase=%s/index\nnew_certs_dir=%s\ndefault_md=sha256\npolicy=any\nrand_serial=yes\n[any]\ncommonName=supplied\n' "$work" "$work" > "$work/ca.conf"
  openssl ca -batch -notext -config "$work/ca.conf" -cert ca.pem -keyfile "$work/ca.key" -in "$work/server.csr" \
    -extfile "$work/extensions" -startdate "$3" -enddate "$4" -out "$1" 2>/dev/null
}

sign trusted.pem 'DNS:app.test,IP:127.0.0.1' 20200101000000Z 21200101000000Z
sign expired.pem 'DNS:app.test,IP:127.0.0.1' 20200101000000Z 20200102000000Z
sign not-yet-valid.pem 'DNS:app.test,IP:127.0.0.1' 21000101000000Z 21200101000000Z
sign wrong-name.pem 'DNS:other.test' 20200101000000Z 21200101000000Z
