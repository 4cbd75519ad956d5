// Serves the npm packages of a directory as a registry does, to install them by name. It has no others. Prints its address.
//
//     node packaging/npm/registry.mjs DIR
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = process.argv[2];
if (!folder) {
    console.error('usage: node packaging/npm/registry.mjs DIR');
    process.exit(2);
}
/** @type {Map<string, { file: string, manifest: any }>} */
const packages = new Map();
for (const file of readdirSync(folder).filter((name) => name.endsWith('.tgz'))) {
    const manifest = JSON.parse(execFileSync('tar', ['-xzOf', join(folder, file), 'package/package.json']).toString());
    packages.set(manifest.name, { file, manifest });
}

const server = createServer((request, response) => {
    const host = `http://${request.headers.host}`;
    const path = decodeURIComponent(new URL(request.url ?? '', host).pathname).slice(1);
    const one = packages.get(path);
    if (one) {
        const integrity = `sha512-${createHash('sha512').update(readFileSync(join(folder, one.file))).digest('base64')}`;
        const version = { ...one.manifest, dist: { tarball: `${host}/-/${one.file}`, integrity } };
        const of = one.manifest.version;
        response.end(JSON.stringify({ name: path, 'dist-tags': { latest: of }, versions: { [of]: version } }));
    } else if ([...packages.values()].some(({ file }) => path === `-/${file}`)) {
        response.end(readFileSync(join(folder, path.slice(2))));
    } else {
        response.writeHead(404).end('{}');
    }
});
server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
