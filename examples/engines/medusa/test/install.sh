# Installs the package as it is packed, for the server of the tests.
set -eu
package=node_modules/effect-gopay-medusa
rm -rf "$package" && mkdir -p "$package" dist
npm pack --silent --ignore-scripts --pack-destination dist >/dev/null
tar -xzf dist/*.tgz --strip-components 1 -C "$package"
rm dist/*.tgz
cp test/package.json dist
