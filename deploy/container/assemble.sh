#!/bin/sh
# Lays out what an image adds to its base: assemble.sh dist/packed/api /image. Run in the workspace, after npm run pack.
set -eu
packed=$1
image=$2
mkdir -p "$image/opt" "$image/usr/local/bin" "$image/usr/lib"
cp -r "$packed" "$image/opt/sluice"
cp deploy/container/health.js "$image/opt/sluice/health.js"
# The Node of the lock file, without its symbols: 117 MB instead of 150.
node=$(ls node_modules/node-linux-*/bin/node)
strip -o "$image/usr/local/bin/node" "$node"
# The one library that Node needs and the base does not have.
cp -L "$(ldd "$node" | sed -n 's/.*libatomic.so.1 => \(.*\) (.*/\1/p')" "$image/usr/lib/libatomic.so.1"
