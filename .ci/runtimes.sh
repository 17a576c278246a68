# Other runtimes, from the npm registry. To be sourced.

# Node.js: the first is the oldest that package.json allows, the second runs workerd, the third TypeScript as it is.
nodes=(20.19.0 22.19.0 24.21.0 26.10.0)
bun=1.4.5
deno=2.9.6

# Prints the path of a runtime's program: fetched node@24.21.0 node
fetched() { npx -y -p "$1" bash -c "command -v $2"; }
