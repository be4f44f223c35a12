#!/usr/bin/env node
/** The `hermes-elements` command: the only file that touches `process`. */
const [name = '(none)'] = process.argv.slice(2);
process.stderr.write(`hermes-elements: there is no command ${name} yet\n`);
process.exitCode = 2;

export {};
