// Makes npm packages: the main one, or with `PLATFORM BINARY` the one that holds the command for a platform.
// The main package names all others as optional. npm installs the one whose `os` and `cpu` fit, so nothing is
// downloaded by a script.
//
//     node packaging/npm/pack.mjs OUT [PLATFORM BINARY]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const metadata = execFileSync('cargo', ['metadata', '--no-deps', '--format-version', '1'], { cwd: root, maxBuffer: 1 << 26 });
const crate = JSON.parse(metadata.toString()).packages.find((/** @type {any} */ one) => one.name === 'leafpress');
const common = { version: crate.version, license: crate.license, keywords: crate.keywords };

/** @param {string} folder */
function main(folder) {
    copyFileSync(join(root, 'packaging/npm/leafpress.js'), join(folder, 'leafpress.js'));
    copyFileSync(join(root, 'packaging/about.md'), join(folder, 'README.md'));
    const pages = join(root, 'target/packages/share/man/man1');
    cpSync(pages, join(folder, 'man'), { recursive: true });
    return {
        name: 'leafpress',
        description: crate.description,
        ...common,
        bin: { leafpress: 'leafpress.js' },
        man: readdirSync(pages).map((page) => `./man/${page}`),
        files: ['leafpress.js', 'man'],
        engines: { node: '>=18' },
        optionalDependencies: Object.fromEntries(PLATFORMS.map((platform) => [`@leafpress/${platform}`, crate.version])),
    };
}

/** @param {string} folder @param {string} platform @param {string} binary */
function part(folder, platform, binary) {
    if (!PLATFORMS.includes(platform)) {
        throw new Error(`unknown platform ${platform}: one of ${PLATFORMS.join(', ')}`);
    }
    const [os, cpu] = platform.split('-');
    const program = os === 'win32' ? 'leafpress.exe' : 'leafpress';
    copyFileSync(binary, join(folder, program));
    chmodSync(join(folder, program), 0o755);
    writeFileSync(join(folder, 'README.md'), `# leafpress for ${platform}\n\nThe package \`leafpress\` installs this one where it fits.\n`);
    return {
        name: `@leafpress/${platform}`,
        description: `${crate.description}: the command for ${platform}`,
        ...common,
        os: [os],
        cpu: [cpu],
        // The program is linked to glibc.
        ...(os === 'linux' ? { libc: ['glibc'] } : {}),
        files: [program],
        preferUnplugged: true,
    };
}

const [out, platform, binary] = process.argv.slice(2);
if (!out || (platform && !binary)) {
    console.error('usage: node packaging/npm/pack.mjs OUT [PLATFORM BINARY]');
    process.exit(2);
}
mkdirSync(out, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'leafpress-npm-'));
try {
    const manifest = platform && binary ? part(folder, platform, binary) : main(folder);
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    // npm is a script of the shell on Windows.
    execFileSync('npm', ['pack', '--silent', '--pack-destination', resolve(out), folder], { stdio: 'inherit', shell: process.platform === 'win32' });
} finally {
    rmSync(folder, { recursive: true });
}
