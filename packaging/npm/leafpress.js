#!/usr/bin/env node
// Starts the command, which is in the package of this platform.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const name = `@leafpress/${platform}`;
const program = process.platform === 'win32' ? 'leafpress.exe' : 'leafpress';

/** @param {string[]} lines */
function fail(...lines) {
    for (const line of lines) {
        console.error(line);
    }
    process.exit(1);
}

/** @returns {string} */
function find() {
    try {
        return require.resolve(`${name}/${program}`);
    } catch {
        return fail(
            `error: the package ${name} is not installed`,
            'help: install leafpress without `--omit=optional`. If npm has no such package, there is no build for this platform.',
        );
    }
}

const child = spawn(find(), process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => fail(`error: failed to start leafpress: ${error.message}`));

// A terminal sends its signals to both processes, everybody else to this one alone. A second signal changes nothing.
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
for (const signal of signals) {
    process.on(signal, () => child.kill(signal));
}
child.on('exit', (code, signal) => {
    if (signal === null) {
        process.exit(code ?? 1);
    }
    // End as the command did: a shell then sees the same status.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Where a signal ends nothing, as on Windows or as process 1 of a container.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
